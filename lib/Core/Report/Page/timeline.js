// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Common parts of charts over the iteration: launches in program order, columns, a cursor, zoom.

const powerParts = [
  [ "idle_j", "idle", "idle" ], [ "sm_cycles_j", "busy SMs", "cycles" ],
  [ "instructions_j", "instructions", "instructions" ], [ "fp32_j", "FP32 units", "fp32" ],
  [ "tensor_j", "tensor cores", "tensor" ], [ "l2_j", "L2 cache", "l2" ],
  [ "dram_j", "DRAM", "dram" ]
];

/** `watts` by powerParts without further information: idle, and SMs for the rest. */
const undivided = (watts, idle) =>
    powerParts.map((part, i) => (i === 0 ? Math.min(idle, watts) : i === 1 ? Math.max(0, watts - idle) : 0));

/** By phase: time and energy outside kernels, per launch. */
function restOfPhases(report) {
  const rest = new Map(
      report.phases.map((phase) => [phase.phase, {ms : phase.time_ms, j : phase.energy_j, launches : 0}]));
  for (const kernel of report.kernels) {
    const phase = rest.get(kernel.phase);
    if (!phase || kernel.phase === "communication")
      continue;
    phase.ms -= kernel.total_us * 1e-3;
    phase.j -= kernel.energy_j * kernel.count;
    phase.launches += kernel.count;
  }
  return rest;
}

/**
 * The iteration as stretches {start, end (ms), kernel, parts (W by powerParts), live}.
 * What a phase has between its kernels is spread over its launches evenly.
 */
function stretches(report) {
  const {launches, kernels, idle_power_w : idle} = report.details;
  const rest = restOfPhases(report);
  const list = [];
  let now = 0;
  const add = (ms, parts, kernel, live, phase) => {
    if (ms <= 0)
      return;
    list.push({start : now, end : now + ms, parts, kernel, live, phase});
    now += ms;
  };
  const partsOf = report.kernels.map((kernel, k) => {
    const [, ...dynamic] = powerParts.map(([ key ]) => kernels[k].energy[key] / (kernel.time_us * 1e-6));
    const still = Math.min(idle, kernel.power_w);
    // (P8) The energy that the limiter moves from or to a kernel is spread over its dynamic parts.
    const scale = (kernel.power_w - still) / d3.sum(dynamic);
    return [ still, ...dynamic.map((watts) => watts * scale || 0) ];
  });
  launches.kernel.forEach((k, i) => {
    const kernel = report.kernels[k];
    if (kernel.phase === "communication")
      return;
    const live = launches.live_bytes[i], count = launches.count[i];
    add(kernel.time_us * 1e-3 * count, partsOf[k], k, live, kernel.phase);
    const phase = rest.get(kernel.phase);
    const ms = (phase.ms * count) / phase.launches;
    const watts = phase.ms > 0 ? Math.max(0, phase.j / (phase.ms * 1e-3)) : 0;
    add(ms, undivided(watts, idle), -1, live, kernel.phase);
  });
  const links = rest.get("communication");
  if (links && links.ms > 0)
    add(links.ms, undivided(links.j / (links.ms * 1e-3), idle), -1,
        list.length ? list[list.length - 1].live : -1, "communication");
  return list;
}

/**
 * The part of the iteration that charts of time show, [from, to] in ms. They share it:
 * when one of them zooms, all draw again.
 */
class Span {
  constructor(list) {
    this.end = list.length ? list[list.length - 1].end : 1;
    this.shown = [ 0, this.end ];
    this.charts = [];
    this.buttons = [];
  }
  /** Shows `from` to `to`, limited to the whole iteration. */
  show(from, to) {
    const least = this.end / 1e4;
    const middle = (from + to) / 2;
    const half = Math.max(to - from, least) / 2;
    this.shown = [ Math.max(0, middle - half), Math.min(this.end, middle + half) ];
    this.charts.forEach((chart) => chart.redraw());
    this.buttons.forEach((button) => { button.hidden = this.isWhole(); });
  }
  isWhole() { return this.shown[0] === 0 && this.shown[1] === this.end; }
  /** Zooms by `factor` around `at`. */
  scale(factor, at) {
    const [from, to] = this.shown;
    this.show(at - (at - from) * factor, at + (to - at) * factor);
  }
  /** A chart that follows the zoom, with a button to reset it. */
  add(chart) {
    this.charts.push(chart);
    const button = h("button", {type : "button", hidden : true, onclick : () => this.show(0, this.end)},
                     "Show the whole iteration");
    this.buttons.push(button);
    return [ chart, button ];
  }
}

/** `columns` intervals of a span: mean power by part, peak memory, longest kernel. */
function intoColumns(list, columns, [ from, to ]) {
  const step = (to - from) / columns;
  const result = d3.range(columns).map((i) => ({
                                         start : from + i * step,
                                         end : from + (i + 1) * step,
                                         parts : powerParts.map(() => 0),
                                         live : -1,
                                         kernel : -1,
                                         longest : 0
                                       }));
  for (const stretch of list) {
    if (stretch.end < from || stretch.start > to)
      continue;
    const first = Math.max(0, Math.min(columns - 1, Math.floor((stretch.start - from) / step)));
    const last = Math.min(columns - 1, Math.floor((stretch.end - from) / step));
    for (let i = first; i <= last; i++) {
      const column = result[i];
      const overlap = Math.min(stretch.end, column.end) - Math.max(stretch.start, column.start);
      if (overlap <= 0)
        continue;
      stretch.parts.forEach((watts, part) => { column.parts[part] += (watts * overlap) / step; });
      column.live = Math.max(column.live, stretch.live);
      if (overlap > column.longest)
        Object.assign(column, {longest : overlap, kernel : stretch.kernel, phase : stretch.phase});
    }
  }
  return result;
}

function linearAxes(svg, x, y, width, height, write, labels) {
  const axis = svg.append("g").attr("class", "axis");
  for (const value of y.ticks(5))
    besideAxis(axis, y(value), width, write(value));
  for (const value of x.ticks(Math.max(2, Math.floor(width / 110))))
    belowAxis(axis, x(value), width, height, tick(format.ms(value)));
  titleBelow(axis, width, height, labels);
}

/** Names of phases above the chart, if there are several. */
function phaseMarks(svg, list, x, height) {
  const phases = [];
  for (const stretch of list)
    if (!phases.length || phases[phases.length - 1].phase !== stretch.phase)
      phases.push({phase : stretch.phase, start : stretch.start, end : stretch.end});
    else
      phases[phases.length - 1].end = stretch.end;
  if (phases.length < 2 || phases.length > 12)
    return;
  const [from, to] = x.domain();
  for (const {phase, start, end} of phases.filter((each) => each.start < to && each.end > from)) {
    svg.append("line")
        .attr("class", "phase")
        .attr("x1", x(start))
        .attr("x2", x(start))
        .attr("y1", 2)
        .attr("y2", height - plotMargin.bottom);
    svg.append("text")
        .attr("class", "phase")
        .attr("x", x(start) + 4)
        .attr("y", 10)
        .text(fitText(phase, x(end) - x(start)));
  }
}

/** Stacked bands; `bands` are [name, style, values by column]. */
function drawBands(svg, columns, bands, x, y) {
  const base = columns.map(() => 0);
  for (const [, style, values] of bands) {
    const points =
        columns.map((column, i) => ({x : column.start, low : base[i], high : base[i] + values[i]}));
    if (points.length)
      points.push({...points[points.length - 1], x : columns[columns.length - 1].end});
    svg.append("path")
        .attr("class", "band " + style)
        .attr("d", d3.area()
                       .curve(d3.curveStepAfter)
                       .x((p) => x(p.x))
                       .y0((p) => y(p.low))
                       .y1((p) => y(p.high))(points));
    values.forEach((value, i) => { base[i] += value; });
  }
}

/** Drags over `area` zoom in, double clicks out. */
function addDrag(svg, area, x, height, span) {
  const mark = svg.append("rect")
                   .attr("class", "drag")
                   .attr("y", plotMargin.top)
                   .attr("height", height - plotMargin.top - plotMargin.bottom);
  let from = null;
  area.on("mousedown",
          function() {
            d3.event.preventDefault();
            this.focus({preventScroll : true});
            from = d3.mouse(this)[0];
            const stop = () => {
              from = null;
              mark.classed("shown", false);
            };
            addEventListener("mouseup", stop, {once : true});
          })
      .on("mousemove.drag",
          function() {
            if (from === null)
              return;
            const to = d3.mouse(this)[0];
            mark.classed("shown", true).attr("x", Math.min(from, to)).attr("width", Math.abs(to - from));
          })
      .on("mouseup",
          function() {
            const to = d3.mouse(this)[0];
            if (from !== null && Math.abs(to - from) > 6)
              span.show(...[x.invert(from), x.invert(to)].sort(d3.ascending));
          })
      .on("dblclick", () => span.show(0, span.end));
}

/** A line to read values at, moved by the pointer and by arrow keys; + and - zoom there. */
function addCursor(svg, columns, x, width, height, span, describe) {
  const rule = svg.append("line")
                   .attr("class", "rule")
                   .attr("y1", plotMargin.top)
                   .attr("y2", height - plotMargin.bottom);
  const area = svg.append("rect")
                   .attr("class", "cursor")
                   .attr("tabindex", "0")
                   .attr("role", "slider")
                   .attr("aria-label", "read values along the time")
                   .attr("aria-valuemin", 0)
                   .attr("aria-valuemax", columns.length - 1)
                   .attr("aria-valuenow", 0)
                   .attr("x", plotMargin.left)
                   .attr("y", plotMargin.top)
                   .attr("width", width - plotMargin.left - plotMargin.right)
                   .attr("height", height - plotMargin.top - plotMargin.bottom);
  addDrag(svg, area, x, height, span);
  let at = 0;
  const move = (to) => {
    at = Math.min(Math.max(to, 0), columns.length - 1);
    if (!columns[at])
      return;
    const middle = x((columns[at].start + columns[at].end) / 2);
    rule.attr("x1", middle).attr("x2", middle).classed("shown", true);
    const [heading, rows] = describe(columns[at], at);
    area.attr("aria-valuenow", at)
        .attr("aria-valuetext", heading + ", " + rows.map((row) => row.join(" ")).join(", "));
    tooltip.show(rule.node(), heading, rows);
  };
  const hide = () => {
    rule.classed("shown", false);
    tooltip.hide();
  };
  area.on("mousemove", function() {
        const ms = x.invert(d3.mouse(this)[0]) - columns[0].start;
        move(Math.floor(ms / (columns[0].end - columns[0].start)));
      }).on("mouseleave blur", hide).on("focus", () => move(at)).on("keydown", () => {
    const step =
        {ArrowLeft : -1, ArrowRight : 1, PageUp : -20, PageDown : 20, Home : -1e9, End : 1e9}[d3.event.key];
    const factor = {"+" : 0.5, "=" : 0.5, "-" : 2}[d3.event.key];
    if (step === undefined && factor === undefined)
      return;
    d3.event.preventDefault();
    if (step !== undefined)
      return move(at + step);
    const box = area.node().closest(".chart");
    span.scale(factor, (columns[at].start + columns[at].end) / 2);
    box.querySelector(".cursor").focus({preventScroll : true});
  });
}

function plotScales(span, top, width, height) {
  return [
    d3.scaleLinear().domain(span.shown).clamp(true).range([ plotMargin.left, width - plotMargin.right ]),
    d3.scaleLinear().domain([ 0, top ]).range([ height - plotMargin.bottom, plotMargin.top ])
  ];
}

/** A line across; its name is in the legend. */
function levelLine(svg, at, width, style) {
  svg.append("line")
      .attr("class", style)
      .attr("x1", plotMargin.left)
      .attr("x2", width - plotMargin.right)
      .attr("y1", at)
      .attr("y2", at);
}

/** Legend of colours and lines. */
function legendOf(parts) {
  return h("ul", {class : "legend"}, parts.map(([ name, style ]) => {
    if (style !== "limit" && style !== "average")
      return h("li", {}, h("span", {class : "swatch " + style}), name);
    const line = d3.create("svg").attr("width", 22).attr("height", 8);
    line.append("line").attr("class", style).attr("x2", 22).attr("y1", 4).attr("y2", 4);
    return h("li", {}, line.node(), " " + name);
  }));
}

function whichKernel(report, column) {
  return column.kernel < 0
             ? "between kernels"
             : shorten(`${report.kernels[column.kernel].label} ${report.kernels[column.kernel].shape}`, 80);
}
