// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Time or energy by module, or by phase, family and bound: an icicle that zooms.

/** The modules that contain a node, and its name: "bert", "layer.0", "query", "MatMul". */
function pathOf(node, scope, fold) {
  const parts =
      shorten(scope, 2000).split("/").flatMap((part) => part.split(/\.(?!\d)/)).filter((part) => part !== "");
  const text = shorten(node, 2000);
  // PyTorch calls its nodes "node_linear_3".
  parts.push(text.slice(text.lastIndexOf("/") + 1).replace(/^node_+/, "") || "(no name)");
  return fold ? parts.map((part, i) => foldNumber(part, i === parts.length - 1)) : parts;
}

/** "layer.3" as "layer.*", to merge equal layers; for ops, "Add_12" as "Add". */
function foldNumber(part, last) {
  return last ? part.replace(/(_\d+)+$/, "") || part : part.replace(/\d+$/, "*");
}

class Tree {
  constructor(name) { this.root = {name, children : new Map(), launches : 0}; }
  add(path, value, launches, kernel) {
    let node = this.root;
    for (const part of path) {
      if (!node.children.has(part))
        node.children.set(part, {name : part, children : new Map(), launches : 0});
      node = node.children.get(part);
    }
    node.value = (node.value || 0) + value;
    node.launches += launches;
    node.kernel = kernel;
  }
  /** The tree for d3; a chain of only children is one node. */
  hierarchy() {
    const plain = (node) => {
      let name = node.name;
      while (node.children.size === 1 && node.value === undefined && node !== this.root) {
        node = node.children.values().next().value;
        // The kernel below the last op adds no information.
        name = node.kernel !== undefined && node.children.size === 0 ? name : name + " / " + node.name;
      }
      return {
        name,
        value : node.value,
        kernel : node.kernel,
        launches : node.launches,
        children : [...node.children.values() ].map(plain)
      };
    };
    const root =
        d3.hierarchy(plain(this.root)).sum((node) => node.value || 0).sort((a, b) => b.value - a.value);
    return d3.partition()(root);
  }
}

const measures = {
  time : {of : (kernel) => kernel.time_us * 1e-6, write : format.seconds, word : "kernel time"},
  energy : {of : (kernel) => kernel.energy_j, write : format.joules, word : "energy of kernels"},
};

function moduleTree(report, measure, fold) {
  const tree = new Tree(lastPart(report.model));
  const {launches, nodes, scopes} = report.details;
  const several = new Set(report.kernels.map((kernel) => kernel.phase)).size > 1;
  launches.kernel.forEach((k, i) => {
    const kernel = report.kernels[k];
    const path = pathOf(nodes[launches.node[i]], scopes[launches.node[i]], fold);
    if (several)
      path.unshift(kernel.phase);
    path.push(kernel.label + " " + kernel.shape);
    tree.add(path, measure.of(kernel) * launches.count[i], launches.count[i], k);
  });
  return tree.hierarchy();
}

function kindTree(report, measure) {
  const tree = new Tree(lastPart(report.model));
  report.kernels.forEach((kernel, k) => tree.add(
                             [
                               kernel.phase, kernel.family.replace("_", " "), boundName(kernel.bound),
                               `${kernel.label} ${kernel.shape}`
                             ],
                             measure.of(kernel) * kernel.count, kernel.count, k));
  return tree.hierarchy();
}

/** The bound with the largest part of a node. */
function boundOf(node, kernels) {
  const sums = new Map();
  for (const leaf of node.leaves())
    if (leaf.data.kernel !== undefined) {
      const bound = kernels[leaf.data.kernel].bound;
      sums.set(bound, (sums.get(bound) || 0) + leaf.value);
    }
  let most = "unknown";
  for (const [bound, value] of sums)
    if (!sums.has(most) || value > sums.get(most))
      most = bound;
  return most;
}

const icicleRow = 26, icicleDepth = 9;

function drawCells(svg, width, state) {
  const {focus, measure, report} = state;
  const scale = d3.scaleLinear().domain([ focus.x0, focus.x1 ]).range([ 0, width ]);
  const cells = focus.descendants().filter((node) => node.depth - focus.depth < icicleDepth &&
                                                     scale(node.x1) - scale(node.x0) >= 1.5);
  const depth = d3.max(cells, (node) => node.depth) - focus.depth + 1;
  const groups =
      svg.selectAll("g")
          .data(cells)
          .enter()
          .append("g")
          .attr("class",
                (node) => `cell ${boundClass(boundOf(node, report.kernels))}${node.children ? " inner" : ""}`)
          .attr("role", "button")
          .attr("transform",
                (node) => `translate(${scale(node.x0)},${(node.depth - focus.depth) * icicleRow})`)
          .attr("aria-label", (node) => `${shorten(node.data.name)}: ${measure.write(node.value)}, ${
                                  format.share(node.value / state.root.value)}`);
  const widthOf = (node) => Math.max(1, scale(node.x1) - scale(node.x0) - 1);
  groups.append("rect").attr("width", widthOf).attr("height", icicleRow - 1);
  groups.append("text").attr("x", 4).attr("y", 17).text(
      (node) => fitText(`${node.data.name}  ${format.share(node.value / state.root.value)}`, widthOf(node)));
  return {cells, groups, height : depth * icicleRow};
}

function describeCell(node, state) {
  const kernel =
      node.data.kernel === undefined || node.children ? null : state.report.kernels[node.data.kernel];
  const launches = d3.sum(node.leaves(), (leaf) => leaf.data.launches);
  const rows = [
    [
      state.measure.word, `${state.measure.write(node.value)}, ${format.share(node.value / state.root.value)}`
    ],
    [ "launches", format.count(launches) ],
    [ kernel ? "limited by" : "mostly limited by", boundName(boundOf(node, state.report.kernels)) ]
  ];
  if (kernel)
    rows.push([ "kernel", shorten(`${kernel.label} ${kernel.shape}`) ],
              [ "one launch", `${format.us(kernel.time_us)}, ${format.watts(kernel.power_w)}` ]);
  return rows;
}

/** Keyboard navigation in the tree. */
function treeKeys(cells) {
  const index = new Map(cells.map((node, i) => [node, i]));
  return (i, key) => {
    const node = cells[i];
    if (key === "ArrowUp")
      return index.get(node.parent);
    if (key === "ArrowDown")
      return (node.children || []).map((child) => index.get(child)).find((at) => at !== undefined);
    if (key !== "ArrowLeft" && key !== "ArrowRight")
      return undefined;
    const row = cells.filter((other) => other.depth === node.depth).sort((a, b) => a.x0 - b.x0);
    return index.get(row[row.indexOf(node) + (key === "ArrowLeft" ? -1 : 1)]);
  };
}

function icicleSection(report, showKernel) {
  const state = {report, by : report.details ? "modules" : "kinds", measure : measures.time, fold : true};
  const trail = h("nav", {class : "trail", "aria-label" : "zoomed to"});
  const box = chart("icicle of " + measures.time.word, (svg, width) => {
    const {cells, groups, height} = drawCells(svg, width, state);
    groups.on("click", zoom)
        .on("mouseenter focus",
            function(node) { tooltip.show(this, shorten(node.data.name, 300), describeCell(node, state)); })
        .on("mouseleave blur", tooltip.hide)
        .on("keydown.zoom", (node) => {
          const key = d3.event.key;
          if (key === "Enter" || key === " ")
            zoom(node);
          else if ((key === "Escape" || key === "Backspace") && state.focus.parent)
            zoom(state.focus.parent);
          else
            return;
          d3.event.preventDefault();
        });
    roving(groups, treeKeys(cells));
    return height;
  }, {id : "icicle"});
  function zoom(node) {
    tooltip.hide();
    if (!node.children && node.data.kernel !== undefined)
      return showKernel(node.data.kernel);
    const held = box.contains(document.activeElement);
    state.focus = node;
    show();
    if (held)
      box.querySelector("g").focus();
  }
  function show() {
    trail.replaceChildren(
        ...state.focus.ancestors().reverse().flatMap(
            (node, i,
             all) => [i ? " › " : "", i === all.length - 1
                                          ? h("b", {}, shorten(node.data.name, 60))
                                          : h("button", {type : "button", onclick : () => zoom(node)},
                                              shorten(node.data.name, 60))]),
        ` ${state.measure.write(state.focus.value)}`);
    box.redraw();
  }
  function rebuild() {
    state.root = state.by === "modules" ? moduleTree(report, state.measure, state.fold)
                                        : kindTree(report, state.measure);
    state.focus = state.root;
    show();
  }
  const set = (key, read) => (value) => {
    state[key] = read ? read(value) : value;
    rebuild();
  };
  const controls =
      h("div", {class : "controls"},
        report.details ? choice("by", [ [ "modules", "module" ], [ "kinds", "phase, family, bound" ] ],
                                state.by, set("by"))
                       : null,
        choice("show", [ [ "time", "time" ], [ "energy", "energy" ] ], "time",
               set("measure", (key) => measures[key])),
        report.details ? choice("layers", [ [ "fold", "equal ones together" ], [ "each", "one by one" ] ],
                                "fold", set("fold", (key) => key === "fold"))
                       : null);
  const used = new Set(report.kernels.map((kernel) => kernel.bound));
  const content = section(
      "where", "Where the time goes",
      "Width is time; each row is a part of the one above it. Click a part to zoom in, a kernel to see why it takes so long.",
      controls, trail, box, boundLegend(used));
  rebuild();
  return content;
}
