# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the tool's pages in a browser with the data in them.

usage: pages.py report PAGE JSON | training PAGE | sweep PAGE | comparison PAGE JSON | optimum PAGE JSON |
                plan PAGE JSON | deployment PAGE JSON | generation PAGE JSON | runs PAGE | large PAGE | hostile PAGE | quiet PAGE...

Each check opens the page in a real browser. Whatever the page shows, it must print no
error, load nothing, and overlap nowhere.
"""
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "utils" / "python"))

import browser  # noqa: E402
import layout  # noqa: E402
from reading import binary, check, click, digits, front_of, grams, joules, MARKS, seconds, text, texts  # noqa: E402


def check_layout(tab, page):
    """At every width: no text is cut or lies on another one, and nothing is wider than its box."""
    for width in layout.WIDTHS:
        tab.size(width)
        tab.open(page)
        check_quiet(tab, page)
        found, boxes = layout.faults(tab, width)
        check(boxes > 30, f"only {boxes} texts at {width} px")
        check(not found, f"at {width} px: {found[:6]}")
    tab.size(1280)
    tab.open(page)


def check_quiet(tab, page):
    check(not tab.errors, f"errors in the console: {tab.errors[:3]}")
    own = pathlib.Path(page).resolve().as_uri()
    others = [url for url in tab.requests if url != own and not url.startswith("blob:")]
    check(not others, f"the page loads {others[:3]}")


def check_theme(tab, page):
    """The system's theme is used until the user chooses one."""
    back = "getComputedStyle(document.body).backgroundColor"
    seen = {}
    for theme in ("light", "dark"):
        tab.system_theme(theme)
        tab.open(page)
        seen[theme] = tab.run(back)
    check(seen["light"] != seen["dark"], f"both themes have the background {seen['light']}")
    click(tab, "#theme input[value=light] + span")
    check(tab.run(back) == seen["light"], "the switch does not turn the light on")
    click(tab, "#theme input[value=auto] + span")
    check(tab.run(back) == seen["dark"], "the switch does not go back to the system's theme")
    tab.system_theme("light")


def check_print(tab, page):
    """On paper: light, without controls, and no column beyond the edge."""
    tab.size(760)
    tab.system_theme("dark")
    tab.open(page)
    tab.call("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    tab.frames()
    check(tab.run("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)", "paper is not white")
    check(tab.run("document.documentElement.scrollWidth") <= 760, "the page is wider than the paper")
    check(tab.run("document.getElementById('search').offsetParent === null"), "the search is printed")
    tab.call("Emulation.setEmulatedMedia", media="", features=[])
    tab.system_theme("light")


def check_numbers(tab, report):
    """The headline, the table and the tree show the values of the JSON."""
    i = report["iteration"]
    cards = {"time": seconds(i["time_ms"] * 1e-3), "power": digits(i["avg_power_w"]) + " W", "energy": joules(i["energy_j"]), "memory": binary(i["device_bytes"])}
    for name, expected in cards.items():
        found = text(tab, f"#card-{name} .number").replace("\u00a0", " ")
        check(found == expected, f"the {name} is '{found}', not '{expected}'")
    low, high = seconds(i["time_low_ms"] * 1e-3).split(), seconds(i["time_high_ms"] * 1e-3).split()
    check(f"80 %: {low[0]} to {high[0]} {high[1]}" in text(tab, "#card-time"), "the interval of the time")
    check(("fits in" in text(tab, "#card-memory")) == i["fits_in_memory"], "whether it fits")
    costs = [report["run"]["total"], report["run"]["per_million_samples"], report["run"]["per_million_tokens"]]
    shown = tab.run("[...document.querySelectorAll('#run-costs tbody tr')].map(r => [...r.cells].map(c => c.textContent))")
    check([row[3].split(" (")[0] for row in shown] == [digits(cost["money"]) for cost in costs], f"the money of the run in {shown}")
    check([row[4].split(" (")[0] for row in shown] == [grams(cost["co2e_kg"] * 1e3) for cost in costs], f"the CO2e of the run in {shown}")
    rows = tab.run("[...document.querySelectorAll('#kernel-table tbody tr')].map(r => [...r.cells].map(c => c.textContent))")
    check(len(rows) == min(100, len(report["kernels"])), f"{len(rows)} rows")
    for row, kernel in zip(rows, report["kernels"]):
        expected = [f"▸{100 * kernel['time_fraction']:.2f}", f"{kernel['count']:,}", seconds(kernel["time_us"] * 1e-6),
                    seconds(kernel["total_us"] * 1e-6)]
        check(row[:4] == expected, f"the row {row[:4]} is not {expected}")
        check(row[11] == joules(kernel["energy_j"] * kernel["count"]), f"energy of the row {row}")
    total = sum(k["total_us"] for k in report["kernels"] if k["phase"] != "communication") * 1e-6
    shown = tab.run("document.querySelector('#icicle g').getAttribute('aria-label')")
    check(shown.endswith(f"{seconds(total)}, 100 %"), f"the whole of the tree is '{shown}', not {seconds(total)}")
    # The widths of the stacked bar are shares of the time.
    widths = tab.run("[...document.querySelectorAll('.stack i')].map(e => parseFloat(e.style.width))")
    check(abs(sum(widths) - 100) < 0.1, f"the bar adds up to {sum(widths)} %")
    host = i["host_wait_ms"] / i["time_ms"] * 100
    check(host == 0 or abs(min(widths, key=lambda w: abs(w - host)) - host) < 0.2, "waits for the host in the bar")


def check_search_and_sort(tab, report):
    kernels = report["kernels"]
    names = ("name", "op", "label", "shape", "family", "phase", "format", "origin")
    tab.run("document.getElementById('search').blur()")
    tab.key("/", text="/")
    for letter in "gelu":
        tab.key(letter, text=letter)
    tab.frames()
    found = tab.run("[...document.querySelectorAll('#kernel-table tr[data-kernel]')].map(r => +r.dataset.kernel)")
    expected = [k for k, kernel in enumerate(kernels) if "gelu" in "\n".join(kernel[n] for n in names).lower()]
    check(found == expected and 0 < len(found) < len(kernels), f"the search finds {found}, not {expected}")
    tab.run("(e => { e.value = ''; e.dispatchEvent(new Event('input')); })(document.getElementById('search'))")
    for key, value in (("energy", lambda k: k["energy_j"] * k["count"]), ("shape", lambda k: k["shape"])):
        for clicks in (1, 2):
            click(tab, f"button[data-key={key}]")
            order = tab.run("[...document.querySelectorAll('#kernel-table tr[data-kernel]')].map(r => +r.dataset.kernel)")
            down = (clicks == 1) == (key == "energy")
            values = [value(kernels[k]) for k in order]
            check(values == sorted(values, reverse=down), f"sorted by {key}, {'descending' if down else 'ascending'}: {values[:5]}")
            state = tab.run(f"document.querySelector('button[data-key={key}]').parentElement.getAttribute('aria-sort')")
            check(state == ("descending" if down else "ascending"), f"aria-sort is {state}")
    click(tab, "button[data-key=total]")


def check_why(tab, report):
    """The terms of a kernel's time, joined according to equation W1, are its time."""
    for kernel, details in zip(report["kernels"], report["details"]["kernels"]):
        t = details["time"]
        parts = [t[n + "_us"] for n in ("compute", "l2", "issue", "rows", "dram", "power_roof")]
        time = sum(p ** t["norm"] for p in parts) ** (1 / t["norm"]) + t["exposed_us"] + t["serial_us"] + t["fixed_us"]
        check(abs(time / kernel["time_us"] - 1) < 1e-5, f"(W1) of {kernel['label']}: {time}, not {kernel['time_us']}")
    click(tab, "tr[data-kernel='0'] button")
    why = text(tab, ".reason")
    kernel = report["kernels"][0]
    check(f"= {seconds(kernel['time_us'] * 1e-6)}" in why, "the equation ends with the time")
    for group in report["details"]["kernels"][0]["coefficients"]:
        check(report["details"]["coefficients"][group]["provenance"] in why, "the source of the coefficients")
    click(tab, "tr[data-kernel='0'] button")
    check(tab.run("document.querySelectorAll('.reason').length") == 0, "the row does not close")


def check_zoom(tab):
    """By keys: down a level, zoom, and out again; by pointer: zoom and the trail."""
    whole = text(tab, ".trail")
    tab.run("document.querySelector('#icicle g').focus()")
    tab.key("ArrowDown")
    below = tab.run("document.activeElement.getAttribute('aria-label')").split(":")[0]
    tab.key("Enter")
    tab.frames()
    check(below[:20] in text(tab, ".trail"), f"zoomed to '{text(tab, '.trail')}', not to '{below}'")
    check(tab.run("document.activeElement.closest('#icicle') !== null"), "the focus leaves the tree")
    first = tab.run("document.querySelector('#icicle g').getAttribute('aria-label')").split(":")[0]
    check(first == below, f"the first row shows '{first}'")
    tab.key("Escape")
    tab.frames()
    check(text(tab, ".trail") == whole, "Escape does not zoom out")
    click(tab, "#icicle g:nth-of-type(2) rect")
    check(text(tab, ".trail") != whole, "a click does not zoom")
    click(tab, ".trail button")
    check(text(tab, ".trail") == whole, "the trail does not lead back")
    shown = "document.getElementById('tooltip').classList.contains('shown')"
    tab.run("document.querySelector('#roofline-chart').scrollIntoView()")
    tab.frames()
    tab.run("document.querySelector('#roofline-chart circle').focus()")
    check(tab.run(shown) and "tile" in text(tab, "#tooltip"), "no tooltip of the roofline")
    tab.run("document.querySelector('#power-chart .cursor').focus()")
    tab.frames()
    tab.key("ArrowRight")
    check(tab.run(shown) and "idle" in text(tab, "#tooltip"), "no tooltip of the power")
    tab.key("Escape")
    check(not tab.run(shown), "Escape leaves the tooltip")


def check_time_zoom(tab):
    """A drag over the power zooms power and memory; keys and the button lead back."""
    def axis(chart):
        return tab.run(f"[...document.querySelectorAll('#{chart} .axis text')].map(e => e.textContent).join()")

    whole = [axis("power-chart"), axis("memory-chart")]
    tab.run("document.querySelector('#power-chart').scrollIntoView({block: 'center'})")
    tab.frames()
    left, top, width, height = tab.run("(r => [r.left, r.top, r.width, r.height])(document.querySelector('#power-chart .cursor').getBoundingClientRect())")
    tab.drag((left + width * 0.25, top + height / 2), (left + width * 0.5, top + height / 2))
    tab.frames()
    part = [axis("power-chart"), axis("memory-chart")]
    check(part[0] != whole[0] and part[1] != whole[1], "a drag does not zoom both charts")
    span = tab.run("[...document.querySelectorAll('#power button')].filter(b => !b.hidden).length")
    check(span == 1, "no way back to the whole iteration")
    click(tab, "#power button:not([hidden])")
    check([axis("power-chart"), axis("memory-chart")] == whole, "the button does not lead back")
    tab.run("document.querySelector('#memory-chart .cursor').focus()")
    tab.key("+", text="+")
    tab.frames()
    check(axis("memory-chart") != whole[1], "the + key does not zoom")
    check(tab.run("document.activeElement.closest('#memory-chart') !== null"), "the focus leaves the chart")
    tab.key("-", text="-")
    tab.key("-", text="-")
    tab.frames()
    check(axis("memory-chart") == whole[1], "the - key does not lead back")


def check_timeline(tab, report):
    """The stretches of the timeline add up to time and energy of the iteration."""
    time, energy, most = tab.run("""(() => {
      const report = JSON.parse(document.getElementById("data").textContent), list = stretches(report);
      return [list[list.length - 1].end, d3.sum(list, s => d3.sum(s.parts) * (s.end - s.start) * 1e-3), d3.max(list, s => s.live)];
    })()""")
    i = report["iteration"]
    check(abs(time / i["time_ms"] - 1) < 1e-4, f"the timeline ends at {time} ms, not {i['time_ms']}")
    check(abs(energy / i["energy_j"] - 1) < 2e-3, f"the timeline has {energy} J, not {i['energy_j']}")
    # Persistent memory, which the timeline of temporary buffers does not include. (No gradients are kept here.)
    rest = i["parameter_bytes"] + i["optimizer_bytes"] + i["workspace_bytes"]
    check(most == i["peak_memory_bytes"] - rest, f"{most} B come and go at the peak, not {i['peak_memory_bytes'] - rest}")


def check_report(tab, page, data):
    report = json.loads(pathlib.Path(data).read_text())
    tab.size(1280)
    tab.open(page)
    check(tab.run("document.getElementById('data').textContent.trim()") == pathlib.Path(data).read_text().strip().replace("<", "\\u003c"),
          "the data of the page is not the JSON report")
    check_numbers(tab, report)
    check_search_and_sort(tab, report)
    check_why(tab, report)
    check_zoom(tab)
    check_time_zoom(tab)
    check_timeline(tab, report)
    check_theme(tab, page)
    check_print(tab, page)
    check("Mike Bostock" in text(tab, "#license-text"), "the licence of D3")
    check_layout(tab, page)
    size = pathlib.Path(page).stat().st_size
    check(size <= 1.5e6, f"the page has {size} bytes")


def check_training(tab, page):
    """Phases, optimizer states, and the sums of the timeline with them."""
    tab.size(1280)
    tab.open(page)
    report = json.loads(tab.run("document.getElementById('data').textContent"))
    check_timeline(tab, report)
    phases = texts(tab, "#power-chart text.phase")
    check(phases == ["forward", "backward", "optimizer"], f"phases {phases}")
    check("optimizer states" in text(tab, "#memory .legend"), "optimizer states")
    check_layout(tab, page)


def check_sweep(tab, page):
    tab.size(1280)
    tab.open(page)
    check_quiet(tab, page)
    points = json.loads(tab.run("document.getElementById('data').textContent"))["points"]

    def best():
        return {int(label.split()[1].rstrip(":")) for label in
                tab.run("[...document.querySelectorAll('#pareto .best')].map(e => e.getAttribute('aria-label'))")}

    check(best() == front_of(points, "samples_per_s", "energy_per_sample_j"), f"the best points are {sorted(best())}")
    for name, key, write, head in (("money_per_sample", "money_per_iteration", lambda v: digits(v * 1e6), "money per million samples"),
                                   ("co2e_per_sample_g", "co2e_per_iteration_g", grams, "CO2e per sample")):
        least = min(p[key] / (p["samples_per_s"] * p["time_ms"] * 1e-3) for p in points)
        check(text(tab, f"#card-{name} .number") == write(least), f"the card of {name} is not {write(least)}")
        check(text(tab, f"#point-table button[data-key={name}]") == head, f"no column of {name}")
    tab.run("(e => { e.value = 'time_ms'; e.dispatchEvent(new Event('change')); })(document.querySelector('.picker select'))")
    tab.frames()
    check(best() == front_of(points, "time_ms", "energy_per_sample_j"), "the best points after another choice")
    listed = "[...document.querySelectorAll('#point-table tbody tr')].map(r => +r.dataset.point)"
    check(len(tab.run(listed)) == min(100, len(points)), "rows of all points")
    box = tab.run("(r => [r.left, r.top, r.width, r.height])(document.querySelector('#pareto .overlay').getBoundingClientRect())")
    tab.drag((box[0] + 1, box[1] + 1), (box[0] + box[2] / 2, box[1] + box[3] - 1))
    tab.frames()
    inside = tab.run("""[...document.querySelectorAll('#pareto .dot')].filter(e => {
      const r = e.getBoundingClientRect(), o = document.querySelector('#pareto .selection').getBoundingClientRect(), x = (r.left + r.right) / 2;
      return x >= o.left - 0.5 && x <= o.right + 0.5; }).map(e => +e.getAttribute('aria-label').match(/point (\\d+)/)[1])""")
    check(sorted(tab.run(listed)) == sorted(inside) and 0 < len(inside) < len(points), f"the brush lists {tab.run(listed)}, not {inside}")
    tab.run("document.querySelector('#pareto .dot').focus()")
    check("target" in text(tab, "#tooltip") or "gpu" in text(tab, "#tooltip"), "no tooltip of a point")
    check_theme(tab, page)
    check_layout(tab, page)


def open_answer(tab, page, data):
    """Opens a page that has the JSON `data`, and perhaps more; returns both."""
    answer = json.loads(pathlib.Path(data).read_text())
    tab.size(1280)
    tab.open(page)
    check_quiet(tab, page)
    shown = json.loads(tab.run("document.getElementById('data').textContent"))
    check({key: shown[key] for key in answer} == answer, "the data of the page is not the JSON answer")
    return answer, shown


def check_optimum(tab, page, data):
    """The choice, its numbers and its reasons equal the JSON; the plot marks the points within the bounds."""
    answer, shown = open_answer(tab, page, data)
    choice = answer["choice"]
    check(text(tab, "#choice .number") == f"clock {choice['clock']} MHz", f"the choice is '{text(tab, '#choice .number')}'")
    check(text(tab, "#choice-value .number") == joules(answer["value"]), "the value of the choice")
    check(text(tab, "#choice-time_ms .number") == seconds(choice["time_ms"] * 1e-3), "the time of the choice")
    check(text(tab, "#choice-money_per_iteration .number") == digits(choice["money_per_iteration"] * 1e6), "the money of the choice")
    check(text(tab, "#choice-co2e_per_iteration_g .number") == grams(choice["co2e_per_iteration_g"]), "the CO2e of the choice")
    check(digits(abs(100 * (choice["energy_j"] / answer["default"]["energy_j"] - 1))) + " %" in text(tab, "#choice-value"),
          "the savings of the choice")
    check(answer["command"] in text(tab, ".command"), "no command")
    for reason in answer["reasons"]:
        if reason["what"] not in ("points", "choice") and reason["text"] not in text(tab, "#reasons"):
            check(answer["reasons"].index(reason) == 2, f"no reason '{reason['text']}'")  # the numbers of the choice
    kept = {point["point"] for point in shown["all_points"]} - set(shown["points_beyond_bounds"])
    check(len(kept) == answer["allowed"], "how many keep the bounds")
    check(set(tab.run(MARKS % ":not(.infeasible)")) == kept, "filled marks are those that keep the bounds")
    near = len(tab.run(MARKS % ""))
    check(near < answer["points"], "all points at first")
    click(tab, "#front .choice label:last-child span")
    check(len(tab.run(MARKS % "")) == answer["points"], "not all points")
    allowed = [point for point in shown["all_points"] if point["point"] in kept]
    check(set(tab.run(MARKS % ".best")) == front_of(allowed, "time_ms", "energy_j"), "the best points")
    check(texts(tab, "#pareto text.name") == ["default", "choice"], "names in the plot")
    check(len(texts(tab, "#ties tbody tr")) == answer["ties"], "ties")
    tab.run("document.querySelector('#pareto .dot').focus()")
    check("clock" in text(tab, "#tooltip"), "no tooltip of a point")
    check_theme(tab, page)
    check_layout(tab, page)


def check_plan(tab, page, data):
    """Terms, alternatives, both scaling curves, the ranking and the launch arguments equal the JSON."""
    answer, shown = open_answer(tab, page, data)
    plan, choice = answer["plan"], answer["choice"]
    check(text(tab, "#choice-value .number") == seconds(choice["time_ms"] * 1e-3), "the time of the choice")
    widths = tab.run("[...document.querySelectorAll('#plan-time .stack i')].map(e => parseFloat(e.style.width))")
    terms = [each for each in plan["terms"].values() if each > 1e-4 * sum(plan["terms"].values())]
    check(len(widths) == len(terms) > 1, f"{len(widths)} terms, not {len(terms)}")
    check(all(abs(width - 100 * term / sum(terms)) < 0.1 for width, term in zip(widths, terms)), f"widths of terms {widths}")
    check(len(texts(tab, "#without-table tbody tr")) == len(plan["alternatives"]), "alternatives")
    for each in plan["alternatives"]:
        check(f"{each['property']} = {each['chosen']}" in text(tab, "#without-table"), f"no alternative of {each['property']}")
    for key, table in (("scaling", "#scaling-table"), ("weak_scaling", "#weak-scaling-table")):
        rows = texts(tab, f"{table} tbody tr")
        check(len(rows) == len(plan[key]) > 1, f"{len(rows)} rows of {key}")
        for row, each in zip(rows, plan[key]):
            check(digits(each["point"]["samples_per_s"]) in row and digits(100 * each["efficiency"]) + " %" in row, f"row '{row}' of {key}")
    labels = tab.run("[...document.querySelectorAll('#scaling-chart .dot')].map(e => e.getAttribute('aria-label'))")
    check(len(labels) == len(plan["scaling"]) + len(plan["weak_scaling"]), f"marks {labels}")
    tab.run("document.querySelector('#scaling-chart .dot').dispatchEvent(new Event('mouseenter'))")
    check("efficiency" in text(tab, "#tooltip"), "no tooltip of a number of GPUs")
    ranks = tab.run("[...document.querySelectorAll('#ranking tbody tr')].map(r => +r.dataset.point)")
    check(ranks == [each["point"] for each in plan["ranking"]], f"the ranking is {ranks}")
    for name, words in plan["launch"].items():
        check(" ".join(words) in text(tab, "#launch"), f"no arguments of {name}")
    check(plan["against"]["text"] in text(tab, "#against"), "no stated plan")
    check_theme(tab, page)
    check_layout(tab, page)


def check_deployment(tab, page, data):
    """The choice, the phases of a request, the front, the load, and the commands equal the JSON."""
    answer, shown = open_answer(tab, page, data)
    choice = answer["choice"]
    check(text(tab, "#choice-ttft .number") == seconds(choice["ttft_ms"] * 1e-3), "the time to the first token")
    check(text(tab, "#choice-tpot .number") == seconds(choice["tpot_ms"] * 1e-3), "the time per output token")
    check(text(tab, "#choice-energy .number") == joules(choice["energy_per_token_j"]), "the energy per token")
    check(text(tab, "#choice-money .number") == digits(choice["cost_per_million_tokens"]), "the money of a million tokens")
    check(text(tab, "#choice-co2e .number") == grams(choice["carbon_g_per_million_tokens"]), "the CO2e of a million tokens")
    # Little's law of a request: queue, prefill and decode steps are its latency.
    steps = answer["traffic"]["output_tokens"] - 1
    first = choice["ttft_ms"] - choice["answer_ms"]
    latency = first + steps * choice["tpot_ms"]
    check(abs(latency / choice["latency_ms"] - 1) < 1e-6, f"the latency is {choice['latency_ms']}, not {latency}")
    widths = tab.run("[...document.querySelectorAll('#whole-request .stack i')].map(e => parseFloat(e.style.width))")
    decode = 100 * (1 - first / choice["latency_ms"])
    check(abs(sum(widths) - 100) < 0.1 and abs(widths[-1] - decode) < 0.1, f"shares of the request {widths}, decode {decode}")
    ok = [{**each, "point": i} for i, each in enumerate(shown["all_candidates"]) if each["status"] == "ok"]
    kept = [each for each in ok if each["gpus"] <= 4 and each["tpot_ms"] <= 16]
    check(0 < len(kept) < len(ok) and len(kept) == answer["allowed"], f"{len(kept)} of {len(ok)} candidates keep the bound")
    check(set(tab.run(MARKS % ":not(.infeasible)")) == {each["point"] for each in kept}, "filled marks are those that keep the bound")

    def beaten(each):
        return any(other["user_rate"] >= each["user_rate"] and other["gpu_rate"] > each["gpu_rate"] or
                   other["user_rate"] > each["user_rate"] and other["gpu_rate"] >= each["gpu_rate"] for other in kept)

    best = {(each["user_rate"], each["gpu_rate"]) for each in kept if not beaten(each)}
    check({(each["user_rate"], each["gpu_rate"]) for each in answer["front"]} == best, "the Pareto front of the JSON")
    check(len(tab.run(MARKS % ".best")) == len(best), "the Pareto front of the page")
    check(len(texts(tab, "#rival-table tbody tr")) == len(answer["rivals"]), "alternatives")
    rejected = {row["reason"]: row["count"] for row in answer["rejected"]}
    check(rejected["gpus<=4 is not met"] == len(ok) - len(kept), f"rejected candidates {rejected}")
    check(all(reason in text(tab, "#rejected-table") for reason in rejected), "reasons of rejected candidates")
    curve = answer["load_curve"]
    check(len(curve) == 10 and abs(curve[-1]["total_power_w"] / choice["total_power_w"] - 1) < 1e-3, "power at the full load")
    check(all(a["total_power_w"] < b["total_power_w"] for a, b in zip(curve, curve[1:])), "power rises with the load")
    check(len(texts(tab, "#power-load circle")) == len(texts(tab, "#load-table tbody tr")) == 10, "points of the load")
    commands = texts(tab, "#commands .command code")
    check(commands == [line for key in ("serve", "vllm", "sglang", "tensorrt-llm") for line in answer["commands"][key]], "commands")
    click(tab, "#candidate-table button[data-key=energy_per_token_j]")
    order = tab.run("[...document.querySelectorAll('#candidate-table tbody tr')].map(r => +r.dataset.point)")
    energies = [shown["all_candidates"][i]["energy_per_token_j"] for i in order]
    check(energies == sorted(energies) and len(order) == answer["candidates"], "candidates sorted by energy")
    tab.run("document.querySelector('#pareto .dot').focus()")
    check("energy per token" in text(tab, "#tooltip"), "no tooltip of a candidate")
    check_theme(tab, page)
    check_layout(tab, page)


def check_generation(tab, page, data):
    """Latency, energy and stages of one run."""
    report = json.loads(pathlib.Path(data).read_text())
    tab.size(1280)
    tab.open(page)
    check_quiet(tab, page)
    check(json.loads(tab.run("document.getElementById('data').textContent"))["reports"] == [report], "the data of the page")
    for name, expected in (("latency", seconds(report["latency_ms"] * 1e-3)), ("energy", joules(report["energy_per_output_j"])),
                           ("power", digits(report["power_per_gpu_w"]) + " W"), ("memory", binary(report["device_bytes"]))):
        check(text(tab, f"#card-{name} .number") == expected, f"the {name} is '{text(tab, f'#card-{name} .number')}', not '{expected}'")
    for name, key, whole in (("time", "time_ms", report["latency_ms"]), ("energy", "energy_j", report["energy_per_output_j"])):
        widths = tab.run(f"[...document.querySelectorAll('#stage-{name} .stack i')].map(e => parseFloat(e.style.width))")
        expected = [100 * phase[key] / whole for phase in report["phases"]]
        check(all(abs(a - b) < 0.1 for a, b in zip(widths, expected)), f"shares of {name}: {widths}, not {expected}")
    rows = tab.run("[...document.querySelectorAll('#stage-table tbody tr')].map(r => [...r.cells].map(c => c.textContent))")
    check([row[0] for row in rows] == [phase["name"] for phase in report["phases"]], f"stages {rows}")
    check([row[4] for row in rows] == [seconds(phase["time_ms"] * 1e-3) for phase in report["phases"]], f"times {rows}")
    check_theme(tab, page)
    check_layout(tab, page)


def check_runs(tab, page):
    """Several runs: a table, and the details of each."""
    tab.size(1280)
    tab.open(page)
    reports = json.loads(tab.run("document.getElementById('data').textContent"))["reports"]
    check(len(texts(tab, "#run-table tbody tr")) == len(reports) > 1, "rows of runs")
    for i in (0, len(reports) - 1):
        tab.run(f"(e => {{ e.value = '{i}'; e.dispatchEvent(new Event('change')); }})(document.querySelector('.picker select'))")
        tab.frames()
        check(text(tab, "#card-latency .number") == seconds(reports[i]["latency_ms"] * 1e-3), f"latency of run {i}")


def check_comparison(tab, page, data):
    comparison = json.loads(pathlib.Path(data).read_text())
    tab.size(1280)
    tab.open(page)
    check_quiet(tab, page)
    for key in ("before", "after"):
        for name, write in (("time_ms", lambda v: seconds(v * 1e-3)), ("energy_j", joules)):
            found = text(tab, f"#side-{key} [data-quantity={name}]")
            expected = write(comparison["totals"][name][key])
            check(found.startswith(expected), f"{name} {key} is '{found}', not '{expected}'")
    row = texts(tab, "#total-table tr[data-name=time_ms] td")
    change = comparison["totals"]["time_ms"]["relative"]
    check(row[2] == ("+" if change > 0 else "−") + digits(abs(100 * change)) + " %", f"the change is '{row[2]}', not {change}")
    rows = tab.run("document.querySelectorAll('#changed-kernels tbody tr').length")
    check(rows == min(50, len(comparison["kernels"])), f"{rows} changed kernels")
    check_theme(tab, page)
    check_layout(tab, page)


def check_large(tab, page):
    """5,000 kernels: shown, searched, sorted and zoomed within two seconds each. Only the time
    in which the page's thread works counts, so that other load does not matter."""
    tab.size(1280)
    times = {}

    def worked():
        return next(m["value"] for m in tab.call("Performance.getMetrics")["metrics"] if m["name"] == "ThreadTime")

    tab.call("Performance.enable")
    tab.open(page)
    times["show"] = worked()
    count = tab.run("JSON.parse(document.getElementById('data').textContent).kernels.length")
    check(count >= 5000, f"only {count} kernels")
    for name, script in (("search", "(e => { e.value = 'add 77'; e.dispatchEvent(new Event('input')); })(document.getElementById('search'))"),
                         ("sort", "document.querySelector('button[data-key=shape]').click()"),
                         ("zoom", "document.querySelectorAll('#icicle g')[1].dispatchEvent(new MouseEvent('click'))")):
        before = worked()
        tab.run(script)
        tab.frames()
        times[name] = worked() - before
    check_quiet(tab, page)
    for name, value in times.items():
        check(value <= 2, f"{name} takes {value:.2f} s")
    print("5,000 kernels: " + ", ".join(f"{name} {value:.2f} s" for name, value in times.items()), file=sys.stderr)


def check_hostile(tab, page):
    """Names that are scripts, elements or endless stay text, and nothing runs."""
    for width in layout.WIDTHS:
        tab.size(width)
        tab.open(page)
        check_quiet(tab, page)
        check(tab.run("window.hacked === undefined"), "a name has run as a script")
        check(tab.run("document.querySelectorAll('img, iframe, object, b.hostile').length") == 0, "a name has become an element")
        check(tab.run("document.querySelectorAll('script').length") == 3, "a name has closed a script")
        check(tab.run("document.documentElement.scrollWidth") <= width, "a name makes the page wide")
    tab.run("document.querySelectorAll('tr[data-kernel] button').forEach(b => b.isConnected && b.click())")
    tab.frames()
    check(tab.run("window.hacked === undefined"), "a name in a row has run")
    shown = tab.run("document.body.textContent.length - document.getElementById('data').textContent.length")
    check(shown < 1_500_000, f"names take {shown} letters")
    check("<img" in text(tab, "main") or "<script" in text(tab, "main"), "the name is not shown")


def check_quiet_pages(tab, *pages):
    """Reports of all kinds, some without kernels, intervals or details."""
    for page in pages:
        tab.size(1280)
        tab.open(page)
        check_quiet(tab, page)
        check(not re.search(r"\b(NaN|undefined|Infinity|null)\b", text(tab, "main")), f"{page} shows no number")
        check_layout(tab, page)


def main():
    kind, *arguments = sys.argv[1:]
    with browser.Browser() as tab:
        {"report": check_report, "training": check_training, "sweep": check_sweep, "comparison": check_comparison,
         "optimum": check_optimum, "plan": check_plan, "deployment": check_deployment, "generation": check_generation, "runs": check_runs,
         "large": check_large, "hostile": check_hostile, "quiet": check_quiet_pages}[kind](tab, *arguments)
    print(f"{kind}: as expected")


if __name__ == "__main__":
    main()
