// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory over the iteration, and the tensors at its peak.

/** Memory in use for the whole iteration: [name, style, bytes]. */
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

function memorySection(report, list, span) {
  const i = report.iteration;
  const held = heldMemory(report, list);
  const known = list.filter((stretch) => stretch.live >= 0);
  const peak = known.reduce((most, stretch) => (!most || stretch.live > most.live ? stretch : most), null);
  const base = d3.sum(held, ([, , bytes ]) => bytes);
  const box = chart("memory over the iteration", (svg, width) => {
    const height = 260;
    const columns = intoColumns(list, Math.max(40, Math.min(700, width - 84)), span.shown);
    const near = i.memory_usable_bytes < 1.8 * i.peak_memory_bytes;
    const top = Math.max(i.peak_memory_bytes, near ? i.memory_usable_bytes : 0) * 1.15;
    const unit = byteUnits.find(([ factor ]) => top >= factor);
    const [x, y] = plotScales(span, top / unit[0], width, height);
    linearAxes(svg, x, y, width, height, (b) => `${+ b.toPrecision(3)} ${unit[1]}`, "time in the iteration");
    drawBands(
        svg, columns,
        [
          ...held.map(([ name, style, bytes ]) => [name, style, columns.map(() => bytes / unit[0])]),
          [ "temporary tensors", "memory-live", columns.map((column) => Math.max(0, column.live) / unit[0]) ]
        ],
        x, y);
    phaseMarks(svg, list, x, height);
    if (near)
      levelLine(svg, y(i.memory_usable_bytes / unit[0]), width, "limit");
    if (peak && peak.start < span.shown[1] && peak.end > span.shown[0]) {
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
    addCursor(svg, columns, x, width, height, span,
              (column) => [format.ms(column.start), [
                [ "kernel", whichKernel(report, column) ],
                [ "memory", format.bytes(base + Math.max(0, column.live)) ],
                [ "temporary", format.bytes(Math.max(0, column.live)) ]
              ]]);
    return height;
  }, {id : "memory-chart"});
  return section(
      "memory", "Memory over the iteration",
      `Tensors in use while each kernel runs. The GPU has ${memoryLimit(i)}; the allocator reserves ${format.bytes(i.reserved_bytes)}.`,
      span.add(box), legendOf([
        ...held, [ "temporary tensors", "memory-live" ],
        ...(i.memory_usable_bytes < 1.8 * i.peak_memory_bytes
                ? [ [ `usable ${format.bytes(i.memory_usable_bytes)}`, "limit" ] ]
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
  return scrollBox("largest temporary tensors",
           h("table", {id : "peak"}, h("caption", {}, "Largest temporary tensors at the peak"),
             h("thead", {},
               h("tr", {},
                 [ "size", "tensor", "written by", "phase" ].map(
                     (name, i) => h("th", {scope : "col", colspan : i ? null : 2}, name)))),
             h("tbody", {}, tensors.map((tensor) => {
               const bar = h("i", {class : "bar memory-live"});
               bar.style.width = (100 * tensor.bytes) / most + "%";
               return h("tr", {}, h("td", {class : "n"}, format.bytes(tensor.bytes)),
                        h("td", {class : "bars"}, bar),
                        h("td", {title : shorten(tensor.name, 500)}, shorten(tensor.name, 70) || "(no name)"),
                        h("td", {}, shorten(tensor.kernel, 40)), h("td", {}, tensor.phase));
             }))));
}
