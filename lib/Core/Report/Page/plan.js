// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the page of `plan` has in addition to that of `optimize`: the time of the choice, the plans without one of its
// properties, scaling, the ranking and launch arguments.

/** Parts of the time of the busiest rank: field, name and style. */
const planTerms = [
  [ "computation_ms", "computation", "bound-tensor" ], [ "communication_ms", "communication", "links" ],
  [ "waiting_ms", "waiting for other ranks", "bound-host" ], [ "transfers_ms", "transfers", "bound-l2" ],
  [ "update_ms", "update", "bound-issue" ]
];

function planTimeSection(plan) {
  if (!plan.terms)
    return null;
  const parts = planTerms.map(([ key, name, style ]) => ({name, style, value : plan.terms[key]}));
  return section("plan-time", "Time of the busiest rank", "", stackedBar("time of the busiest rank", parts, format.ms));
}

/** "tp8.pp4.zero1x2, batch 1, full": a plan in few words. */
const planText = (point) => [point.parallel, `batch ${point.batch}`, point.recompute]
                                .filter((each) => each !== null && each !== undefined && each !== "batch null")
                                .join(", ");

function withoutSection(optimum) {
  const {plan, choice} = optimum;
  if (!choice || !plan.alternatives.length)
    return null;
  const change = (each) => (each.point ? format.change(each.point.time_ms / choice.time_ms - 1) || "0 %" : "no plan");
  return section("without", "Without one property of the choice",
                 "The best plan that differs in this property, and the parts of its time that are longer.",
                 plainTable("without-table", "alternatives",
                            [
                              [ "choice", (each) => `${each.property} = ${settingText(each.chosen)}` ],
                              [ "instead", (each) => (each.point ? settingText(each.other) : "") ],
                              [ "time", change, true ],
                              [ "energy", (each) => (each.point ? format.change(each.point.energy_j / choice.energy_j - 1) : ""), true ],
                              [ "plan", (each) => (each.point ? planText(each.point) : "") ],
                              [ "why", (each) => shorten(each.reason, 200) ]
                            ],
                            plan.alternatives));
}

const scalingCurves = [
  [ "scaling", "the same global batch (strong scaling)", "bound-tensor" ],
  [ "weak_scaling", "a global batch in proportion to the GPUs (weak scaling)", "bound-dram" ]
];

/** Throughput over GPUs; a dashed line is in proportion to the fewest GPUs. */
function scalingChart(curves) {
  const all = curves.flatMap(([ , , , points ]) => points);
  return chart("samples per second over GPUs", (svg, width) => {
    const height = 300;
    const first = all.reduce((least, each) => (each.gpus < least.gpus ? each : least));
    const ideal = (gpus) => (first.point.samples_per_s * gpus) / first.gpus;
    const [fewest, most] = d3.extent(all, (each) => each.gpus);
    const x = d3.scaleLog().domain([ fewest / 1.1, most * 1.1 ]).range([ plotMargin.left, width - plotMargin.right ]);
    const [slowest, fastest] = d3.extent([...all.map((each) => each.point.samples_per_s), ideal(most) ]);
    const y = d3.scaleLog()
                  .domain([ slowest / 1.1, fastest * 1.1 ])
                  .range([ height - plotMargin.bottom, plotMargin.top ]);
    const axis = svg.append("g").attr("class", "axis");
    let end = -Infinity;
    for (const gpus of [...new Set(all.map((each) => each.gpus)) ].sort(d3.ascending)) {
      const text = format.count(gpus), half = textWidth(text) / 2 + 6;
      gridColumn(axis, x(gpus), height);
      if (x(gpus) - half < end)
        continue;
      belowAxis(axis, x(gpus), width, height, text);
      end = x(gpus) + half;
    }
    const round = y.ticks().filter((value) => /^[125]/.test(value.toExponential()));
    const ticks = round.length > 1 ? round : y.ticks();
    for (const value of ticks.filter((_, i) => i % Math.ceil(ticks.length / 6) === 0))
      besideAxis(axis, y(value), width, tick(format.number(value)));
    titleBelow(axis, width, height, "GPUs");
    titleBeside(axis, height, "samples per second");
    const line = d3.line().x(([ gpus ]) => x(gpus)).y(([, rate ]) => y(rate));
    svg.append("path").attr("class", "roof thin").attr("d", line([ [ fewest, ideal(fewest) ], [ most, ideal(most) ] ]));
    for (const [, , style, points] of curves) {
      svg.append("path").attr("class", "front").attr("d", line(points.map((each) => [each.gpus, each.point.samples_per_s])));
      const marks = svg.append("g")
                        .selectAll("path")
                        .data(points)
                        .enter()
                        .append("path")
                        .attr("class", `dot ${style}`)
                        .attr("role", "img")
                        .attr("aria-label", (each) => `${format.count(each.gpus)} GPUs: ${format.number(each.point.samples_per_s)} samples/s`)
                        .attr("transform", (each) => `translate(${x(each.gpus)},${y(each.point.samples_per_s)})`)
                        .attr("d", d3.symbol().type(style === "bound-tensor" ? d3.symbolCircle : d3.symbolSquare).size(90)())
                        .on("mouseenter focus",
                            function(each) {
                              tooltip.show(this, `${format.count(each.gpus)} GPUs`, [
                                [ "plan", planText(each.point) ], [ "global batch", format.count(each.global_batch) ],
                                [ "time", format.ms(each.point.time_ms) ],
                                [ "samples/s", format.number(each.point.samples_per_s) ],
                                [ "efficiency", format.share(each.efficiency) ]
                              ]);
                            })
                        .on("mouseleave blur", tooltip.hide);
      roving(marks, alongList(points.length));
    }
    return height;
  }, {id : "scaling-chart"});
}

const scalingColumns = [
  [ "GPUs", (each) => format.count(each.gpus), true ], [ "global batch", (each) => format.count(each.global_batch), true ],
  [ "plan", (each) => planText(each.point) ], [ "time", (each) => format.ms(each.point.time_ms), true ],
  [ "samples/s", (each) => format.number(each.point.samples_per_s), true ],
  [ "efficiency", (each) => format.share(each.efficiency), true ],
  [ "energy of a sample", (each) => format.joules(each.point.energy_per_sample_j), true ],
  [ "MFU", (each) => format.share(each.point.mfu), true ]
];

function scalingSection(plan) {
  const curves = scalingCurves.map((curve) => [...curve, plan[curve[0]] || []]).filter(([ , , , points ]) => points.length);
  if (!curves.length)
    return null;
  return section(
      "scaling", "Scaling",
      "The best plan for each number of GPUs. The dashed line is in proportion to the fewest GPUs; efficiency is the share of it that is reached.",
      scalingChart(curves), h("ul", {class : "legend"}, curves.map(([, name, style ]) => h("li", {}, h("span", {class : "swatch " + style}), name))),
      curves.flatMap(([ key, name, , points ]) => [h("h3", {}, "With " + name), plainTable(key.replace("_", "-") + "-table", name, scalingColumns, points)]));
}

function againstSection(optimum) {
  const {plan, choice} = optimum, stated = plan.against;
  if (!stated)
    return null;
  const compare = (name, key, write) => {
    const change = choice && stated[key] > 0 ? ` (choice ${format.change(choice[key] / stated[key] - 1) || "equal"})` : "";
    return [name, write(stated[key]) + change];
  };
  return section("against", "Against the stated plan", "",
                 facts([
                   [ "plan", shorten(stated.text, 400) ],
                   ...(stated.status === "ok" ? [ compare("time", "time_ms", format.ms), compare("energy", "energy_j", format.joules) ]
                                              : [ [ "status", stated.status ] ])
                 ]));
}

/** "1,980 MHz", or those of forward and backward passes. */
const clockText = (rank) => (rank.forward_mhz === rank.backward_mhz ? format.mhz(rank.forward_mhz)
                                                                   : `${format.mhz(rank.forward_mhz)} / ${format.mhz(rank.backward_mhz)}`);

function clockSection(plan) {
  const found = plan.stage_clocks;
  if (!found)
    return null;
  const rows = found.ranks.map((rank, i) => ({rank : i, clock : clockText(rank), usual : clockText(found.usual_ranks[i])}));
  const change = (key) => format.change(found[key] / found["usual_" + key] - 1) || "0 %";
  return section("clocks", "Clocks of the ranks", "Ranks that would wait for others run slower.",
                 facts([
                   [ "energy", `${format.joules(found.energy_j)} of a GPU (${change("energy_j")})` ],
                   [ "time", `${format.ms(found.time_ms)} (${change("time_ms")})` ]
                 ]),
                 plainTable("clock-table", "clocks",
                            [
                              [ "rank", (row) => format.count(row.rank), true ], [ "clock, forward / backward", (row) => row.clock, true ],
                              [ "instead of", (row) => row.usual, true ]
                            ],
                            rows),
                 commandLine(found.command));
}

const launcherNames = {megatron : "Megatron", nemo : "NeMo", torchtitan : "torchtitan"};

function launchSection(plan) {
  const known = Object.entries(plan.launch);
  return known.length ? section("launch", "Launch arguments", "They start the choice.",
                                known.flatMap(([ key, words ]) => [h("h3", {}, launcherNames[key] || key), commandLine(words.join(" "))]))
                      : null;
}

/** The sections of a plan. `varying` and `few`: settings and metrics of the tables. */
function planSections(optimum, varying, few) {
  const {plan} = optimum;
  return [
    planTimeSection(plan), clockSection(plan), againstSection(optimum), withoutSection(optimum), scalingSection(plan),
    pointList("ranking", "The best plans", "Plans that fit and meet all bounds, best first.",
              plan.ranking.map((point, i) => ({...point, rank : i + 1})), [ "rank", ...varying ], few, "rank"),
    launchSection(plan)
  ];
}
