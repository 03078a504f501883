// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The result of `deploy`: the choice, the phases of a request, power over load, all candidates, and the commands.

/** Fields of the metrics that `deploy` minimizes. */
const deploymentGoals = {
  energy : "energy_per_token_j",
  cost : "cost_per_million_tokens",
  carbon : "carbon_g_per_million_tokens",
  memory : "device_bytes",
  power : "power_w",
  total_power : "total_power_w",
  ttft : "ttft_ms",
  tpot : "tpot_ms",
  latency : "latency_ms",
  gpus : "gpus",
};
/** [field, name, is more better?, format] of the minimized metric. */
const goalOf = (answer) => deploymentMetrics.find(([ key ]) => key === deploymentGoals[answer.minimize]);

const plural = (count, noun) => `${format.count(count)} ${noun}${count === 1 ? "" : "s"}`;

/** "h100 bf16: 2 replicas of tp2", or those for prompts and those that decode. */
function replicasOf(d) {
  const gpu = `${d.target} ${d.format}`.trim();
  return d.prompt_parallel
             ? `${gpu}: ${plural(d.prompt_replicas, "replica")} (${d.prompt_parallel}) for prompts, ${
                   plural(d.replicas, "replica")} (${d.parallel}) that decode`
             : `${gpu}: ${plural(d.replicas, "replica")} (${d.parallel})`;
}

function trafficOf(traffic) {
  const lengths = `${format.number(traffic.input_tokens)} input and ${format.number(traffic.output_tokens)} output tokens`;
  return traffic.requests_per_s !== null ? `${format.number(traffic.requests_per_s)} requests/s of ${lengths}`
         : traffic.users !== null        ? `${format.number(traffic.users)} users, ${lengths}`
                                         : `full batches of ${lengths}`;
}

function deploymentCards(d) {
  const range = (key, unit, write) => {
    const text = interval(d[`${key}_low_${unit}`], d[`${key}_high_${unit}`], write);
    return text ? "80 %: " + text : "";
  };
  return [
    choiceCard(replicasOf(d), `${plural(d.gpus, "GPU")}; at most ${plural(d.batch_limit, "sequence")} of a replica, ${
                                  format.count(d.prefill_chunk)} prompt tokens of a step`),
    card("First token", format.ms(d.ttft_ms),
         [
           range("ttft", "ms", format.ms),
           d.ttft_p99_ms === null ? "" : `99 % within ${format.ms(d.ttft_p99_ms)}`
         ],
         null, {id : "choice-ttft"}),
    card("Each further token", format.ms(d.tpot_ms),
         [
           range("tpot", "ms", format.ms),
           `${format.number(d.user_rate)} tokens/s of a user, ${format.number(d.gpu_rate)} of a GPU`
         ],
         null, {id : "choice-tpot"}),
    card("Energy per token", format.joules(d.energy_per_token_j),
         [
           range("energy_per_token", "j", format.joules),
           `${format.watts(d.power_w)} of a GPU, ${format.watts(d.total_power_w)} of all`
         ],
         null, {id : "choice-energy"}),
    d.cost_per_million_tokens === null
        ? null
        : card("Money per million tokens", format.number(d.cost_per_million_tokens), [], null, {id : "choice-money"}),
    d.carbon_g_per_million_tokens === null
        ? null
        : card("CO2e of a million tokens", format.grams(d.carbon_g_per_million_tokens), [], null, {id : "choice-co2e"})
  ];
}

/** Phases of a request in ms; they add up to its latency. */
function requestPhases(d) {
  return [
    {name : "way to the scheduler", value : d.request_ms, style : "bound-host"},
    {name : "queue: other prompts", value : d.prompt_wait_ms, style : "bound-issue"},
    {name : "queue: a free slot", value : d.slot_wait_ms, style : "bound-l2"},
    {name : "prefill", value : d.prefill_ms, style : "bound-tensor"},
    {name : "transfer of the cache", value : d.transfer_ms, style : "links"},
    {name : "decode", value : d.latency_ms - (d.ttft_ms - d.answer_ms) - d.transfer_ms, style : "bound-dram"}
  ];
}

function requestSection(d) {
  const phases = requestPhases(d);
  const first = [ ...phases.slice(0, 4), {name : "next step", value : d.answer_ms, style : "bound-dram"} ];
  return section("request", "Phases of a request", "Mean times, first those until the first token.",
                 h("h3", {}, `first token: ${format.ms(d.ttft_ms)}`), h("div", {id : "first-token"},
                                                                       stackedBar("first token", first, format.ms)),
                 h("h3", {}, `whole request: ${format.ms(d.latency_ms)}`),
                 h("div", {id : "whole-request"}, stackedBar("whole request", phases, format.ms)));
}

/** Lines of power and energy per token over the requests of the choice. */
function loadChart(points, key, title, write, id) {
  return chart(`${title} over requests per second`, (svg, width) => {
    const height = 260;
    const known = points.filter((point) => point[key] !== null);
    const x = d3.scaleLinear()
                  .domain([ 0, d3.max(points, (point) => point.requests_per_s) ])
                  .range([ plotMargin.left, width - plotMargin.right ]);
    const y = d3.scaleLinear()
                  .domain([ 0, d3.max(known, (point) => point[key]) * 1.05 || 1 ])
                  .range([ height - plotMargin.bottom, plotMargin.top ]);
    const axis = svg.append("g").attr("class", "axis");
    for (const value of y.ticks(4))
      besideAxis(axis, y(value), width, tick(write(value)));
    for (const value of x.ticks(Math.max(2, Math.floor(width / 110))))
      belowAxis(axis, x(value), width, height, tick(format.number(value)));
    titleBelow(axis, width, height, "requests per second");
    titleBeside(axis, height, title);
    svg.append("path").attr("class", "front").attr(
        "d", d3.line().x((point) => x(point.requests_per_s)).y((point) => y(point[key]))(known));
    const marks = svg.append("g")
                      .selectAll("circle")
                      .data(known)
                      .enter()
                      .append("circle")
                      .attr("class", "dot bound-tensor")
                      .attr("role", "img")
                      .attr("aria-label", (p) => `${format.number(p.requests_per_s)} requests/s: ${write(p[key])}`)
                      .attr("cx", (p) => x(p.requests_per_s))
                      .attr("cy", (p) => y(p[key]))
                      .attr("r", 5)
                      .on("mouseenter focus",
                          function(p) {
                            tooltip.show(this, `${format.number(p.requests_per_s)} requests/s`,
                                         loadColumns.slice(1).map(([ name, write ]) => [name, write(p)]));
                          })
                      .on("mouseleave blur", tooltip.hide);
    roving(marks, alongList(known.length));
    return height;
  }, {id});
}

const loadColumns = [
  [ "requests/s", (p) => format.number(p.requests_per_s), true ],
  [ "first token", (p) => format.ms(p.ttft_ms), true ], [ "further tokens", (p) => format.ms(p.tpot_ms), true ],
  [ "power of all", (p) => format.watts(p.total_power_w), true ],
  [ "energy per token", (p) => format.joules(p.energy_per_token_j), true ],
  [ "idle", (p) => (p.idle_share > 0 && p.idle_share < 1e-3 ? "< 0.1 %" : format.share(p.idle_share)), true ]
];

const hourColumns = [
  [ "hour", (hour) => format.number(hour.hour), true ],
  [ "requests/s", (hour) => format.number(hour.requests_per_s), true ],
  [ "first token", (hour) => format.ms(hour.ttft_ms), true ],
  [ "further tokens", (hour) => format.ms(hour.tpot_ms), true ],
  [ "power of all", (hour) => format.watts(hour.total_power_w), true ],
  [ "energy per request", (hour) => format.joules(hour.energy_per_request_j), true ],
  [ "GPUs needed", (hour) => format.count(hour.gpus_needed), true ],
  [ "their power", (hour) => format.watts(hour.needed_power_w), true ]
];

function loadSection(answer) {
  const curve = answer.load_curve;
  if (!curve.length)
    return null;
  return section(
      "load", "Power over load",
      "The GPUs of the choice with fewer random arrivals: between steps they draw idle power, and steps have fewer sequences.",
      h("div", {class : "columns"}, loadChart(curve, "total_power_w", "power of all GPUs and nodes", format.watts, "power-load"),
        loadChart(curve, "energy_per_token_j", "energy per token", format.joules, "energy-load")),
      plainTable("load-table", "load", loadColumns, curve),
      answer.load.length ? [ h("h3", {}, "A day on the choice"), plainTable("hours", "hours", hourColumns, answer.load) ]
                         : null);
}

function rivalSection(answer) {
  if (!answer.rivals.length)
    return null;
  const [, name] = goalOf(answer);
  const change = (ratio) => (Math.abs(ratio - 1) < 5e-4 ? "equal" : format.change(ratio - 1));
  return section("rivals", "Without one property of the choice",
                 `The best deployment that differs in this property, by ${name}. An interval that includes 0 % may be better than the choice.`,
                 plainTable("rival-table", "alternatives",
                            [
                              [ "property", (rival) => rival.property ], [ "change", (rival) => change(rival.ratio), true ],
                              [
                                "80 % interval",
                                (rival) => (rival.ratio_low === null ? "unknown"
                                                                     : `${change(rival.ratio_low)} to ${change(rival.ratio_high)}`),
                                true
                              ],
                              [ "deployment", (rival) => replicasOf(rival.deployment) ],
                              [ "batch limit", (rival) => format.count(rival.deployment.batch_limit), true ],
                              [ "chunk", (rival) => format.count(rival.deployment.prefill_chunk), true ]
                            ],
                            answer.rivals));
}

function commandSection(answer) {
  if (!answer.commands)
    return null;
  const split = answer.choice.prompt_parallel !== "";
  const names = {serve : "This tool: steps of a full replica", vllm : "vLLM", sglang : "SGLang", "tensorrt-llm" : "TensorRT-LLM"};
  return section("commands", "Commands",
                 split ? "For each kind of replica: first one that decodes, then one for prompts." : "They start or analyze one replica.",
                 Object.entries(names).flatMap(
                     ([ key, name ]) => [h("h3", {}, name), ...answer.commands[key].map(commandLine)]));
}

function deploymentHeader(answer) {
  const [key, name, , write] = goalOf(answer);
  const bounds = answer.subject_to.map((text) => shorten(text, 60)).join(", ");
  return h("header", {id : "headline"},
           h("div", {class : "title"},
             h("div", {}, h("h1", {}, `Least ${name}`, h("small", {}, ` of ${shorten(lastPart(answer.model), 80)}`)),
               h("p", {class : "how"}, `${trafficOf(answer.traffic)}; ${format.count(answer.candidates)} candidates, ${
                                           bounds ? `${format.count(answer.allowed)} meet ${bounds}` : "no bounds"}`)),
             themeSwitch()),
           answer.choice ? h("div", {class : "cards"}, deploymentCards(answer.choice))
                         : h("p", {class : "verdict"}, h("strong", {class : "bad"}, "No deployment is possible.")),
           answer.choice ? h("p", {class : "verdict"}, `${name[0].toUpperCase() + name.slice(1)}: ${
                                                           write(answer.choice[key])}; ${
                                                           plural(answer.tied, "other candidate")} cannot be distinguished from it (80 % intervals).`)
                         : null);
}

/** All candidates as a plot and a table. */
function candidateSections(answer) {
  const points = answer.all_candidates.map((each, i) => ({point : i, ...each}));
  const beyond = new Set(answer.candidates_beyond_bounds);
  const fields = [
    "target", "format", "kind", "parallel", "prompt_parallel", "power_limit_w", "batch_limit", "prefill_chunk"
  ];
  const varying = fields.filter((key) => new Set(points.map((point) => point[key])).size > 1);
  const present = deploymentMetrics.filter(
      ([ key ]) => points.some((point) => point[key] !== null && point[key] !== undefined));
  const few = varying.filter((key) => new Set(points.map((point) => point[key])).size <= pointShapes.length);
  const state = {
    sweep : {points, settings : fields},
    varying,
    x : "user_rate",
    y : "gpu_rate",
    colour : [ "target", "kind", "format" ].find((key) => few.includes(key)) || few[0] || "",
    isAllowed : (point) => isFeasible(point) && !beyond.has(point.point),
    marks : answer.choice ? [ {name : "choice", ...answer.choice} ] : [],
    facts : [ "ttft_ms", "tpot_ms", "energy_per_token_j", "gpus" ]
  };
  const table = new PointTable(state.sweep, varying, present);
  const plot = plotOfPoints(state, table, present, {
    label : "candidates, filled if they meet all bounds, best ones joined",
    title : "Candidates",
    lead : "Filled marks meet all bounds; the line joins the Pareto-optimal ones of them. Drag over the plot to list only some candidates.",
    more : (set) =>
        few.length ? picker("colour", [ [ "", "none" ], ...few.map((key) => [key, key.replace(/_/g, " ")]) ], state.colour, set("colour"))
                   : null
  });
  return [ plot, tableOfPoints("points", "All candidates", "", table, {id : "candidate-table"}) ];
}

function showDeployment(page, answer) {
  const [plot, table] = answer.choice ? candidateSections(answer) : [];
  page.append(...[deploymentHeader(answer), answer.choice ? requestSection(answer.choice) : null, plot, loadSection(answer),
                  rivalSection(answer),
                  answer.rejected.length
                      ? section("rejected", "Not possible", "Candidates by the first reason.",
                                plainTable("rejected-table", "rejected candidates",
                                           [
                                             [ "candidates", (each) => format.count(each.count), true ],
                                             [ "why", (each) => shorten(each.reason, 300) ]
                                           ],
                                           answer.rejected))
                      : null,
                  commandSection(answer), table, notesSection(answer.notes)]
                  .filter(Boolean));
}
