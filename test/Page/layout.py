# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Faults in the layout of a page that is open in a browser: cut texts, texts on top of each other, too wide elements."""

WIDTHS = (1280, 390)

# Boxes of all texts that people see: the range of each text node, cut to the scrolling
# boxes around it. Two of them may not overlap; none may leave the page.
OVERLAPS = """(() => {
  const boxes = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!node.textContent.trim() || parent.closest("script, style, template, noscript, #tooltip, details:not([open]) > :not(summary)")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) {
      let box = {left: rect.left, right: rect.right, top: rect.top, bottom: rect.bottom};
      let clipped = false;
      for (let outer = parent; outer && outer !== document.body; outer = outer.parentElement) {
        if (!["auto", "hidden", "scroll"].includes(getComputedStyle(outer).overflowX)) continue;
        const edge = outer.getBoundingClientRect();
        clipped = clipped || outer.closest(".scroll, .clipped, .stack");
        box = {left: Math.max(box.left, edge.left), right: Math.min(box.right, edge.right), top: Math.max(box.top, edge.top), bottom: Math.min(box.bottom, edge.bottom)};
      }
      if (box.right - box.left < 1 || box.bottom - box.top < 1) continue;
      if (getComputedStyle(parent).visibility === "hidden") continue;
      // The line is taller than its letters.
      const room = (box.bottom - box.top) * 0.2;
      boxes.push({...box, node, top: box.top + room, bottom: box.bottom - room, text: node.textContent.trim().slice(0, 40), cut: !clipped && (rect.right > innerWidth + 1 || rect.left < -1 || rect.right > box.right + 1 || rect.left < box.left - 1)});
    }
  }
  const found = boxes.filter(box => box.cut).map(box => "cut: " + box.text);
  boxes.sort((a, b) => a.top - b.top);
  boxes.forEach((a, i) => {
    for (let j = i + 1; j < boxes.length && boxes[j].top < a.bottom - 1; j++) {
      const b = boxes[j];
      if (a.node !== b.node && a.left < b.right - 1.5 && b.left < a.right - 1.5) found.push(a.text + " | " + b.text);
    }
  });
  return {boxes: boxes.length, found};
})()"""

# Elements that are wider than their box, except those that scroll or shorten their content.
WIDE = """[...document.querySelectorAll("main *")].filter((e) => e.clientWidth && e.scrollWidth > e.clientWidth + 1 &&
  !e.closest("svg, .interval") && !e.matches(".scroll, .clipped, .stack i")).map(
  (e) => `wider than its box: ${e.localName}.${e.className} ${e.textContent.slice(0, 60)}`)"""


def faults(tab, width):
    """The faults in a window of `width` pixels, and how many texts are visible."""
    overlaps = tab.run(OVERLAPS)
    found = overlaps["found"] + tab.run(WIDE)
    wide = tab.run("document.documentElement.scrollWidth")
    if wide > width:
        found.append(f"the page is {wide} px wide in a window of {width}")
    return found, overlaps["boxes"]
