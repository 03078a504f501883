// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every kernel below the roofs of the GPU; areas are total time.

/** Kernels with FLOPs and bytes at one level of memory. */
function rooflinePoints(report, level) {
  const points = [];
  report.kernels.forEach((kernel, k) => {
    const bytes = report.details.kernels[k][level === "l2" ? "l2_bytes" : "dram_bytes"];
    if (kernel.flops > 0 && bytes > 0 && kernel.time_us > 0)
      points.push({
        k,
        kernel,
        bytes,
        intensity : kernel.flops / bytes,
        rate : kernel.flops / (kernel.time_us * 1e-6)
      });
  });
  return points.sort((a, b) => b.kernel.total_us - a.kernel.total_us);
}

/** [name, bytes per second] of the slanted roof of a level. */
function slantedRoof(report, level) {
  if (level === "dram")
    return [ "DRAM", report.iteration.dram_bandwidth_bytes_per_s ];
  const [, rate] = Object.entries(report.details.l2_bytes_per_s)[0];
  return [ "L2", rate ];
}

function rooflineScales(points, roofs, slope, width, height) {
  const top = d3.max(roofs, ([, peak ]) => peak);
  const low = d3.min(points, (p) => p.rate) || top / 1e4;
  const ridge = top / slope;
  // Kernels whose data is in L2 hardly use DRAM; they are drawn at the edge.
  const x = [
    Math.max(Math.min(d3.min(points, (p) => p.intensity) || ridge, ridge / 30), ridge / 1e5),
    Math.min(Math.max(d3.max(points, (p) => p.intensity) || ridge, ridge * 4), ridge * 100)
  ];
  return {
    x : d3.scaleLog()
            .domain([ x[0] / 1.7, x[1] * 1.7 ])
            .range([ plotMargin.left, width - plotMargin.right ])
            .clamp(true),
    y : d3.scaleLog().domain([ Math.min(low / 2, top / 100), top * 2 ]).range([
      height - plotMargin.bottom, plotMargin.top
    ]),
  };
}

function logAxes(svg, x, y, width, height, labels) {
  const few = (scale, room) => {
    const [a, b] = scale.domain().map(Math.log10);
    const step = Math.max(1, Math.ceil((b - a) / room));
    return d3.range(Math.ceil(a), Math.floor(b) + 1, step).map((power) => 10 ** power);
  };
  const grid = svg.append("g").attr("class", "axis");
  for (const value of few(x, width / 80)) {
    gridColumn(grid, x(value), height);
    belowAxis(grid, x(value), width, height, value >= 1 ? format.count(value) : String(value));
  }
  for (const value of few(y, height / 50))
    besideAxis(grid, y(value), width, tick(inUnit(value, flopUnits)).replace("LOP", ""));
  titleBelow(grid, width, height, labels[0]);
  titleBeside(grid, height, labels[1]);
}

function drawRoofs(svg, x, y, roofs, [ name, slope ], width) {
  const group = svg.append("g").attr("class", "roofs");
  const top = d3.max(roofs, ([, peak ]) => peak);
  const line = (points, style) => group.append("path")
                                      .attr("class", style)
                                      .attr("d", d3.line().x((p) => x(p[0])).y((p) => y(p[1]))(points));
  const [first, last] = x.domain();
  const start = Math.max(first, y.domain()[0] / slope);
  line([ [ start, start * slope ], [ top / slope, top ] ], "roof slant");
  const middle = Math.sqrt(start * (top / slope));
  const angle =
      (Math.atan2(y(middle * 2 * slope) - y(middle * slope), x(middle * 2) - x(middle)) * 180) / Math.PI;
  group.append("text")
      .attr("transform", `translate(${x(middle)},${y(middle * slope) - 6}) rotate(${angle})`)
      .attr("text-anchor", "middle")
      .text(`${name} ${format.byteRate(slope)}`);
  roofs.forEach(([ format_, peak ], i) => {
    line([ [ Math.max(first, peak / slope), peak ], [ last, peak ] ], i ? "roof thin" : "roof");
    group.append("text")
        .attr("x", width - plotMargin.right - 4)
        .attr("y", y(peak) - 5)
        .attr("text-anchor", "end")
        .text(`${format_} ${format.flopRate(peak)}`);
  });
}

/** Names next to the largest points, if there is room. */
function nameLargest(svg, points, place, width) {
  const meets = (a) => (b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
  const taken = points.slice(0, 40).map(place).map(({cx, cy, r}) => [cx - r, cy - r, cx + r, cy + r]);
  const top = svg.node().getBoundingClientRect();
  svg.selectAll(".roofs text").each(function() {
    const box = this.getBoundingClientRect();
    taken.push([ box.left - top.left, box.top - top.top, box.right - top.left, box.bottom - top.top ]);
  });
  for (const point of points.slice(0, 8)) {
    const {cx, cy, r} = place(point);
    const text = shorten(point.kernel.label, 24);
    const size = 6.8 * text.length + 4;
    // The roof is on the left.
    const left = cx + r + 4 + size < width - plotMargin.right ? cx + r + 4 : cx - r - 4 - size;
    const box = [ left, cy - 7, left + size, cy + 7 ];
    if (taken.some(meets(box)))
      continue;
    taken.push(box);
    svg.append("text").attr("class", "name").attr("x", left).attr("y", cy + 4).text(text);
  }
}

function describeKernel(report, k) {
  const kernel = report.kernels[k];
  const details = report.details && report.details.kernels[k];
  const groups = details ? details.coefficients.map((g) => report.details.coefficients[g]) : [];
  return [
    [ "shape", shorten(kernel.shape) ],
    [
      "time",
      `${format.count(kernel.count)} × ${format.us(kernel.time_us)}, ${format.share(kernel.time_fraction)}`
    ],
    [ "limited by", boundName(kernel.bound) ],
    [ "tile", kernel.tile ? `${kernel.tile}, split ${kernel.split_k}, ${kernel.waves} waves` : "none" ],
    [ "equations", "W1; " + groups.filter((g) => g.name !== "power").map((g) => g.meaning).join("; ") ]
  ];
}

function rooflineSection(report, showKernel) {
  const peaks = Object.entries(report.details.peaks_flops_per_s);
  let level = "dram";
  const note = h("p", {class : "note"});
  const box = chart("roofline of all kernels", (svg, width) => {
    const height = width < 600 ? 320 : 420;
    const points = rooflinePoints(report, level);
    const roof = slantedRoof(report, level);
    const {x, y} = rooflineScales(points, peaks, roof[1], width, height);
    logAxes(svg, x, y, width, height, [ `FLOP per byte from ${roof[0]}`, "FLOP per second" ]);
    drawRoofs(svg, x, y, peaks, roof, width);
    const all = d3.sum(report.kernels, (kernel) => kernel.total_us) || 1;
    const place = (p) =>
        ({cx : x(p.intensity), cy : y(p.rate), r : 3 + 24 * Math.sqrt(p.kernel.total_us / all)});
    const marks =
        svg.append("g")
            .selectAll("circle")
            .data(points)
            .enter()
            .append("circle")
            .attr("class", (p) => "dot " + boundClass(p.kernel.bound))
            .attr("role", "button")
            .attr("aria-label",
                  (p) => `${shorten(p.kernel.label)} ${shorten(p.kernel.shape)}, ${format.flopRate(p.rate)}`)
            .attr("cx", (p) => place(p).cx)
            .attr("cy", (p) => place(p).cy)
            .attr("r", (p) => place(p).r)
            .on("mouseenter focus",
                function(p) {
                  tooltip.show(this, shorten(p.kernel.label), [
                    ...describeKernel(report, p.k),
                    [ "reaches", `${format.flopRate(p.rate)} at ${format.number(p.intensity)} FLOP/B` ]
                  ]);
                })
            .on("mouseleave blur", tooltip.hide)
            .on("click", (p) => showKernel(p.k))
            .on("keydown.open", (p) => d3.event.key === "Enter" && showKernel(p.k));
    roving(marks, alongList(points.length));
    nameLargest(svg, points, place, width);
    const beyond = points.filter((p) => p.intensity > x.domain()[1]).length;
    const missing = report.kernels.length - points.length;
    const share = 1 - d3.sum(points, (p) => p.kernel.total_us) / all;
    const left = `Not shown, without FLOPs or bytes from ${roof[0]}: ${format.count(missing)} kernels, ${
        format.share(share)} of the time. `;
    const right = `Beyond the right edge, because nearly all their reads hit in L2: ${format.count(beyond)}.`;
    note.textContent = (missing ? left : "") + (beyond ? right : "");
    return height;
  }, {id : "roofline-chart"});
  const controls = Object.keys(report.details.l2_bytes_per_s).length
                       ? h("div", {class : "controls"},
                           choice("bytes from", [ [ "dram", "DRAM" ], [ "l2", "L2" ] ], "dram",
                                  (key) => {
                                    level = key;
                                    box.redraw();
                                  }))
                       : null;
  return section(
      "roofline", "Roofline",
      "Each kernel by its FLOPs per byte and its FLOP rate; its area is its total time. The lines are the limits of the GPU at this clock.",
      controls, box, boundLegend(new Set(report.kernels.map((kernel) => kernel.bound))), note);
}
