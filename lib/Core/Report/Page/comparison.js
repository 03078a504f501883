// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two predictions side by side, and the reasons for their differences.

/** Formats of report quantities, by the suffix of their names. */
function writeQuantity(name, value) {
  if (value === null)
    return "unknown";
  if (name.endsWith("_ms"))
    return format.ms(value);
  if (name.endsWith("_us"))
    return format.us(value);
  if (name.endsWith("_j"))
    return format.joules(value);
  if (name.endsWith("_w"))
    return format.watts(value);
  if (name.endsWith("_mhz"))
    return format.mhz(value);
  if (name.endsWith("dram_bytes"))
    return format.traffic(value);
  if (name.endsWith("_bytes"))
    return format.bytes(value);
  if (name.endsWith("flops"))
    return format.flops(value);
  if (name === "mfu" || name.endsWith("_fraction"))
    return format.share(value);
  return format.number(value);
}

const quantityNames = {
  time_ms : "time per iteration",
  energy_j : "energy per iteration",
  avg_power_w : "average power",
  gpu_busy_ms : "GPU busy",
  host_ms : "host",
  clock_mhz : "clock",
  mfu : "MFU",
  device_bytes : "memory of the device",
  peak_memory_bytes : "tensors at the peak",
  gap_ms : "between kernels",
  parameter_bytes : "parameters",
  activation_bytes : "activations",
  gradient_bytes : "gradients",
  optimizer_bytes : "optimizer states",
  kernel_ms : "kernels",
  flops : "FLOPs",
  dram_bytes : "DRAM traffic",
  samples_per_s : "samples per second",
  tokens_per_s : "tokens per second",
  host_wait_ms : "waits for the host",
  exposed_communication_ms : "exposed communication"
};
const quantityName = (name) =>
    quantityNames[name] || shorten(name.replace(/_(ms|us|j|w|bytes)$/, "").replace(/_/g, " "), 60);

/** A bar to the left for less, to the right for more; `most` is a full half. */
function changeBar(change, most) {
  const bar = h("i", {class : change > 0 ? "more" : "less"});
  const share = most > 0 ? Math.min(50, (50 * Math.abs(change)) / most) : 0;
  bar.style.width = share + "%";
  bar.style.left = (change > 0 ? 50 : 50 - share) + "%";
  return h("div", {class : "difference", "aria-hidden" : "true"}, bar);
}

function changeRow(name, change, most, write) {
  return h("tr", {"data-name" : name}, h("th", {scope : "row"}, quantityName(name)),
           h("td", {class : "n"}, write(change.before)), h("td", {class : "n"}, write(change.after)),
           h("td", {class : "n"}, change.relative === null ? "" : format.change(change.relative)),
           h("td", {class : "bars"},
             change.change === null ? ""
                                    : changeBar(most === null ? change.relative || 0 : change.change,
                                                most === null ? 1 : most)));
}

/** The change is a number and a bar. */
const changeHeads = (first) =>
    h("thead", {}, h("tr", {}, [first, "before", "after", "change"].map(
                                   (name, i) => h("th", {scope : "col", class : i === 1 || i === 2 ? "n" : null, colspan : i === 3 ? 2 : null}, name))));

/** Quantities with different units; bars are relative. */
function quantityTable(id, title, changes) {
  const rows = Object.entries(changes).filter(([, change ]) => change.before || change.after);
  if (!rows.length)
    return null;
  return scrollBox(title,
           h("table", {id}, h("caption", {}, title), changeHeads("quantity"),
             h("tbody", {},
               rows.map(([ name, change ]) =>
                            changeRow(name, change, null, (value) => writeQuantity(name, value))))));
}

/** Groups by their time; bars share one scale. */
function groupTable(id, title, groups) {
  const changed = groups.filter((group) => group.time_us.change);
  if (!changed.length)
    return null;
  const most = d3.max(changed, (group) => Math.abs(group.time_us.change));
  return scrollBox(title,
           h("table", {id}, h("caption", {}, title), changeHeads("group"),
             h("tbody", {},
               changed.slice(0, 20).map((group) => changeRow(group.name, group.time_us, most, format.us)))));
}

/** The 80 % interval of a quantity of one side. */
function sideInterval(side, quantity) {
  const unit = quantity.slice(quantity.lastIndexOf("_"));
  const name = quantity.slice(0, -unit.length);
  const text = interval(side[name + "_low" + unit], side[name + "_high" + unit],
                        (value) => writeQuantity(quantity, value));
  return text ? `, 80 %: ${text}` : "";
}

function sideColumn(name, side, changes, key) {
  const change = (quantity) => (changes[quantity] ? changes[quantity][key] : null);
  return h("div", {class : "card side", id : "side-" + key}, h("h2", {}, name),
           h("p", {class : "what"},
             h("b", {title : shorten(side.model || side.file, 500)},
               shorten(lastPart(side.model || side.file), 80)),
             h("br"), `on ${side.target}, ${side.format}, ${side.mode}`),
           [ [ "time_ms", "main" ], [ "energy_j", "" ], [ "avg_power_w", "" ], [ "device_bytes", "" ] ]
               .filter(([ quantity ]) => change(quantity) !== null)
               .map(([ quantity, style ]) => {
                 const [number, unit] = splitUnit(writeQuantity(quantity, change(quantity)));
                 return h("p", {class : "number " + style, "data-quantity" : quantity}, number,
                          h("small", {}, ` ${unit} `),
                          h("span", {class : "note"}, quantityName(quantity) + sideInterval(side, quantity)));
               }));
}

function differenceText(comparison) {
  const time = comparison.totals.time_ms;
  if (comparison.same)
    return "All numbers and kernels are equal.";
  if (!time || time.change === null)
    return "The time of one side is unknown.";
  const word = time.change < 0 ? "less" : "more";
  const energy = comparison.totals.energy_j;
  return `After takes ${format.ms(Math.abs(time.change))} ${word} (${format.change(time.relative)})` +
         (energy && energy.change !== null
              ? ` and ${format.joules(Math.abs(energy.change))} ${energy.change < 0 ? "less" : "more"} (${
                    format.change(energy.relative)}).`
              : ".");
}

function kernelRow(kernel, most) {
  const either = kernel.after || kernel.before;
  const side = (part) => part ? `${format.count(part.count)} × ${format.us(part.time_us)}` : "none";
  return h("tr", {},
           h("td", {class : "n"}, (kernel.change_us > 0 ? "+" : "−") + format.us(Math.abs(kernel.change_us)),
             changeBar(kernel.change_us, most)),
           h("td", {}, shorten(kernel.label, 40), h("div", {class : "note"}, shorten(either.shape, 70))),
           h("td", {}, side(kernel.before)), h("td", {}, side(kernel.after)),
           h("td", {}, kernel.why.map((text) => shorten(text, 120)).join("; ")));
}

function changedKernels(comparison) {
  if (!comparison.kernels.length)
    return null;
  const most = d3.max(comparison.kernels, (kernel) => Math.abs(kernel.change_us));
  const body = h("tbody", {});
  const fill = (count) =>
      body.replaceChildren(...comparison.kernels.slice(0, count).map((kernel) => kernelRow(kernel, most)));
  const more = h("button", {
    type : "button",
    hidden : comparison.kernels.length <= 50,
    onclick : () => {
      fill(Infinity);
      more.hidden = true;
    }
  },
                 `Show all ${format.count(comparison.kernels.length)}`);
  fill(50);
  return section("kernels", "Kernels that changed",
                 `Most change first; ${format.count(comparison.unchanged_kernels)} kernels are unchanged.`,
                 scrollBox("kernels that changed",
                   h("table", {id : "changed-kernels"},
                     h("thead", {},
                       h("tr", {},
                         [ "all launches", "kernel", "before", "after", "why" ].map(
                             (name, i) => h("th", {scope : "col", class : i ? null : "n"}, name)))),
                     body)),
                 more);
}

function textTable(title, changes) {
  if (!changes.length)
    return null;
  return scrollBox(
      title,
      h("table", {}, h("caption", {}, title),
        h("thead", {}, h("tr", {}, [ "name", "before", "after" ].map((name) => h("th", {scope : "col"}, name)))),
        h("tbody", {},
          changes.map((change) => h("tr", {}, h("th", {scope : "row"}, shorten(change.name, 60)),
                                    h("td", {}, shorten(change.before, 200)),
                                    h("td", {}, shorten(change.after, 200)))))));
}

function budgetList(results) {
  if (!results || !results.length)
    return null;
  return section("budget", "Budget", "",
                 h("ul", {},
                   results.map((result) => h("li", {class : result.broken ? "bad" : "good"},
                                             `${result.broken ? "✗" : "✓"} ${quantityName(result.limits)}: ${
                                                 result.found === null ? "unknown"
                                                 : result.kind === "change"
                                                     ? format.change(result.found)
                                                     : writeQuantity(result.limits, result.found)}, limit ${
                                                 result.kind === "change"
                                                     ? format.change(result.limit)
                                                     : writeQuantity(result.limits, result.limit)}`))));
}

function showComparison(page, comparison) {
  const totals = {...comparison.totals, ...comparison.memory};
  const notes = [
    ...comparison.new_notes.map((note) => "only after: " + note),
    ...comparison.gone_notes.map((note) => "only before: " + note)
  ];
  page.append(
      ...[h("header", {id : "headline"},
            h("div", {class : "title"}, h("h1", {}, differenceText(comparison)), themeSwitch()),
            h("div", {class : "sides"}, sideColumn("Before", comparison.before, totals, "before"),
              sideColumn("After", comparison.after, totals, "after"))),
          budgetList(comparison.budget),
          section("totals", "What changed", "Bars to the left are less, to the right more.",
                  h("div", {class : "columns"}, quantityTable("total-table", "Totals", comparison.totals),
                    quantityTable("memory-table", "Memory", comparison.memory))),
          section("groups", "Where the time changed",
                  "All launches of a group; bars of one table share a scale.",
                  h("div", {class : "columns"}, groupTable("phase-table", "Phases", comparison.phases),
                    groupTable("family-table", "Kernel families", comparison.families),
                    groupTable("op-table", "Ops", comparison.ops),
                    quantityTable("between-table", "Beside kernels", comparison.between))),
          changedKernels(comparison),
          section("settings", "How they were run", "", textTable("Settings that differ", comparison.settings),
                  textTable("Coverage that differs", comparison.coverage),
                  notes.length
                      ? h("ul", {class : "notes"}, notes.map((note) => h("li", {}, shorten(note, 1000))))
                      : null)]
          .filter(Boolean));
}
