// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Common parts of all pages: elements, sections, the tooltip, the theme, the footer.
// Text is always inserted as text nodes; HTML is never parsed.

/** An element. `attributes` may contain listeners: {onclick: ...}. */
function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on"))
      element.addEventListener(name.slice(2), value);
    else if (value === true)
      element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined)
      element.setAttribute(name, value);
  }
  for (const child of children.flat(2))
    if (child !== null && child !== undefined && child !== false)
      element.append(child instanceof Node ? child : String(child));
  return element;
}

/** A section with a heading, a sentence that explains how to read it, and content. */
function section(id, title, lead, ...content) {
  return h("section", {id, "aria-labelledby" : id + "-title"}, h("h2", {id : id + "-title"}, title),
           lead ? h("p", {class : "lead"}, lead) : null, content);
}

/** A table in a box that scrolls to the side if it is too narrow; then it is a stop of the Tab key. `label` names it. */
function scrollBox(label, table) {
  const box = h("div", {class : "scroll", role : "group", "aria-label" : `table: ${label}`}, table);
  const mark = () => {
    const hidden = box.scrollWidth - box.clientWidth;
    box.classList.toggle("beyond", hidden - box.scrollLeft > 1);
    if (hidden > 1)
      box.setAttribute("tabindex", "0");
    else
      box.removeAttribute("tabindex");
  };
  box.addEventListener("scroll", mark, {passive : true});
  const observer = new ResizeObserver(mark);
  observer.observe(box);
  observer.observe(table);
  return box;
}

/** Rows of a name and a value. */
function facts(rows) {
  return h("dl", {class : "facts"},
           rows.filter((row) => row && row[1] !== "")
               .map(([ name, value ]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}

/** Radio buttons that look like one control; calls `change(key)`. */
function choice(label, options, chosen, change) {
  const name = "choice-" + choice.next++;
  return h(
      "fieldset", {class : "choice"}, h("legend", {}, label),
      options.map(
          ([ key, text ]) => h(
              "label", {},
              h("input",
                {type : "radio", name, value : key, checked : key === chosen, onchange : () => change(key)}),
              h("span", {}, text))));
}
choice.next = 0;

const rowsAtFirst = 100;

/**
 * A long table that any column sorts. Subclasses have `fill()`, which draws the rows anew and ends with
 * `mark()`. `columns`: [key, name, title, number] each.
 */
class SortedTable {
  constructor(columns, sort) {
    this.sort = sort;
    this.shown = rowsAtFirst;
    this.body = h("tbody", {});
    this.status = h("p", {class : "note", role : "status"});
    this.more = h("button", {
      type : "button",
      onclick : () => {
        this.shown = Infinity;
        this.fill();
      }
    });
    this.heads = columns.map(
        ([ key, name, title, number ]) => h(
            "th", {scope : "col", title, class : number ? "n" : null},
            h("button",
              {type : "button", "data-key" : key, onclick : () => this.sortBy(key, Boolean(number))}, name)));
  }
  /** Sorts by `key`; a second call reverses the order. `descending`: the order of the first call. */
  sortBy(key, descending) {
    this.sort = {key, descending : this.sort.key === key ? !this.sort.descending : descending};
    this.fill();
  }
  /** Shows how the `count` rows are sorted and whether some are hidden. */
  mark(count) {
    this.more.hidden = count <= this.shown;
    this.more.textContent = `Show all ${format.count(count)}`;
    for (const head of this.heads)
      if (head.firstChild.dataset.key === this.sort.key)
        head.setAttribute("aria-sort", this.sort.descending ? "descending" : "ascending");
      else
        head.removeAttribute("aria-sort");
  }
}

/** Legend of colours, only for the bounds in `used`. */
function boundLegend(used) {
  return h("ul", {class : "legend", "aria-label" : "colours: bounds"},
           bounds.filter(([ key ]) => used.has(key))
               .map(([ key, name, meaning ]) =>
                        h("li", {title : meaning}, h("span", {class : "swatch " + boundClass(key)}), name)));
}

/** One tooltip for the page: rows of [name, value], first a heading. */
const tooltip = {
  box : null,
  show(target, heading, rows) {
    if (!tooltip.box)
      document.body.append((tooltip.box = h("div", {id : "tooltip", role : "status"})));
    tooltip.box.replaceChildren(h("strong", {}, heading), facts(rows));
    tooltip.box.classList.add("shown");
    const around = target.getBoundingClientRect();
    const own = tooltip.box.getBoundingClientRect();
    const left = Math.min(Math.max(8, around.left + Math.min(around.width, 80) / 2 - own.width / 2),
                          innerWidth - own.width - 8);
    const below = around.bottom + 8;
    const top = below + own.height < innerHeight ? below : Math.max(8, around.top - own.height - 8);
    tooltip.box.style.left = left + "px";
    tooltip.box.style.top = top + "px";
  },
  hide() {
    if (tooltip.box)
      tooltip.box.classList.remove("shown");
  },
};
addEventListener("scroll", tooltip.hide, {passive : true});
addEventListener("keydown", (event) => event.key === "Escape" && tooltip.hide());

/**
 * A chart that is drawn again when its width changes. `draw(svg, width)` gets an
 * empty svg and returns its height.
 */
function chart(label, draw, attributes = {}) {
  const svg = d3.create("svg").attr("role", "group").attr("aria-label", label).node();
  const box = h("div", {class : "chart", ...attributes}, svg);
  let drawn = 0;
  const redraw = () => {
    const width = Math.floor(box.clientWidth);
    if (!width)
      return;
    drawn = width;
    svg.replaceChildren();
    const height = draw(d3.select(svg), width);
    d3.select(svg).attr("viewBox", `0 0 ${width} ${height}`).attr("width", width).attr("height", height);
  };
  box.redraw = redraw;
  new ResizeObserver(() => Math.floor(box.clientWidth) !== drawn && requestAnimationFrame(redraw))
      .observe(box);
  return box;
}

/**
 * One stop of the Tab key for many marks: arrow keys go on from there. `next(i, key)`
 * is the mark that a key leads to, or undefined.
 */
function roving(marks, next) {
  const nodes = marks.nodes();
  nodes.forEach((node, i) => node.setAttribute("tabindex", i ? "-1" : "0"));
  const indices = new Map(nodes.map((node, i) => [node, i]));
  marks.on("keydown.roving", function() {
    const target = next(indices.get(this), d3.event.key);
    if (target === undefined || !nodes[target])
      return;
    d3.event.preventDefault();
    this.setAttribute("tabindex", "-1");
    nodes[target].setAttribute("tabindex", "0");
    nodes[target].focus();
  });
}

/** Keyboard navigation along a list: left and up, right and down, Home, End. */
function alongList(length) {
  const steps = {ArrowLeft : -1, ArrowUp : -1, ArrowRight : 1, ArrowDown : 1};
  return (i, key) => key === "Home"  ? 0
                     : key === "End" ? length - 1
                     : key in steps  ? Math.min(Math.max(i + steps[key], 0), length - 1)
                                     : undefined;
}

/** Light, dark, or the system's setting. */
function themeSwitch() {
  const stored = () => {
    try {
      return localStorage.getItem("gpu-cost-opt-theme");
    } catch (error) {
      return null;
    }
  };
  const apply = (theme) => {
    if (theme === "auto")
      document.documentElement.removeAttribute("data-theme");
    else
      document.documentElement.setAttribute("data-theme", theme);
    try {
      localStorage.setItem("gpu-cost-opt-theme", theme);
    } catch (error) { /* A page from disk may have no storage. */
    }
  };
  const first = [ "light", "dark" ].includes(stored()) ? stored() : "auto";
  apply(first);
  const control =
      choice("theme", [ [ "auto", "auto" ], [ "light", "light" ], [ "dark", "dark" ] ], first, apply);
  control.id = "theme";
  return control;
}

/** Download of the data, and credits for the chart library. */
function footer(text, name) {
  const save = () => {
    const link = h(
        "a", {href : URL.createObjectURL(new Blob([ text ], {type : "application/json"})), download : name});
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  return h("footer", {},
           h("p", {}, "This page is one file and loads nothing. Its data is in it: ",
             h("button", {type : "button", onclick : save}, "save as JSON"), "."),
           h("details", {id : "license-text"}, h("summary", {}, "Charts by D3 " + d3.version + ": licence"),
             h("pre", {}, document.getElementById("license").content.textContent)));
}
