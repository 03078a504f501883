// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Power and memory over the iteration, launches in program order.

const powerParts = [
  [ "idle_j", "idle", "idle" ], [ "sm_cycles_j", "busy SMs", "cycles" ],
  [ "instructions_j", "instructions", "instructions" ], [ "fp32_j", "FP32 units", "fp32" ],
  [ "tensor_j", "tensor cores", "tensor" ], [ "dram_j", "DRAM", "dram" ]
];

/** By phase: time and energy that no kernel has, for one of its launches. */
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
    const all = powerParts.map(([ key ]) => kernels[k].energy[key]);
    // (P8) What the limiter takes from a kernel or gives it is spread over its parts.
    const scale = kernel.power_w / (d3.sum(all) / (kernel.time_us * 1e-6)) || 0;
    return all.map((j) => (j / (kernel.time_us * 1e-6)) * scale || 0);
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
    add(ms, [ Math.min(idle, watts), Math.max(0, watts - idle), 0, 0, 0, 0 ], -1, live, kernel.phase);
  });
  const links = rest.get("communication");
  if (links && links.ms > 0)
    add(links.ms,
        [
          Math.min(idle, links.j / (links.ms * 1e-3)), Math.max(0, links.j / (links.ms * 1e-3) - idle), 0, 0,
          0, 0
        ],
        -1, list.length ? list[list.length - 1].live : -1, "communication");
  return list;
}

/** `columns` means of the stretches: power by part, most memory, the longest kernel. */
function intoColumns(list, columns) {
  const end = list.length ? list[list.length - 1].end : 0;
  const step = end / columns;
  const result = d3.range(columns).map((i) => ({
                                         start : i * step,
                                         end : (i + 1) * step,
                                         parts : powerParts.map(() => 0),
                                         live : -1,
                                         kernel : -1,
                                         longest : 0
                                       }));
  for (const stretch of list) {
    const first = Math.min(columns - 1, Math.floor(stretch.start / step));
    const last = Math.min(columns - 1, Math.floor(stretch.end / step));
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
  for (const value of y.ticks(5)) {
    axis.append("line")
        .attr("x1", plotMargin.left)
        .attr("x2", width - plotMargin.right)
        .attr("y1", y(value))
        .attr("y2", y(value));
    axis.append("text")
        .attr("x", plotMargin.left - 6)
        .attr("y", y(value) + 4)
        .attr("text-anchor", "end")
        .text(write(value));
  }
  for (const value of x.ticks(Math.max(2, Math.floor(width / 110))))
    axis.append("text")
        .attr("x", x(value))
        .attr("y", height - plotMargin.bottom + 16)
        .attr("text-anchor", "middle")
        .text(tick(format.ms(value)));
  axis.append("text")
      .attr("class", "title")
      .attr("x", (plotMargin.left + width - plotMargin.right) / 2)
      .attr("y", height - 6)
      .attr("text-anchor", "middle")
      .text(labels);
}

/** Names of phases above the chart, where there are several. */
function phaseMarks(svg, list, x, height) {
  const phases = [];
  for (const stretch of list)
    if (!phases.length || phases[phases.length - 1].phase !== stretch.phase)
      phases.push({phase : stretch.phase, start : stretch.start, end : stretch.end});
    else
      phases[phases.length - 1].end = stretch.end;
  if (phases.length < 2 || phases.length > 12)
    return;
  for (const {phase, start, end} of phases) {
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

/** Bands on top of each other; `bands` are [name, style, values by column]. */
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

/** A line to read values at, moved by the pointer and by arrow keys. */
function addCursor(svg, columns, x, width, height, describe) {
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
        const ms = x.invert(d3.mouse(this)[0]);
        move(Math.floor(ms / (columns[0].end - columns[0].start)));
      }).on("mouseleave blur", hide).on("focus", () => move(at)).on("keydown", () => {
    const step =
        {ArrowLeft : -1, ArrowRight : 1, PageUp : -20, PageDown : 20, Home : -1e9, End : 1e9}[d3.event.key];
    if (step === undefined)
      return;
    d3.event.preventDefault();
    move(at + step);
  });
}

function plotScales(end, top, width, height) {
  return [
    d3.scaleLinear().domain([ 0, end ]).range([ plotMargin.left, width - plotMargin.right ]),
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

/** Names of colours and, where the style is that of a line, of lines. */
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

function powerSection(report, list) {
  const i = report.iteration;
  const end = list.length ? list[list.length - 1].end : 1;
  const box = chart("power over the iteration", (svg, width) => {
    const height = 260;
    const columns = intoColumns(list, Math.max(40, Math.min(700, width - 84)));
    const most = d3.max(columns, (column) => d3.sum(column.parts)) || 1;
    const [x, y] = plotScales(end, Math.max(most, i.power_limit_w) * 1.12, width, height);
    linearAxes(svg, x, y, width, height, (w) => w + " W", "time in the iteration");
    drawBands(svg, columns,
              powerParts.map(([, name, style ],
                              part) => [name, "power-" + style, columns.map((column) => column.parts[part])]),
              x, y);
    phaseMarks(svg, list, x, height);
    levelLine(svg, y(i.power_limit_w), width, "limit");
    levelLine(svg, y(i.avg_power_w), width, "average");
    addCursor(
        svg, columns, x, width, height,
        (column) => [format.ms(column.start), [
          [ "kernel", whichKernel(report, column) ], [ "power", format.watts(d3.sum(column.parts)) ],
          ...powerParts.map(
              ([, name ], part) => [name, column.parts[part] > 0.05 ? format.watts(column.parts[part]) : ""])
        ]]);
    return height;
  }, {id : "power-chart"});
  return section(
      "power", "Power over the iteration",
      "What the board draws while each kernel runs, by what draws it; means of the columns on the screen.",
      box,
      legendOf(powerParts.filter(([ key ]) => report.details.kernels.some((kernel) => kernel.energy[key] > 0))
                   .map(([, name, style ]) => [name, "power-" + style])
                   .concat([
                     [ `limit ${format.watts(i.power_limit_w)}`, "limit" ],
                     [ `average ${format.watts(i.avg_power_w)}`, "average" ]
                   ])));
}

/** What stays for the whole iteration, bytes: [name, style, bytes]. */
function heldMemory(report, list) {
  const i = report.iteration;
  const live = d3.max(list, (stretch) => stretch.live) || 0;
  const held = i.peak_memory_bytes - i.parameter_bytes - i.optimizer_bytes - i.workspace_bytes - live;
  return [
    [ "parameters", "memory-parameters", i.parameter_bytes ],
    [ "optimizer states", "memory-optimizer", i.optimizer_bytes ],
    [ "kept gradients", "memory-gradients", Math.max(0, held) ],
    [ "workspace", "memory-workspace", i.workspace_bytes ]
  ].filter(([, , bytes ]) => bytes > 0);
}

function memorySection(report, list) {
  const i = report.iteration;
  const end = list.length ? list[list.length - 1].end : 1;
  const held = heldMemory(report, list);
  const known = list.filter((stretch) => stretch.live >= 0);
  const peak = known.reduce((most, stretch) => (!most || stretch.live > most.live ? stretch : most), null);
  const base = d3.sum(held, ([, , bytes ]) => bytes);
  const box = chart("memory over the iteration", (svg, width) => {
    const height = 260;
    const columns = intoColumns(list, Math.max(40, Math.min(700, width - 84)));
    const near = i.memory_capacity_bytes < 1.8 * i.peak_memory_bytes;
    const top = Math.max(i.peak_memory_bytes, near ? i.memory_capacity_bytes : 0) * 1.15;
    const unit = byteUnits.find(([ factor ]) => top >= factor);
    const [x, y] = plotScales(end, top / unit[0], width, height);
    linearAxes(svg, x, y, width, height, (b) => `${+ b.toPrecision(3)} ${unit[1]}`, "time in the iteration");
    drawBands(svg, columns,
              [
                ...held.map(([ name, style, bytes ]) => [name, style, columns.map(() => bytes / unit[0])]),
                [
                  "tensors that come and go", "memory-live",
                  columns.map((column) => Math.max(0, column.live) / unit[0])
                ]
              ],
              x, y);
    phaseMarks(svg, list, x, height);
    if (near)
      levelLine(svg, y(i.memory_capacity_bytes / unit[0]), width, "limit");
    if (peak) {
      const at = x((peak.start + peak.end) / 2);
      svg.append("circle")
          .attr("class", "peak")
          .attr("cx", at)
          .attr("cy", y((base + peak.live) / unit[0]))
          .attr("r", 4);
      svg.append("text")
          .attr("class", "level")
          .attr("x", at + (at > width / 2 ? -8 : 8))
          .attr("y", y((base + peak.live) / unit[0]) - 6)
          .attr("text-anchor", at > width / 2 ? "end" : "start")
          .text(`peak ${format.bytes(base + peak.live)}`);
    }
    addCursor(svg, columns, x, width, height, (column) => [format.ms(column.start), [
                                                [ "kernel", whichKernel(report, column) ],
                                                [ "memory", format.bytes(base + Math.max(0, column.live)) ],
                                                [ "that come and go", format.bytes(Math.max(0, column.live)) ]
                                              ]]);
    return height;
  }, {id : "memory-chart"});
  return section(
      "memory", "Memory over the iteration",
      `Tensors in use while each kernel runs. The GPU has ${
          format.bytes(i.memory_capacity_bytes)}; the allocator reserves ${format.bytes(i.reserved_bytes)}.`,
      box, legendOf([
        ...held, [ "tensors that come and go", "memory-live" ],
        ...(i.memory_capacity_bytes < 1.8 * i.peak_memory_bytes
                ? [ [ `capacity ${format.bytes(i.memory_capacity_bytes)}`, "limit" ] ]
                : [])
      ]),
      peakTable(report));
}

/** The largest tensors at the peak. */
function peakTable(report) {
  const tensors = report.iteration.peak_tensors.slice(0, 10);
  if (!tensors.length)
    return null;
  const most = tensors[0].bytes || 1;
  return h("div", {class : "scroll"},
           h("table", {id : "peak"}, h("caption", {}, "Largest tensors at the peak that come and go"),
             h("thead", {},
               h("tr", {},
                 [ "size", "", "tensor", "written by", "phase" ].map(
                     (name, i) => h("th", {scope : "col", class : i ? null : "n"}, name)))),
             h("tbody", {}, tensors.map((tensor) => {
               const bar = h("i", {class : "bar memory-live"});
               bar.style.width = (100 * tensor.bytes) / most + "%";
               return h("tr", {}, h("td", {class : "n"}, format.bytes(tensor.bytes)),
                        h("td", {class : "bars"}, bar),
                        h("td", {title : shorten(tensor.name, 500)}, shorten(tensor.name, 70) || "(no name)"),
                        h("td", {}, shorten(tensor.kernel, 40)), h("td", {}, tensor.phase));
             }))));
}
