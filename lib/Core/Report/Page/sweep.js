// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The points of a sweep: the best ones, and the trade-offs between metrics.

/** The best feasible point of a metric, as a card. */
function bestCard(points, key, varying, main) {
  const metric = metricOf(key);
  const known = points.filter((point) => isFeasible(point) && point[key] !== null);
  if (!known.length)
    return null;
  const best = known.reduce((a, b) => ((metric[2] ? b[key] > a[key] : b[key] < a[key]) ? b : a));
  return card(
      `${metric[2] ? "Highest" : "Lowest"} ${metric[1]}`, metric[3](best[key]),
      [ varying.map((name) => `${name} ${settingText(best[name])}`).join(", ") || `point ${best.point}` ],
      null, {id : `card-${key}`, class : main ? "card main" : "card"});
}

function showSweep(page, sweep) {
  const varying = varyingSettings(sweep);
  const perSample = new Set(sweep.points.map((point) => point.batch)).size > 1 &&
                    sweep.points.some((point) => point.samples_per_s);
  if (perSample)
    sweep.points = withSamples(sweep.points);
  // The time per sample is the inverse of the samples per second.
  const less = perSample ? [ "time_per_sample_ms", "money_per_iteration", "co2e_per_iteration_g" ] : [];
  const present = metricsOf(sweep.points).filter(([ key ]) => !less.includes(key));
  const state = {
    sweep,
    varying,
    x : perSample ? "samples_per_s" : "time_ms",
    y : perSample ? "energy_per_sample_j" : "energy_j",
    colour : varying.includes("gpu") ? "gpu" : varying[0] || ""
  };
  const table = new PointTable(sweep, varying, present);
  const names = [...new Set(sweep.points.map((point) => point.model)) ];
  const feasible = sweep.points.filter(isFeasible).length;
  const plot = plotOfPoints(state, table, present, {
    label : "points of the sweep, best ones joined",
    title : "Trade-offs",
    lead : "Each mark is a point; the line joins the points that are Pareto-optimal in both metrics. Hollow marks cannot run. Drag over the plot to list only some points.",
    more : (set) => [varying.length ? picker("colour", varying.map((key) => [key, key]), state.colour, set("colour"))
                                    : null]
  });
  page.append(
      h("header", {id : "headline"},
        h("div", {class : "title"},
          h("div", {},
            h("h1", {}, shorten(names.map(lastPart).join(", "), 100) || "sweep",
              h("small", {}, ` ${format.count(sweep.points.length)} points`)),
            h("p", {class : "how"},
              `${format.count(feasible)} can run; settings: ${varying.join(", ") || "one point"}`)),
          themeSwitch()),
        h("div", {class : "cards"},
          // Per iteration the smallest batch is always best, which is not informative.
          [
            ...(perSample ? [ "samples_per_s", "energy_per_sample_j", "mfu", "device_bytes" ]
                          : [ "time_ms", "energy_j", "avg_power_w", "device_bytes" ]),
            ...expenses(sweep.points, perSample)
          ].map((key, i) => bestCard(sweep.points, key, varying, i === 0)))),
      plot, tableOfPoints("points", "Points", "", table, {id : "point-table"}));
  table.fill();
}
