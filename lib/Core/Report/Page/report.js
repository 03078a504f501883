// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The page of one report.

/** One line per op that is not fully modelled. */
function coverageTable(title, list) {
  if (!list.length)
    return null;
  return scrollBox(title,
           h("table", {}, h("caption", {}, title),
             h("thead", {}, h("tr", {}, [ "op", "n", "why" ].map((name) => h("th", {scope : "col"}, name)))),
             h("tbody", {},
               list.slice(0, 200).map((entry) => h("tr", {}, h("td", {}, shorten(entry.op, 80)),
                                                   h("td", {class : "n"}, format.count(entry.count)),
                                                   h("td", {}, shorten(entry.reason, 300)))))));
}

function coverageSection(report) {
  const {modelled, fallback, unmodelled} = report.coverage;
  const all = modelled.ops + fallback.ops + unmodelled.ops;
  const part = (name, totals) =>
      totals.ops ? `${name}: ${format.count(totals.ops)}, ${format.share(totals.time_fraction)} of the time.`
                 : "";
  const words = modelled.ops === all ? `All ${format.count(all)} launches are modelled.` : [
    part("Launches modelled", modelled), part("Costed by their bytes, a lower bound", fallback),
    unmodelled.ops ? `Without a cost: ${format.count(unmodelled.ops)}.` : ""
  ].filter(Boolean).join(" ");
  return section(
      "coverage", "Coverage and assumptions",
      `${words} ${
          format.share(
              report.iteration.calibrated_fraction)} of the GPU's time is inside the calibrated domain.`,
      coverageTable("Costed by their bytes only", fallback.list),
      coverageTable("Without a cost", unmodelled.list),
      coverageTable("Data-dependent, counted by an upper bound", report.assumed),
      report.notes.length
          ? h("ul", {class : "notes"}, report.notes.map((note) => h("li", {}, shorten(note, 1000))))
          : null,
      h("details", {}, h("summary", {}, "All settings"),
        facts(Object.entries(report.settings)
                  .filter(([, value ]) => value !== null && value !== "")
                  .map(([
                         name, value
                       ]) => [name, shorten(typeof value === "object" ? JSON.stringify(value) : String(value),
                                            200)]))));
}

/** Time, energy, money and CO2e of a run, and of a million samples and tokens; only if the user stated its size or prices. */
function runSection(report) {
  const {run} = report;
  const rows = [
    [ `run of ${format.count(run.iterations)} iterations`, run.total ],
    [ "million samples", run.per_million_samples ], [ "million tokens", run.per_million_tokens ]
  ].filter(([, costs ]) => costs);
  const isStated = ([, costs ]) => typeof costs.money === "number" || typeof costs.co2e_kg === "number";
  if (!run.total && !rows.some(isStated))
    return null;
  const columns = [
    [ "time", "hours", format.hours ], [ "energy of all GPUs and nodes", "energy_kwh", (kwh) => format.number(kwh) + " kWh" ],
    [ "money", "money", format.number ], [ "CO2e", "co2e_kg", (kg) => format.grams(kg * 1e3) ]
  ].filter(([, key ]) => rows.some(([, costs ]) => typeof costs[key] === "number"));
  const cell = (costs, key, write) => {
    const range = interval(costs[key + "_low"], costs[key + "_high"], write);
    return write(costs[key]) + (range ? ` (${range})` : "");
  };
  return section("run", "Run", "With the 80 % intervals of one iteration.",
                 plainTable("run-costs", "run",
                            [
                              [ "of", ([ name ]) => name ],
                              ...columns.map(([ name, key, write ]) => [name, ([, costs ]) => cell(costs, key, write), true])
                            ],
                            rows));
}

/** GPU facts and settings, sorted by sensitivity. */
function sensitivitySection(report) {
  const list = report.sensitivities || [];
  if (!list.length)
    return null;
  const cell = (value) =>
      h("td", {class : "n"}, value === null || value === undefined ? "" : format.number(value));
  return section(
      "sensitivities", "Sensitivity of time and energy",
      "Change of time and energy in per cent if a value rises by one per cent, and the speedup if it doubles.",
      scrollBox("sensitivities",
        h("table", {},
          h("thead", {},
            h("tr", {},
              [ "quantity", "value", "time", "energy", "speedup at twice the value" ].map(
                  (name) => h("th", {scope : "col"}, name)))),
          h("tbody", {},
            list.map((each) => h("tr", {}, h("th", {scope : "row"}, shorten(each.name, 60)),
                                 h("td", {}, shorten(String(each.value), 60)), cell(each.time),
                                 cell(each.energy), cell(each.speedup)))))));
}

function showReport(page, report) {
  const table = new KernelTable(report);
  const showKernel = (k) => table.reveal(k);
  const parts = [ headline(report), runSection(report) ];
  if (report.kernels.length)
    parts.push(icicleSection(report, showKernel));
  if (report.details && report.kernels.length) {
    const list = stretches(report);
    const span = new Span(list);
    parts.push(rooflineSection(report, showKernel), powerSection(report, list, span),
               memorySection(report, list, span));
  }
  parts.push(table.section(), sensitivitySection(report), coverageSection(report));
  page.append(...parts.filter(Boolean));
}
