// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Power over the iteration.

function powerSection(report, list, span) {
  const i = report.iteration;
  const box = chart("power over the iteration", (svg, width) => {
    const height = 260;
    const columns = intoColumns(list, Math.max(40, Math.min(700, width - 84)), span.shown);
    const most = d3.max(columns, (column) => d3.sum(column.parts)) || 1;
    const [x, y] = plotScales(span, Math.max(most, i.power_limit_w) * 1.12, width, height);
    linearAxes(svg, x, y, width, height, (w) => w + " W", "time in the iteration");
    drawBands(svg, columns,
              powerParts.map(([, name, style ],
                              part) => [name, "power-" + style, columns.map((column) => column.parts[part])]),
              x, y);
    phaseMarks(svg, list, x, height);
    levelLine(svg, y(i.power_limit_w), width, "limit");
    levelLine(svg, y(i.avg_power_w), width, "average");
    addCursor(
        svg, columns, x, width, height, span,
        (column) => [format.ms(column.start), [
          [ "kernel", whichKernel(report, column) ], [ "power", format.watts(d3.sum(column.parts)) ],
          ...powerParts.map(
              ([, name ], part) => [name, column.parts[part] > 0.05 ? format.watts(column.parts[part]) : ""])
        ]]);
    return height;
  }, {id : "power-chart"});
  return section(
      "power", "Power over the iteration",
      "Board power while each kernel runs, by component; averaged over the columns on the screen. Drag to zoom in, double-click to zoom out.",
      span.add(box),
      legendOf(powerParts.filter(([ key ]) => report.details.kernels.some((kernel) => kernel.energy[key] > 0))
                   .map(([, name, style ]) => [name, "power-" + style])
                   .concat([
                     [ `limit ${format.watts(i.power_limit_w)}`, "limit" ],
                     [ `average ${format.watts(i.avg_power_w)}`, "average" ]
                   ])));
}
