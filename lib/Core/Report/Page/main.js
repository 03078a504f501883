// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the data of the page and shows it.

const data = document.getElementById("data");
const pageKinds = {
  report : [ showReport, "report.json" ],
  sweep : [ showSweep, "sweep.json" ],
  optimum : [ showOptimum, "optimum.json" ],
  deployment : [ showDeployment, "deployment.json" ],
  generation : [ showGeneration, "generation.json" ],
  comparison : [ showComparison, "comparison.json" ],
};
const [showPage, dataName] = pageKinds[data.dataset.kind];
showPage(document.getElementById("page"), JSON.parse(data.textContent));
document.getElementById("page").append(footer(data.textContent, dataName));
