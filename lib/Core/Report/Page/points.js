// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Points of sweeps and optima: their metrics, plot and table.

/** field, name, is more better?, format */
const metrics = [
  [ "time_ms", "time of an iteration", false, format.ms ],
  [ "energy_j", "energy of an iteration", false, format.joules ],
  [ "samples_per_s", "samples per second", true, format.number ],
  [ "tokens_per_s", "tokens per second", true, format.number ],
  [ "energy_per_sample_j", "energy per sample", false, format.joules ],
  [ "avg_power_w", "average power", false, format.watts ],
  [ "total_power_w", "power of all GPUs and nodes", false, format.watts ],
  [ "device_bytes", "memory of the device", false, format.bytes ], [ "mfu", "MFU", true, format.share ],
  [ "clock_mhz", "clock reached", true, format.mhz ], [ "run_hours", "time of the run", false, format.hours ],
  [ "run_energy_kwh", "energy of the run", false, (kwh) => format.number(kwh) + " kWh" ],
  [ "run_money", "money of the run", false, format.number ],
  [ "run_co2e_kg", "CO2e of the run", false, (kg) => format.grams(kg * 1e3) ],
  [ "money_per_iteration", "money per million iterations", false, (money) => format.number(money * 1e6) ],
  [ "co2e_per_iteration_g", "CO2e of an iteration", false, format.grams ],
  [ "time_per_sample_ms", "time per sample", false, format.ms ],
  [ "money_per_sample", "money per million samples", false, (money) => format.number(money * 1e6) ],
  [ "co2e_per_sample_g", "CO2e per sample", false, format.grams ]
];
/** The metrics of deployments; there, `gpus` is no setting. */
const deploymentMetrics = [
  [ "user_rate", "tokens/s of a user", true, format.number ],
  [ "gpu_rate", "tokens/s of a GPU", true, format.number ],
  [ "energy_per_token_j", "energy per token", false, format.joules ],
  [ "ttft_ms", "time to the first token", false, format.ms ],
  [ "tpot_ms", "time per output token", false, format.ms ], [ "latency_ms", "time of a request", false, format.ms ],
  [ "gpus", "GPUs of all replicas", false, format.count ], [ "power_w", "power of a GPU", false, format.watts ],
  [ "total_power_w", "power of all GPUs and nodes", false, format.watts ],
  [ "device_bytes", "memory of a GPU", false, format.bytes ],
  [ "cost_per_million_tokens", "cost of a million tokens", false, format.number ],
  [ "carbon_g_per_million_tokens", "CO2e of a million tokens", false, format.grams ]
];
const metricOf = (key) => [...metrics, ...deploymentMetrics].find((metric) => metric[0] === key);

/** The metrics that any of `points` has; one that equals another in all points is left out. */
function metricsOf(points) {
  const present = metrics.filter(
      ([ key ]) => points.some((point) => point[key] !== null && point[key] !== undefined));
  return points.every((point) => point.total_power_w === point.avg_power_w)
             ? present.filter(([ key ]) => key !== "total_power_w")
             : present;
}

/** Points with their metrics per sample. */
function withSamples(points) {
  return points.map((point) => {
    const samples = (point.samples_per_s * point.time_ms) / 1e3;
    const of = (key) => (samples > 0 && typeof point[key] === "number" ? point[key] / samples : null);
    return {
      ...point,
      time_per_sample_ms : of("time_ms"),
      money_per_sample : of("money_per_iteration"),
      co2e_per_sample_g : of("co2e_per_iteration_g")
    };
  });
}

/**
 * The metrics of money and of CO2e, if `points` have them: of the run, per sample (`perSample`), or per
 * iteration.
 */
function expenses(points, perSample) {
  const known = (key) => points.some((point) => typeof point[key] === "number");
  const each = perSample ? [ "money_per_sample", "co2e_per_sample_g" ] : [ "money_per_iteration", "co2e_per_iteration_g" ];
  return [ [ "run_money", each[0] ], [ "run_co2e_kg", each[1] ] ].map((keys) => keys.find(known)).filter(Boolean);
}

const settingText = (value) =>
    (value === null || value === undefined ? "default" : shorten(String(value), 40));

/** Setting fields that differ between points, with "gpu" instead of "target". */
function varyingSettings(sweep) {
  const fields = [ "model", ...sweep.settings ].map((key) => (key === "target" ? "gpu" : key));
  return fields.filter((key) => new Set(sweep.points.map((point) => point[key])).size > 1);
}

const isFeasible = (point) => point.status === "ok";

/** The Pareto-optimal points for two metrics, sorted by the first one. */
function paretoFront(points, x, y) {
  const sign = (metric) => (metric[2] ? -1 : 1);
  const cost = (point) => [sign(x) * point[x[0]], sign(y) * point[y[0]]];
  const sorted = points.slice().sort((a, b) => {
    const [p, q] = [ cost(a), cost(b) ];
    return p[0] - q[0] || p[1] - q[1];
  });
  const front = [];
  for (const point of sorted)
    if (!front.length || cost(point)[1] < cost(front[front.length - 1])[1])
      front.push(point);
  return front;
}

const pointClasses =
    [ "bound-tensor", "bound-dram", "bound-power", "bound-l2", "bound-issue", "bound-fp32", "links" ];
const pointShapes = [
  d3.symbolCircle, d3.symbolSquare, d3.symbolTriangle, d3.symbolDiamond, d3.symbolCross, d3.symbolStar,
  d3.symbolWye
];

/** Colour and shape of each value of the setting `key`. */
function styleBy(points, key) {
  const values = key ? [...new Set(points.map((point) => point[key])) ] : [];
  const few = values.length <= pointShapes.length;
  const style = (point) => {
    const i = key ? values.indexOf(point[key]) : 0;
    return few ? i : i % pointShapes.length;
  };
  return {values, style};
}

function describePoint(point, varying, shown) {
  return [
    ...varying.map((key) => [key, settingText(point[key])]),
    ...shown.map(([ key, name, , write ]) => [name, point[key] === null ? "unknown" : write(point[key])]),
    point.status === "ok" ? null : [ point.status, shorten(point.reason, 200) ]
  ];
}

/** Linear, or logarithmic if values differ by more than 8 times. */
function metricScale(values, range) {
  const [low, high] = d3.extent(values);
  if (low > 0 && high / low > 8)
    return d3.scaleLog().domain([ low / 1.3, high * 1.3 ]).range(range);
  const room = (high - low) * 0.06 || Math.abs(high) * 0.1 || 1;
  return d3.scaleLinear().domain([ Math.max(0, low - room), high + room ]).range(range);
}

function metricAxes(svg, x, y, width, height, metricX, metricY) {
  const axis = svg.append("g").attr("class", "axis");
  const few = (scale, count) => {
    const ticks = scale.ticks(count);
    const step = Math.ceil(ticks.length / count);
    return scale.base
               ? ticks
                     .filter((value, i) => ticks.length <= count ||
                                           /^[125]/.test(String(value / 10 ** Math.floor(Math.log10(value)))))
                     .filter((value, i, all) => i % Math.ceil(all.length / count) === 0)
               : ticks.filter((value, i) => i % step === 0);
  };
  for (const value of few(x, Math.max(2, Math.floor(width / 110)))) {
    gridColumn(axis, x(value), height);
    belowAxis(axis, x(value), width, height, tick(metricX[3](value)));
  }
  for (const value of few(y, 6))
    besideAxis(axis, y(value), width, tick(metricY[3](value)));
  const better = (metric) => `${metric[1]} (${metric[2] ? "more" : "less"} is better)`;
  titleBelow(axis, width, height, better(metricX));
  titleBeside(axis, height, better(metricY));
}

/** Rings with names around the points in `state.marks`. */
function drawMarks(svg, x, y, {marks = [], x : keyX, y : keyY}, width) {
  for (const mark of marks.filter((each) => each[keyX] > 0 && each[keyY] > 0)) {
    const [left, top] = [ x(mark[keyX]), y(mark[keyY]) ];
    svg.append("circle").attr("class", "ring").attr("cx", left).attr("cy", top).attr("r", 9);
    const before = left > width / 2;
    svg.append("text")
        .attr("class", "name")
        .attr("x", left + (before ? -13 : 13))
        .attr("y", top - 8)
        .attr("text-anchor", before ? "end" : "start")
        .text(mark.name);
  }
}

function drawPareto(svg, width, state) {
  const {sweep, x : keyX, y : keyY, colour, varying} = state;
  const metricX = metricOf(keyX), metricY = metricOf(keyY);
  const height = width < 600 ? 340 : 440;
  const among = state.shown ? state.shown() : sweep.points;
  const known = among.filter((point) => point[keyX] !== null && point[keyY] !== null);
  const isAllowed = state.isAllowed || isFeasible;
  state.front = new Set(paretoFront(known.filter(isAllowed), metricX, metricY));
  if (!known.length) {
    svg.append("text").attr("x", 12).attr("y", 30).text("No point has both numbers.");
    return 60;
  }
  const x = metricScale(known.map((p) => p[keyX]), [ plotMargin.left, width - plotMargin.right ]);
  const y = metricScale(known.map((p) => p[keyY]), [ height - plotMargin.bottom, plotMargin.top ]);
  metricAxes(svg, x, y, width, height, metricX, metricY);
  svg.append("path").attr("class", "front").attr("d", d3.line().x((p) => x(p[keyX])).y((p) => y(p[keyY]))([
    ...state.front
  ]));
  const {values, style} = styleBy(sweep.points, colour);
  const brush =
      d3.brush()
          .extent([
            [ plotMargin.left, plotMargin.top ], [ width - plotMargin.right, height - plotMargin.bottom ]
          ])
          .on("end", () => {
            const area = d3.event.selection;
            state.select(area ? known.filter((p) => x(p[keyX]) >= area[0][0] && x(p[keyX]) <= area[1][0] &&
                                                    y(p[keyY]) >= area[0][1] && y(p[keyY]) <= area[1][1])
                              : null);
          });
  svg.append("g").attr("class", "brush").call(brush);
  const order = known.slice().sort((a, b) => a[keyX] - b[keyX]);
  const shown = [
    metricX, metricY,
    ...(state.facts || [ "time_ms", "energy_j", "avg_power_w", "device_bytes" ])
        .map(metricOf)
        .filter((metric) => metric !== metricX && metric !== metricY)
  ];
  const marks =
      svg.append("g")
          .selectAll("path")
          .data(order)
          .enter()
          .append("path")
          .attr("class", (p) => `dot ${pointClasses[style(p)]}${isAllowed(p) ? "" : " infeasible"}${
                             state.front.has(p) ? " best" : ""}`)
          .attr("role", "img")
          .attr("aria-label", (p) => `point ${p.point}: ${metricX[3](p[keyX])}, ${metricY[3](p[keyY])}`)
          .attr("transform", (p) => `translate(${x(p[keyX])},${y(p[keyY])})`)
          .attr("d", (p) => d3.symbol().type(pointShapes[style(p)]).size(state.front.has(p) ? 110 : 60)())
          .on("mouseenter focus",
              function(p) { tooltip.show(this, `point ${p.point}`, describePoint(p, varying, shown)); })
          .on("mouseleave blur", tooltip.hide);
  roving(marks, alongList(order.length));
  drawMarks(svg, x, y, state, width);
  state.legend.replaceChildren(
      ...values.slice(0, pointShapes.length).map((value, i) => {
        const symbol = d3.create("svg").attr("width", 14).attr("height", 14).attr("viewBox", "-7 -7 14 14");
        symbol.append("path")
            .attr("class", "dot " + pointClasses[i])
            .attr("d", d3.symbol().type(pointShapes[i]).size(70)());
        return h("li", {}, symbol.node(), " " + settingText(value));
      }),
      values.length > pointShapes.length ? h("li", {}, `${values.length} values share them in turn`) : "");
  return height;
}

function picker(label, options, chosen, change) {
  const select =
      h("select", {onchange : () => change(select.value)},
        options.map(([ key, name ]) => h("option", {value : key, selected : key === chosen}, name)));
  return h("label", {class : "picker"}, label + " ", select);
}

/** Table of the selected points, or of all: sortable by any column. */
class PointTable extends SortedTable {
  constructor(sweep, varying, present) {
    const columns = [
      [ "point", "point", false, (v) => format.count(v) ],
      ...varying.map((key) => [key, key.replace(/_/g, " "), false, settingText]), ...present,
      ...(sweep.points.every(isFeasible) ? [] : [ [ "status", "status", false, (v) => v ] ])
    ];
    super(columns.map(([ key, name ]) => [key, name]), {key : "point", descending : false});
    this.sweep = sweep;
    this.points = sweep.points;
    this.columns = columns;
    this.metrics = new Set(present.map(([ key ]) => key));
    this.note = "; ★ no other point is better in both metrics";
  }
  list(points) {
    this.points = points;
    this.shown = rowsAtFirst;
    this.fill();
  }
  fill() {
    const {key, descending} = this.sort;
    const unknownLast = (a, b) => (a[key] === null) - (b[key] === null);
    const rows = this.points.slice().sort((a, b) => unknownLast(a, b) ||
                                                    (descending ? -1 : 1) * d3.ascending(a[key], b[key]) ||
                                                    a.point - b.point);
    this.body.replaceChildren(
        ...rows.slice(0, this.shown)
            .map((point) =>
                     h("tr", {"data-point" : point.point, class : this.front.has(point) ? "open" : null},
                       this.columns.map(
                           ([ name, , , write ]) =>
                               h("td", {
                                 class : typeof point[name] === "number" ? "n" : null,
                                 title : name === "status" && point.reason ? shorten(point.reason, 300) : null
                               },
                                 (this.front.has(point) && name === "point" ? "★ " : "") +
                                     (point[name] === null ? (this.metrics.has(name) ? "" : "default")
                                                           : write(point[name])))))));
    this.status.textContent = `${format.count(rows.length)} of ${
        format.count(this.sweep.points.length)} points${this.note}`;
    this.mark(rows.length);
  }
}

/**
 * The plot of the points of `state.sweep`, best ones joined, over `table`, which lists the selection. `more` returns
 * additional controls for `set(key)`, which sets a field of `state` and redraws. `state`: x and y, the metrics; colour, a
 * setting or ""; optional are isAllowed, shown, marks, and facts, the metrics of a tooltip.
 */
function plotOfPoints(state, table, present, {label, title, lead, more}) {
  state.legend = h("ul", {class : "legend"});
  table.front = new Set();
  const plot = chart(label, (svg, width) => {
    const height = drawPareto(svg, width, state);
    table.front = state.front;
    table.fill();
    return height;
  }, {id : "pareto"});
  state.select = (points) => table.list(points || state.sweep.points);
  const set = (key) => (value) => {
    state[key] = value;
    state.select(null);
    plot.redraw();
  };
  const options = present.map(([ key, name ]) => [key, name]);
  return section("front", title, lead,
                 h("div", {class : "controls"}, picker("across", options, state.x, set("x")),
                   picker("up", options, state.y, set("y")), more(set)),
                 plot, state.legend);
}

/** A table of points under a heading; `attributes` are added to its element. */
function tableOfPoints(id, title, lead, table, attributes = {}) {
  return section(id, title, lead, h("div", {class : "controls"}, table.status),
                 scrollBox(title,
                   h("table", {class : "points-table", ...attributes}, h("thead", {}, h("tr", {}, table.heads)),
                     table.body)),
                 table.more);
}
