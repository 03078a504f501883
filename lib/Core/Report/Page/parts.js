// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A whole as one bar of parts, and plain tables.

/**
 * Parts {name, value, style, title} as one bar and a legend. Parts below 0.01 % of the whole are left out. `write`
 * formats a value.
 */
function stackedBar(label, all, write) {
  const sum = d3.sum(all, (part) => part.value) || 1;
  const parts = all.filter((part) => part.value > 1e-4 * sum);
  const bar = h("div", {
    class : "stack",
    role : "img",
    "aria-label" : `${label}: ${parts.map((part) => `${part.name} ${format.share(part.value / sum)}`).join(", ")}`
  },
                parts.map((part) => {
                  const share = part.value / sum;
                  const piece = h("i",
                                  {
                                    class : part.style,
                                    title : `${part.name}: ${write(part.value)}, ${format.share(share)}`
                                  },
                                  share > 0.07 ? format.share(share) : "");
                  piece.style.width = 100 * share + "%";
                  return piece;
                }));
  return [
    bar, h("ul", {class : "legend"},
           parts.map((part) => h("li", {}, h("span", {class : "swatch " + part.style}), `${part.name} `,
                                 h("b", {}, write(part.value)))))
  ];
}

/** A table of `rows`; `columns`: [heading, text of a row, whether it is a number] each. */
function plainTable(id, label, columns, rows) {
  return scrollBox(label,
           h("table", {id}, h("thead", {},
                              h("tr", {}, columns.map(([ name, , isNumber ]) => h(
                                              "th", {scope : "col", class : isNumber ? "n" : null}, name)))),
             h("tbody", {},
               rows.map((row) => h("tr", {}, columns.map(([, write, isNumber ]) => h(
                                                 "td", {class : isNumber ? "n" : null}, write(row))))))));
}

/** The notes of an answer. */
function notesSection(notes) {
  return notes.length ? section("notes", "Notes", "",
                                h("ul", {class : "notes"}, notes.map((note) => h("li", {}, shorten(note, 1000)))))
                      : null;
}
