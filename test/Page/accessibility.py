#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that everyone can read and operate the tool's pages.

usage: accessibility.py [--tool build/bin/gpu-cost-opt] [--only NAME]

It writes pages of every kind and opens them in a browser, at 1280 and 390 px, light and dark, with all parts expanded.
axe-core must find no violation; text in charts must have a contrast of 4.5 (WCAG 2.1, 1.4.3) to its background; nothing
may be cut; the Tab key must reach every control and show where it is. Any two colours of one chart must differ by a
CIEDE2000 of 10, also as people with protanopia, deuteranopia or tritanopia see them.

Needs a browser and the packages axe-playwright-python (only its copy of axe-core) and daltonlens.
"""
import argparse
import importlib.util
import itertools
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np
from daltonlens import simulate

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "utils" / "python"), str(ROOT / "test" / "Page")]

import browser  # noqa: E402
import layout  # noqa: E402

LEAST_CONTRAST = 4.5
LEAST_DIFFERENCE = 10
GPT2 = "models/gpt2.onnx --seq=128"
DEPLOY = "deploy examples/llama-3.1-8b --prefill-chunk=512 --batch-limit=32"
PAGES = {
    "report": "models/bert-large.onnx --target=a100-bf16 --batch=16 --seq=128 --price=3 --grid=350 --samples=1000000",
    "training": f"{GPT2} --target=v100-fp16 --mode=training --batch=2 --gpus=4 --parallel=ddp --grad-accum=2 --sensitivities",
    "fallback": "test/Report/Inputs/names.mlir --target=a100-fp32",
    "sweep": "sweep models/bert-large.onnx --target=a100,h100,l40s --batch=1,8,512 --mode=training --seq=512 --price=3 --grid=350",
    "optimum": f"optimize {GPT2} --target=a100,t4 --batch=1,8 --minimize=energy --subject-to=time<=1.5*best --price=3 --grid=350",
    "plan": "plan examples/llama-3.1-8b --target=h100-bf16 --gpus=8 --global-batch=16 --seq=4096 --price=3 --grid=350",
    "deployment": f"{DEPLOY} --target=h100,h200 --precision=bf16,fp8 --tp=1 --load=day --requests-per-second=20 --price=3 --grid=350",
    "generation": "generate test/Generate/Inputs/pipeline.json --target-file=examples/h100.mlir --batch=1,2",
    "comparison": f"compare {GPT2} --batch=2 --target=a100-bf16 --against=attention=flash",
}

# Expands everything that is folded, including the first kernel.
EXPAND = """document.querySelectorAll("tr[data-kernel] button").forEach((button, i) => i === 0 && button.click());
document.querySelectorAll("details").forEach((each) => { each.open = true; });"""

AXE = """axe.run(document, {resultTypes: ["violations"]}).then((result) => result.violations.map((each) =>
  `${each.id} (${each.help}): ${each.nodes.map((node) => node.html.slice(0, 120)).slice(0, 3).join(" ")}`))"""

# [text, colour, colours of the layers below it with their opacity, from below] of texts in charts.
CHART_TEXTS = """[...document.querySelectorAll("svg text")].filter((e) => e.textContent && e.getBoundingClientRect().width).map((e) => {
  const layers = [[getComputedStyle(document.body).backgroundColor, 1]];
  const cell = e.closest(".cell");
  const rect = cell && getComputedStyle(cell.querySelector("rect"));
  if (rect) layers.push([rect.fill, Number(rect.fillOpacity)]);
  return [e.textContent, getComputedStyle(e).fill, layers];
})"""

# {chart: the colour of each of its parts}, whichever parts this page has.
COLOURS = """(() => {
  const charts = {
    time: [...bounds.map(([key]) => boundClass(key)), "between", "links"],
    power: powerParts.map(([, , style]) => "power-" + style),
    memory: [...heldMemory({iteration: {peak_memory_bytes: 4, parameter_bytes: 1, optimizer_bytes: 1, workspace_bytes: 1}}, []).map(
      ([, style]) => style), "memory-live"],
    points: pointClasses,
    stages: stageStyles,
    request: requestPhases({}).map(({style}) => style),
  };
  const back = getComputedStyle(document.body).backgroundColor;
  return Object.fromEntries(Object.entries(charts).map(([chart, styles]) => [chart, {background: back, ...Object.fromEntries(styles.map((style) => {
    const swatch = h("span", {class: "swatch " + style});
    document.body.append(swatch);
    const colour = getComputedStyle(swatch).backgroundColor;
    swatch.remove();
    return [style, colour];
  }))}]));
})()"""

# The focused element, and whether it differs from itself without focus.
FOCUS = """(() => {
  const e = document.activeElement;
  if (!e || e === document.body) return null;
  const label = e.matches("input[type=radio]") ? e.nextElementSibling : e.matches(".cell") ? e.querySelector("rect") : e;
  const style = getComputedStyle(label);
  const name = `${e.localName}.${e.getAttribute("class") || e.id}: ${(e.getAttribute("aria-label") || e.textContent).slice(0, 40)}`;
  return [name, style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2 || label.namespaceURI.endsWith("svg") && parseFloat(style.strokeWidth) >= 2];
})()"""

# Stops of the Tab key; radio buttons of one name are one stop.
STOPS = """new Set([...document.querySelectorAll("a[href], button, input, select, summary, [tabindex='0']")].filter(
  (e) => !e.hidden && (e.checkVisibility ? e.checkVisibility() : true)).map((e) => e.type === "radio" ? e.name : e)).size"""


def rgb(text):
    """0 to 255 per channel from "rgb(1, 2, 3)"."""
    match = re.fullmatch(r"rgb\((\d+), (\d+), (\d+)\)", text)
    if not match:
        sys.exit(f"accessibility.py: expected an opaque colour, found {text}")
    return np.array([float(each) for each in match.groups()])


def linear(colour):
    """Light per channel, 0 to 1 (sRGB, IEC 61966-2-1)."""
    share = colour / 255
    return np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)


def contrast(one, other):
    """The contrast ratio of WCAG 2.1, 1 to 21."""
    low, high = sorted(float(linear(each) @ [0.2126, 0.7152, 0.0722]) for each in (one, other))
    return (high + 0.05) / (low + 0.05)


def lab(colour):
    """CIE L*a*b* for D65."""
    to_xyz = np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]])
    xyz = to_xyz @ linear(colour) / [0.95047, 1, 1.08883]
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return 116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])


def difference(one, other):
    """CIEDE2000 between two colours in L*a*b* (Sharma, Wu and Dalal, 2005, equations 2 to 22)."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean = ((np.hypot(a1, b1) + np.hypot(a2, b2)) / 2) ** 7
    stretch = 1.5 - 0.5 * np.sqrt(mean / (mean + 25**7))
    c1, c2 = np.hypot(a1 * stretch, b1), np.hypot(a2 * stretch, b2)
    h1, h2 = (np.degrees(np.arctan2(b, a * stretch)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0
    hue = h1 + turn / 2 if c1 * c2 else h1 + h2
    light, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    cosine = [np.cos(np.radians(angle)) for angle in (hue - 30, 2 * hue, 3 * hue + 6, 4 * hue - 63)]
    t = 1 + np.dot([-0.17, 0.24, 0.32, -0.20], cosine)
    angle = 30 * np.exp(-(((hue % 360 - 275) / 25) ** 2))
    rotation = -np.sin(np.radians(2 * angle)) * 2 * np.sqrt(chroma**7 / (chroma**7 + 25**7))
    dl = (l2 - l1) / (1 + 0.015 * (light - 50) ** 2 / np.sqrt(20 + (light - 50) ** 2))
    dc = (c2 - c1) / (1 + 0.045 * chroma)
    dh = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn / 2)) / (1 + 0.015 * chroma * t)
    return float(np.sqrt(dl**2 + dc**2 + dh**2 + rotation * dc * dh))


def visions():
    """{name: function of a colour}: DaltonLens recommends Vienot 1999, and Brettel 1997 for tritanopia."""
    vienot, brettel = simulate.Simulator_Vienot1999(), simulate.Simulator_Brettel1997()

    def seen(simulator, deficiency):
        return lambda colour: simulator.simulate_cvd(colour.astype(np.uint8).reshape(1, 1, 3), deficiency, severity=1.0)[0, 0].astype(float)

    return {"normal vision": lambda colour: colour, "protanopia": seen(vienot, simulate.Deficiency.PROTAN),
            "deuteranopia": seen(vienot, simulate.Deficiency.DEUTAN), "tritanopia": seen(brettel, simulate.Deficiency.TRITAN)}


def closest(colours, see):
    """(difference, name, name) of the two most similar of {name: colour}."""
    seen = {name: lab(see(colour)) for name, colour in colours.items()}
    return min((difference(seen[a], seen[b]), a, b) for a, b in itertools.combinations(seen, 2))


def check_colours(tab, theme):
    for chart, styles in tab.run(COLOURS).items():
        colours = {style: rgb(text) for style, text in styles.items()}
        for vision, see in visions().items():
            found, one, other = closest(colours, see)
            if found < LEAST_DIFFERENCE:
                yield f"{theme}: {one} and {other} of the {chart} chart differ by {found:.1f} for {vision}, less than {LEAST_DIFFERENCE}"


def check_contrast(tab):
    for text, colour, layers in tab.run(CHART_TEXTS):
        below = rgb(layers[0][0])
        for layer, opacity in layers[1:]:
            below = below * (1 - opacity) + rgb(layer) * opacity
        found = contrast(rgb(colour), below)
        if found < LEAST_CONTRAST:
            yield f"'{text[:40]}' has a contrast of {found:.2f}, less than {LEAST_CONTRAST}"


def check_keyboard(tab):
    stops = tab.run(STOPS)
    tab.run("document.activeElement.blur()")
    reached = 0
    for _ in range(stops + 2):
        tab.key("Tab")
        focus = tab.run(FOCUS)
        if focus is None:
            break
        name, visible = focus
        reached += 1
        if not visible:
            yield f"the focus of '{name}' is not visible"
    if reached < stops:
        yield f"the Tab key reaches {reached} of {stops} controls"


def check_page(tab, page, axe):
    """Yields the faults of a page."""
    for width, theme in itertools.product(layout.WIDTHS, ("light", "dark")):
        tab.system_theme(theme)
        tab.size(width)
        tab.open(page)
        if (width, theme) == (layout.WIDTHS[0], "light"):
            yield from check_keyboard(tab)
        tab.run(EXPAND)
        tab.frames()
        if theme == "light":
            for fault in layout.faults(tab, width)[0]:
                yield f"{width} px: {fault}"
        for fault in check_contrast(tab):
            yield f"{width} px, {theme}: {fault}"
        tab.run(axe + ";0")
        for fault in tab.run(AXE):
            yield f"{width} px, {theme}: {fault}"


def check_checks(tab, page, axe):
    """The checks find faults that are planted."""
    # The first two pairs of the test data of Sharma, Wu and Dalal.
    for a, b, expected in (((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425), ((50, 2.5, 0), (73, 25, -18), 27.1492)):
        assert abs(difference(a, b) - expected) < 1e-4, difference(a, b)
    assert abs(contrast(np.array([0.0, 0, 0]), np.array([255.0, 255, 255])) - 21) < 1e-9
    red_green = {"red": np.array([180.0, 60, 60]), "green": np.array([100.0, 102, 60])}
    assert closest(red_green, visions()["normal vision"])[0] > 30 > closest(red_green, visions()["deuteranopia"])[0]
    tab.size(390)
    tab.open(page)
    assert not layout.faults(tab, 390)[0] and not list(check_contrast(tab)), "there are faults before any is planted"
    tab.run("""document.querySelector(".number").textContent = "9".repeat(60);
      document.querySelector("svg text").style.fill = "rgb(128, 128, 128)";
      document.querySelector("h1").append(document.createElement("button"));
      document.body.append(h("style", {}, "*:focus, *:focus + span { outline: none !important }"))""")
    tab.run(axe + ";0")
    assert any("button-name" in fault for fault in tab.run(AXE)), "axe-core does not find a button without a name"
    assert any("99999" in fault for fault in layout.faults(tab, 390)[0]), "no wide element is found"
    assert list(check_contrast(tab)), "no low contrast is found"
    assert list(check_keyboard(tab)), "no invisible focus is found"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", type=pathlib.Path, default=ROOT / "build" / "bin" / "gpu-cost-opt")
    parser.add_argument("--only", choices=PAGES, help="check this page only")
    options = parser.parse_args()
    if not browser.find():
        sys.exit("accessibility.py: no browser; install Debian's package chromium")
    package = importlib.util.find_spec("axe_playwright_python").submodule_search_locations[0]
    axe = (pathlib.Path(package) / "axe.min.js").read_text()
    faults, kinds = [], set()
    with tempfile.TemporaryDirectory() as name, browser.Browser() as tab:
        for page, command in PAGES.items():
            if options.only not in (None, page):
                continue
            path = pathlib.Path(name) / f"{page}.html"
            subprocess.run([options.tool.resolve(), *command.split(), "--report=html", "-o", path], cwd=ROOT, check=True, stderr=subprocess.DEVNULL)
            found = list(dict.fromkeys(check_page(tab, path, axe)))
            print(f"{page}: {len(found)} faults")
            faults += [f"{page}: {fault}" for fault in found]
            if page == "report":
                check_checks(tab, path, axe)
            kinds.add(tab.run("document.getElementById('data').dataset.kind"))
        every = set(tab.run("Object.keys(pageKinds)"))
        for theme in ("light", "dark"):
            tab.system_theme(theme)
            tab.open(path)
            faults += check_colours(tab, theme)
    if options.only is None and kinds != every:
        faults.append(f"no page is checked of {sorted(every - kinds)}")
    for fault in faults:
        print(f"accessibility.py: {fault}", file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
