# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads a page that is open in a browser, and computes its numbers and texts without its code."""
import json
import math
import sys


def check(condition, message):
    if not condition:
        sys.exit("pages.py: " + message)


def digits(value):
    """Three significant digits, written without the page's own code."""
    decimals = max(0, 2 - math.floor(math.log10(abs(value)))) if value else 0
    return f"{value:,.{decimals}f}"


def in_unit(value, units):
    factor, name = next(((f, n) for f, n in units if value >= f * 0.9995), units[-1])
    return digits(value / factor) + " " + name


def seconds(value):
    return in_unit(value, [(1, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")])


def grams(value):
    return in_unit(value, [(1e3, "kg"), (1, "g"), (1e-3, "mg"), (1e-6, "µg")])


def joules(value):
    return in_unit(value, [(3.6e6, "kWh"), (1e3, "kJ"), (1, "J"), (1e-3, "mJ"), (1e-6, "µJ")])


def binary(value):
    return in_unit(value, [(2**40, "TiB"), (2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB"), (1, "B")])


# Numbers of the points with a mark in the plot; %s is a further selector.
MARKS = "[...document.querySelectorAll('#pareto .dot%s')].map(e => +e.getAttribute('aria-label').match(/point (\\d+)/)[1])"


def texts(tab, selector):
    return tab.run(f"[...document.querySelectorAll({json.dumps(selector)})].map(e => e.textContent)")


def text(tab, selector):
    return tab.run(f"document.querySelector({json.dumps(selector)}).textContent")


def click(tab, selector):
    """Clicks in the middle of an element, as a person does."""
    x, y = tab.run(f"(e => {{ e.scrollIntoView({{block: 'center'}}); const r = e.getBoundingClientRect();"
                   f" return [r.left + r.width / 2, r.top + r.height / 2]; }})(document.querySelector({json.dumps(selector)}))")
    tab.click(x, y)
    tab.frames()


def front_of(points, x, y):
    """Names of the points that no other one beats in both: by comparing all pairs."""
    def cost(point):
        return [-point[key] if key in ("samples_per_s", "tokens_per_s", "mfu") else point[key] for key in (x, y)]

    def beats(a, b):
        a, b = cost(a), cost(b)
        return a[0] <= b[0] and a[1] <= b[1] and a != b

    able = [p for p in points if p["status"] == "ok"]
    return {p["point"] for p in able if not any(beats(other, p) for other in able)}
