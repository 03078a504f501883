// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The result of `optimize`: the choice, its savings, and all candidates.

/** The fields of points that measure a goal, per iteration and per sample. */
const goalFields = {
  time : [ "time_ms", "time_per_sample_ms" ],
  energy : [ "energy_j", "energy_per_sample_j" ],
  memory : [ "device_bytes", "device_bytes" ],
  cost : [ "money_per_iteration", "money_per_sample" ],
  carbon : [ "co2e_per_iteration_g", "co2e_per_sample_g" ],
  throughput : [ "samples_per_s", "samples_per_s" ],
  power : [ "avg_power_w", "avg_power_w" ],
  total_power : [ "total_power_w", "total_power_w" ],
  run_hours : [ "run_hours", "run_hours" ],
  run_energy : [ "run_energy_kwh", "run_energy_kwh" ],
  run_cost : [ "run_money", "run_money" ],
  run_carbon : [ "run_co2e_kg", "run_co2e_kg" ],
};

/** Lines of a result grouped by name; lines without a name continue the previous one. */
function reasonsOf(optimum) {
  const reasons = [];
  for (const {what, text} of optimum.reasons)
    if (what || !reasons.length)
      reasons.push([ what, [ shorten(text, 400) ] ]);
    else
      reasons[reasons.length - 1][1].push(shorten(text, 400));
  return reasons;
}

const settingUnits = {
  clock : " MHz",
  power_limit : " W",
  host_launch_us : " µs"
};

/** Text for the settings of a point: "clock 1320 MHz, batch 8". */
function settingsOf(point, varying) {
  const write = (key) => settingText(key === "model" ? lastPart(point[key]) : point[key]) +
                         (point[key] === null ? "" : settingUnits[key.replace("-", "_")] || "");
  const chosen = varying.filter((key) => point[key] !== null && point[key] !== undefined);
  return (chosen.length ? chosen : varying).map((key) => (key === "gpu" || key === "model" ? "" : key.replace("_", " ") + " ") + write(key))
             .join(", ") ||
         "the only point";
}

/** Relative change of `key` from the default to the choice, in per cent. */
function changeNote(optimum, key) {
  const [now, then] = [ optimum.choice[key], (optimum.default || {})[key] ];
  if (!(now > 0) || !(then > 0))
    return "";
  return `${format.change(now / then - 1)} against the board's own clock and limit`;
}

/** Formats the value of a goal. */
const goalValues = {
  time : format.seconds,
  energy : format.joules,
  memory : format.bytes,
  edp : (value) => format.number(value) + " J·s",
  cost : (value) => (value < 1e-3 ? format.number(value * 1e6) + " money/million" : format.number(value) + " money"),
  carbon : format.grams,
  power : format.watts,
  total_power : format.watts,
  run_hours : (value) => format.hours(value / 3600),
  run_energy : (value) => format.number(value / 3.6e6) + " kWh",
  run_cost : (value) => format.number(value) + " money",
  run_carbon : format.grams,
};

/** Whether a goal is divided by the samples of an iteration. */
function isPerSample(optimum) {
  const [whole, each] = goalFields[optimum.minimize] || [ "edp", "edp per sample" ];
  return optimum.per === "sample" && whole !== each;
}

const goalName = (optimum) => optimum.minimize + (isPerSample(optimum) ? " per sample" : "");

function choiceCards(optimum, varying) {
  const {choice} = optimum;
  const goal = (goalFields[optimum.minimize] || [])[optimum.per === "sample" ? 1 : 0];
  const range = (key) => {
    const text =
        interval(choice[key.replace("_", "_low_")], choice[key.replace("_", "_high_")], metricOf(key)[3]);
    return text ? "80 %: " + text : "";
  };
  const isGoal = goal && metricOf(goal) && !isPerSample(optimum);
  const write = goalValues[optimum.minimize] || format.number;
  const isOther = (key) => key !== goal && choice[key] !== null && choice[key] !== undefined;
  const others = [
    ...[ "time_ms", "energy_j", "avg_power_w", "device_bytes" ].filter(isOther).slice(0, 2),
    ...expenses([ choice ], optimum.per === "sample").filter(isOther)
  ];
  return [
    choiceCard(settingsOf(choice, varying)),
    card(`Least ${goalName(optimum)}`, write(optimum.value),
         isGoal ? [ changeNote(optimum, goal), range(goal) ] : [], null, {id : "choice-value"}),
    ...others.map((key) => card(metricOf(key)[1][0].toUpperCase() + metricOf(key)[1].slice(1),
                                            metricOf(key)[3](choice[key]),
                                            [ changeNote(optimum, key), range(key) ], null,
                                            {id : "choice-" + key}))
  ];
}

/** The command that reproduces the choice, with a button that copies it. */
function commandLine(command) {
  const button = h("button", {
    type : "button",
    onclick : () => navigator.clipboard.writeText(command).then(() => { button.textContent = "copied"; }, () => {
      getSelection().selectAllChildren(text);
    })
  },
                   "copy");
  const text = h("code", {}, shorten(command, 2000));
  return h("p", {class : "command"}, text, " ", button);
}

/** The choice and the default, marked in the plot if it contains them. */
function marksOf(optimum) {
  const marks = [];
  if (optimum.default)
    marks.push({name : "default", ...optimum.default});
  if (optimum.choice)
    marks.push({name : "choice", ...optimum.choice});
  return marks;
}

function optimumHeader(optimum, points, varying) {
  const names = [...new Set(points.map((point) => point.model)) ];
  const bounds = optimum.constraints.map((constraint) => shorten(constraint.text, 60)).join(", ");
  const beside = optimum.choice ? "" : h("p", {class : "verdict"}, h("strong", {class : "bad"},
                                         "No point meets all bounds."));
  return h(
      "header", {id : "headline"},
      h("div", {class : "title"},
        h("div", {},
          h("h1", {}, `Least ${goalName(optimum)}`,
            h("small", {}, ` of ${shorten(names.map(lastPart).join(", "), 100)}`)),
          h("p", {class : "how"},
            `${format.count(optimum.points)} points, ${format.count(optimum.feasible)} can run` +
                (bounds ? `, ${format.count(optimum.allowed)} meet ${bounds}` : "; no bounds"))),
        themeSwitch()),
      optimum.choice ? h("div", {class : "cards"}, choiceCards(optimum, varying)) : beside,
      optimum.command ? commandLine(optimum.command) : null,
      h("dl", {class : "facts reasons", id : "reasons"},
        reasonsOf(optimum)
            .filter(([ what ]) => what !== "points" && (what !== "choice" || !optimum.choice))
            .map(([ what, lines ]) =>
                     h("div", {}, h("dt", {}, what), h("dd", {}, lines.map((line) => h("div", {}, line)))))));
}

/** Selects points within 1.5 times the range of the points that meet all bounds; others would compress the plot. */
function nearTest(state, points) {
  const allowed = points.filter(state.isAllowed).concat(state.marks);
  const most = [ state.x, state.y ].map((key) => [key, 1.5 * d3.max(allowed, (each) => each[key])]);
  return (point) => !allowed.length || most.every(([ key, end ]) => point[key] <= end);
}

/** The plot of all points, and a table of the selected ones. */
function optimumPlot(optimum, points, varying, present) {
  const beyond = new Set(optimum.points_beyond_bounds);
  const front = optimum.fronts.find((each) => each.metrics.includes(optimum.minimize)) || optimum.fronts[0];
  const first = front ? front.metrics : [ "time", "energy" ];
  const [x, y] = first.map((name) => goalFields[name][optimum.per === "sample" ? 1 : 0])
                     .map((key, i) => (present.includes(metricOf(key)) ? key : [ "time_ms", "energy_j" ][i]));
  const sweep = {points, settings : optimum.settings};
  const colours = varying.filter((key) => new Set(points.map((point) => point[key])).size <= pointShapes.length);
  const state = {
    sweep,
    varying,
    x,
    y,
    colour : varying.includes("gpu") ? "gpu" : colours[0] || "",
    isAllowed : (point) => isFeasible(point) && !beyond.has(point.point),
    marks : marksOf(optimum),
    near : true
  };
  state.shown = () => (state.near ? points.filter(nearTest(state, points)) : points);
  const isFar = state.shown().length < points.length;
  const table = new PointTable(sweep, varying, present);
  const plot = plotOfPoints(state, table, present, {
    label : "points, filled if they meet all bounds, best ones joined",
    title : "Candidates",
    lead : "Filled marks meet all bounds; the line joins the Pareto-optimal ones of them. Hollow marks exceed a bound or cannot run. Drag over the plot to list only some points.",
    more : (set) => [colours.length ? picker("colour", [ [ "", "none" ], ...colours.map((key) => [key, key]) ],
                                             state.colour, set("colour"))
                                    : null,
                     isFar ? choice("show", [ [ "near", "near the choice" ], [ "all", "all points" ] ], "near",
                                    (key) => set("near")(key === "near"))
                           : null]
  });
  return [ plot, tableOfPoints("points", "Points", "", table) ];
}

/** A table of a few points other than the choice, sorted by the field `first`. */
function pointList(id, title, lead, points, varying, present, first = "point") {
  if (!points.length)
    return null;
  const table = new PointTable({points}, varying, present);
  table.sort = {key : first, descending : false};
  table.front = new Set();
  table.note = "";
  table.fill();
  return tableOfPoints(id, title, lead, table);
}

function showOptimum(page, optimum) {
  if (optimum.per === "sample") {
    for (const key of ["all_points", "best_of_gpus", "tied_points"])
      optimum[key] = withSamples(optimum[key]);
    if (optimum.choice)
      [optimum.choice] = withSamples([ optimum.choice ]);
  }
  const points = optimum.all_points;
  const varying = varyingSettings({points, settings : optimum.settings});
  const present = metricsOf(points);
  const few = present.filter(([ key ]) => [ "time_ms", "energy_j", "avg_power_w", "device_bytes", "samples_per_s",
                                            "energy_per_sample_j", "money_per_iteration", "co2e_per_iteration_g",
                                            "time_per_sample_ms", "money_per_sample", "co2e_per_sample_g", "run_money",
                                            "run_co2e_kg" ]
                                              .includes(key));
  const [plot, list] = optimumPlot(optimum, points, varying, present);
  page.append(
      ...[optimumHeader(optimum, points, varying), ...(optimum.plan ? planSections(optimum, varying, few) : []), plot,
          pointList("gpus", "The best of each GPU", "The best point of each GPU that meets all bounds.", optimum.best_of_gpus,
                    varying, few),
          pointList("ties", "As good as the choice",
                    `${optimum.ties === 1 ? "1 other point" : format.count(optimum.ties) + " other points"} whose ${
                        optimum.minimize} is tied with that of the choice (80 % intervals), best first.`,
                    optimum.tied_points, varying, few),
          list]
          .filter(Boolean));
}
