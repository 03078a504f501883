// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines, numbers and titles of plot axes.

const plotMargin = {
  top : 14,
  right : 16,
  bottom : 42,
  left : 78
};

/** A line from top to bottom. */
function gridColumn(axis, at, height) {
  axis.append("line")
      .attr("x1", at)
      .attr("x2", at)
      .attr("y1", plotMargin.top)
      .attr("y2", height - plotMargin.bottom);
}

/** A number below the chart, no further right than it. */
function belowAxis(axis, at, width, height, text) {
  const half = textWidth(text) / 2;
  axis.append("text")
      .attr("x", Math.min(at, width - half - 2))
      .attr("y", height - plotMargin.bottom + 16)
      .attr("text-anchor", "middle")
      .text(text);
}

/** A line across the chart with its number on the left. */
function besideAxis(axis, at, width, text) {
  axis.append("line")
      .attr("x1", plotMargin.left)
      .attr("x2", width - plotMargin.right)
      .attr("y1", at)
      .attr("y2", at);
  axis.append("text")
      .attr("x", plotMargin.left - 6)
      .attr("y", at + 4)
      .attr("text-anchor", "end")
      .text(text);
}

function titleBelow(axis, width, height, text) {
  axis.append("text")
      .attr("class", "title")
      .attr("x", (plotMargin.left + width - plotMargin.right) / 2)
      .attr("y", height - 6)
      .attr("text-anchor", "middle")
      .text(text);
}

function titleBeside(axis, height, text) {
  axis.append("text")
      .attr("class", "title")
      .attr("transform", `translate(13,${(height - plotMargin.bottom) / 2}) rotate(-90)`)
      .attr("text-anchor", "middle")
      .text(text);
}
