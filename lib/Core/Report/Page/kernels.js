// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Table of all kernels with search, sorting, and an explanation of each kernel's time.

const tileText = (kernel) =>
    (kernel.tile ? kernel.tile + (kernel.split_k > 1 ? " /" + kernel.split_k : "") : "");

/** A name in a column of fixed width. */
const clipped = (text) => h("span", {class : "clipped", title : shorten(text, 400)}, shorten(text, 80));

/** [key, heading, explanation, number?, cell, sort key] */
const kernelColumns = [
  [
    "share", "%", "fraction of the total kernel time", true, (k) => (100 * k.time_fraction).toFixed(2),
    (k) => k.total_us
  ],
  [ "count", "n", "launches", true, (k) => format.count(k.count), (k) => k.count ],
  [ "each", "1x", "time of one launch", true, (k) => format.us(k.time_us), (k) => k.time_us ],
  [ "total", "all", "time of all launches", true, (k) => format.us(k.total_us), (k) => k.total_us ],
  [ "family", "family", "", false, (k) => k.family.replace("_", " "), (k) => k.family ],
  [ "label", "kernel", "launched kernel", false, (k) => clipped(k.label), (k) => k.label ],
  [ "shape", "shape", "", false, (k) => clipped(k.shape), (k) => k.shape ],
  [ "tile", "tile/split", "rows x columns per CTA, splits of K", false, tileText, tileText ],
  [
    "waves", "waves", "rounds of CTAs on all SMs", true,
    (k) => (k.waves === null ? "" : format.count(k.waves)), (k) => k.waves || 0
  ],
  [
    "bound", "limited by", "", false,
    (k) => [h("span", {class : "swatch " + boundClass(k.bound)}), boundName(k.bound)], (k) => k.bound
  ],
  [ "power", "W", "board power while it runs", true, (k) => Math.round(k.power_w), (k) => k.power_w ],
  [
    "energy", "energy", "energy of all launches", true, (k) => format.joules(k.energy_j * k.count),
    (k) => k.energy_j * k.count
  ],
];

const timeTerms = [
  [ "compute_us", "arithmetic" ], [ "l2_us", "L2" ], [ "issue_us", "instruction issue" ],
  [ "rows_us", "rows" ], [ "dram_us", "DRAM" ], [ "power_roof_us", "power roof" ],
  [ "exposed_us", "exposed transfers" ], [ "serial_us", "before and after the loop" ],
  [ "fixed_us", "launch and drain" ]
];

/** The time terms as bars, and equation (W1) with its numbers. */
function timeEquation(kernel, terms) {
  const rows = timeTerms.filter(([ key ]) => terms[key] > 0).map(([ key, name ]) => {
    const bar = h("i", {class : "bar"});
    bar.style.width = Math.min(100, (100 * terms[key]) / kernel.time_us) + "%";
    return h("tr", {}, h("td", {}, name), h("td", {class : "n"}, format.us(terms[key])),
             h("td", {class : "bars"}, bar));
  });
  const overlapping =
      timeTerms.slice(0, 6).filter(([ key ]) => terms[key] > 0).map(([ key ]) => format.us(terms[key]));
  const added =
      timeTerms.slice(6).filter(([ key ]) => terms[key] > 0).map(([ key ]) => format.us(terms[key]));
  return [
    h("table", {class : "terms"}, h("caption", {}, "Terms of the time; the first ones overlap"),
      h("tbody", {}, rows)),
    h("p", {class : "equation"}, `(W1) time = ‖${overlapping.join(", ")}‖`,
      h("sub", {}, tick(format.number(terms.norm))), added.length ? ` + ${added.join(" + ")}` : "",
      ` = ${format.us(kernel.time_us)}`)
  ];
}

function energyParts(details) {
  const all = d3.sum(powerParts, ([ key ]) => details.energy[key]) || 1;
  return powerParts.filter(([ key ]) => details.energy[key] > 0)
      .map(([ key, name ]) => `${name} ${format.share(details.energy[key] / all)}`)
      .join(", ");
}

/** Names of the nodes that launch kernel `k`. */
function nodesOf(report, k) {
  const found = new Set();
  report.details.launches.kernel.forEach(
      (kernel, i) => kernel === k && found.add(report.details.nodes[report.details.launches.node[i]]));
  const names = [...found ].filter(Boolean);
  return names.length ? names.slice(0, 4).map((name) => shorten(name, 90)).join(", ") +
                            (names.length > 4 ? ` and ${names.length - 4} more` : "")
                      : "no names in the file";
}

function kernelFacts(report, k) {
  const kernel = report.kernels[k];
  const details = report.details && report.details.kernels[k];
  const seconds = kernel.time_us * 1e-6;
  const peak = report.details && report.details.peaks_flops_per_s[kernel.format];
  const rate = kernel.flops / seconds;
  return [["80 % interval", interval(kernel.time_low_us, kernel.time_high_us, format.us) || "not known"],
    ["confirmed", kernel.in_calibrated_domain ? "inside the calibrated domain" : "outside the calibrated domain"],
    ["work", `${format.flops(kernel.flops)}; ${format.traffic(kernel.bytes)} if every operand moves once`],
    details ? ["traffic", `${format.traffic(details.dram_bytes)} from DRAM after L2` + (details.l2_bytes > 0 ? `, ${format.traffic(details.l2_bytes)} from L2` : "")] : null,
    ["reaches", format.flopRate(rate) + (peak && kernel.matrix_flops > 0 ? `, ${format.share(rate / peak)} of the peak` : "") +
      (details ? `; ${format.byteRate(details.dram_bytes / seconds)} from DRAM, ${format.share(details.dram_bytes / seconds / report.iteration.dram_bandwidth_bytes_per_s)} of its bandwidth` : "")],
    kernel.tile ? ["configuration", `tile ${kernel.tile}, split ${kernel.split_k}, ${format.count(kernel.ctas)} CTAs, ${kernel.ctas_per_sm} per SM, ${format.count(kernel.waves)} waves, SMs used ${format.share(kernel.sm_utilization)}`] : null,
    ["energy", `${format.joules(kernel.energy_j)} a launch` + (details ? `: ${energyParts(details)}` : "")],
    ["op", shorten(kernel.op, 80) + (kernel.origin ? ` (${shorten(kernel.origin, 60)})` : "") + `, ${kernel.phase}, ${kernel.format}`],
    kernel.coverage === "modelled" ? null : ["coverage", "only its bytes: a lower bound"],
    report.details ? ["nodes", nodesOf(report, k)] : ["first node", shorten(kernel.name, 200)]];
}

function why(report, k) {
  const kernel = report.kernels[k];
  const details = report.details && report.details.kernels[k];
  const terms = details ? details.time : {
    compute_us : kernel.compute_us,
    l2_us : kernel.l2_us,
    dram_us : kernel.dram_us,
    fixed_us : kernel.fixed_us
  };
  const groups = details ? details.coefficients.map((g) => report.details.coefficients[g]) : [];
  return h("div", {class : "why"}, h("div", {}, details ? timeEquation(kernel, terms) : null),
           facts(kernelFacts(report, k)),
           details && details.equations
               ? h("details", {}, h("summary", {}, "Equations at the maximum clock"),
                   h("ul", {}, details.equations.map((equation) => h("li", {}, equation))))
               : null,
           groups.length
               ? h("div", {}, h("h3", {}, "Coefficients"),
                   h("ul", {},
                     groups.map((group) => h("li", {}, h("b", {}, group.name),
                                             ` (${group.meaning}): ${group.provenance}`,
                                             group.transferred_from
                                                 ? h("em", {}, ` Transferred from ${group.transferred_from}.`)
                                                 : ""))))
               : null);
}

class KernelTable extends SortedTable {
  constructor(report) {
    super(kernelColumns, {key : "total", descending : true});
    this.report = report;
    this.order = report.kernels.map((kernel, k) => k);
    this.texts =
        report.kernels.map((kernel) => [kernel.name, kernel.op, kernel.label, kernel.shape, kernel.family,
                                        kernel.phase, kernel.format, boundName(kernel.bound), kernel.origin]
                                           .join("\n")
                                           .toLowerCase());
    this.open = new Set();
    this.search = "";
    this.fill();
  }
  find(text) {
    this.search = text.toLowerCase();
    this.shown = rowsAtFirst;
    this.fill();
  }
  /** The kernels that match the search, in order. */
  matches() {
    const words = this.search.split(/\s+/).filter(Boolean);
    const value = kernelColumns.find(([ key ]) => key === this.sort.key)[5];
    const sign = this.sort.descending ? -1 : 1;
    const kernels = this.report.kernels;
    return this.order.filter((k) => words.every((word) => this.texts[k].includes(word)))
        .sort((a, b) => sign * d3.ascending(value(kernels[a]), value(kernels[b])) || a - b);
  }
  fill() {
    const found = this.matches();
    const rows = found.slice(0, this.shown);
    this.body.replaceChildren(...rows.flatMap((k) => this.rowsOf(k)));
    const us = d3.sum(found, (k) => this.report.kernels[k].total_us);
    this.status.textContent = `${format.count(found.length)} of ${format.count(this.order.length)} kernels, ${
        format.us(us)} of ${format.us(d3.sum(this.report.kernels, (k) => k.total_us))}`;
    this.mark(found.length);
  }
  rowsOf(k) {
    const kernel = this.report.kernels[k];
    const open = this.open.has(k);
    const toggle = h("button", {
      type : "button",
      class : "toggle",
      "aria-expanded" : String(open),
      "aria-label" : "why",
      onclick : () => this.toggle(k)
    },
                     open ? "▾" : "▸");
    const row = h("tr", {"data-kernel" : k, class : open ? "open" : null},
                  kernelColumns.map(([, , , number, cell ], i) =>
                                        h("td", {class : number ? "n" : null},
                                          i === 0 ? [ toggle, cell(kernel) ] : cell(kernel))));
    row.addEventListener("click", (event) => event.target.closest("button") || this.toggle(k));
    return open ? [row, h("tr", { class: "reason" }, h("td", { colspan: kernelColumns.length }, why(this.report, k)))] : [row];
  }
  toggle(k) {
    if (!this.open.delete(k))
      this.open.add(k);
    this.fill();
    const button = this.body.querySelector(`tr[data-kernel="${k}"] button`);
    if (button)
      button.focus({preventScroll : true});
  }
  /** Opens and shows the row of kernel `k`, even if it does not match the search. */
  reveal(k) {
    this.input.value = "";
    this.search = "";
    this.open.add(k);
    if (this.matches().indexOf(k) >= this.shown)
      this.shown = Infinity;
    this.fill();
    const row = this.body.querySelector(`tr[data-kernel="${k}"]`);
    row.scrollIntoView({block : "center"});
    row.querySelector("button").focus({preventScroll : true});
  }
  section() {
    this.input = h("input", {
      type : "search",
      id : "search",
      placeholder : "name, op, shape, family, limit …",
      "aria-label" : "search kernels",
      oninput : () => this.find(this.input.value)
    });
    addEventListener("keydown", (event) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey ||
          /^(input|textarea)$/i.test(event.target.tagName || ""))
        return;
      event.preventDefault();
      this.input.focus();
    });
    return section(
        "kernels", "Kernels",
        "Equal launches are one row. Open a row to see why it takes its time. The / key goes to the search.",
        h("div", {class : "controls"}, this.input, this.status),
        scrollBox("kernels",
          h("table", {id : "kernel-table"}, h("thead", {}, h("tr", {}, this.heads)), this.body)),
        this.more);
  }
}
