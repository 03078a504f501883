#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Recomputes the equations that --explain-op prints from only the printed numbers.

  check_explanations.py --tool build/bin/gpu-cost-opt model.onnx flags...

Every kernel of the report is explained by its number. The launch time (W1) must give its time, the
energy equations (P4) to (P8) its energy, and each equation of its family the number that it ends
with. The last number that the equations give for a term must be that term, and every term must have
an equation. The alternatives must contain the chosen configuration.
"""

import argparse
import ast
import json
import math
import re
import subprocess
import sys

NUMBER = r"[-+0-9.e]+"


class Fault(Exception):
    pass


def same(what, got, want, tolerance=3e-4, least=1e-4):
    if abs(got - want) > tolerance * abs(want) + least:
        raise Fault(f"{what}: {got} from the printed numbers, {want} printed")


def last_number(text):
    """The number after the last '='."""
    return float(re.search(rf"= ({NUMBER})[^=]*$", text).group(1))


def recompute_time(line):
    """(W1): a norm, an exposed share, a maximum, and the added terms."""
    text, total = line.rsplit(" = ", 1)
    value = 0.0
    norm = re.search(rf"\|\|(.*?)\|\|_({NUMBER})", text)
    if norm:
        exponent = float(norm.group(2))
        parts = [float(re.search(rf"({NUMBER})$", part).group(1)) for part in norm.group(1).split(", ")]
        value += sum(part**exponent for part in parts) ** (1 / exponent)
    for share, a, b in re.findall(rf"\+ ({NUMBER})\*min\(({NUMBER}), ({NUMBER})\)", text):
        value += float(share) * min(float(a), float(b))
    for a, b in re.findall(rf"\+ max\(exposedL2 ({NUMBER}), exposedDram ({NUMBER})\)", text):
        value += max(float(a), float(b))
    for name in ("serialIssue", "serialDram", "fixed"):
        for part in re.findall(rf"\+ {name} ({NUMBER})", text):
            value += float(part)
    same("(W1)", value, float(total))
    return float(total)


def recompute_energy(lines):
    """(P3) to (P8), each from the printed results of those before it; mJ."""
    count = 4
    v = last_number(lines["P3"])
    base, voltage, clock, ghz = re.search(
        rf"= ({NUMBER}) \+ ({NUMBER})\*v\^3 \+ ({NUMBER})\*({NUMBER})\*v\^2", lines["P4"]
    ).groups()
    idle = last_number(lines["P4"])
    same("(P4)", float(base) + float(voltage) * v**3 + float(clock) * float(ghz) * v**2, idle)
    scale, core, dram_scale, bytes_, each = re.search(
        rf"E_dyn = ({NUMBER})\*\((.*)\) \+ ({NUMBER})\*DRAM ({NUMBER})\*({NUMBER}) pJ", lines["P5"]
    ).groups()
    events = sum(float(n) * float(e) for n, e in re.findall(rf"({NUMBER})\*({NUMBER}) pJ", core))
    dynamic = (float(scale) * events + float(dram_scale) * float(bytes_) * float(each)) * 1e-9
    same("(P5)", dynamic, last_number(lines["P5"]))
    watts, time, dynamic = re.search(rf"E = ({NUMBER}) W\*({NUMBER}) us \+ ({NUMBER}) =", lines["P6"]).groups()
    alone = last_number(lines["P6"])
    same("(P6)", float(watts) * float(time) * 1e-3 + float(dynamic), alone)
    if "P8" not in lines:
        return alone, count
    limit, share, power, got, watts, time, energy = re.search(
        rf"min\(({NUMBER}|inf), ({NUMBER}|inf)\*({NUMBER})\) = ({NUMBER}) W, E = ({NUMBER}) W\*({NUMBER}) us = ({NUMBER})",
        lines["P8"],
    ).groups()
    same("(P8)", min(float(limit), float(share) * float(power)), float(got))
    same("(P8) power", alone / float(time) * 1e3, float(power))
    same("(P8) energy", float(watts) * float(time) * 1e-3, float(energy))
    return float(energy), count + 1


class Names(dict):
    """Values of the names that an explanation has given so far; us, MHz = 1/us, GB/s = 1000 bytes/us. [a > b] is 1 or 0."""

    functions = {"inf": math.inf, "min": min, "max": max, "clamp": lambda x, low, high: min(max(x, low), high),
                 "ceil": lambda x: math.ceil(x - 1e-4 * abs(x)) if abs(x) > 1e4 else math.ceil(x), "floor": math.floor, "exp": math.exp, "sqrt": math.sqrt, "norm": lambda p, *x: sum(v**p for v in x) ** (1 / p)}

    def value(self, text):
        text = re.sub(r"(?<=[0-9f)]) (us|cycles|bytes|MHz)\b", "", text)
        text = re.sub(r"\[([^]]*)\]", r"(\1)", text)
        text = re.sub(rf"({NUMBER}) GB/s", r"(\1*1000)", text)
        text = re.sub(rf"\|\|((?:[^|])*)\|\|_({NUMBER})", r"norm(\2, \1)", text)
        tree = ast.parse(text.replace("^", "**").strip(), mode="eval")
        allowed = (ast.Expression, ast.BinOp, ast.UnaryOp, ast.Call, ast.Compare, ast.Name, ast.Load, ast.Constant, ast.operator, ast.unaryop, ast.cmpop)
        if not all(isinstance(node, allowed) for node in ast.walk(tree)):
            raise Fault(f"not arithmetic: {text}")
        return eval(compile(tree, "equation", "eval"), {"__builtins__": {}}, {**self.functions, **self})


def recompute_terms(equations):
    """Every statement "name = expression = number" between the sections, from the printed numbers and names only; the
    names with their values, and the number of equations that could be wrong."""
    names, count = Names(), 0
    for name, id_, line in equations:
        for statement in line.split("; "):
            if " = " not in statement:
                raise Fault(f"{name} ({id_}): not an equation: {statement}")
            left, *sides = statement.split(" = ")
            if not left.isidentifier():
                raise Fault(f"{name} ({id_}): not a name: {left}")
            try:
                values = [names.value(side) for side in sides]
            except (SyntaxError, NameError, TypeError, ZeroDivisionError) as fault:
                raise Fault(f"{name} ({id_}) {statement}: {fault}") from None
            for value in values[:-1]:
                same(f"{name} ({id_}) {left}", value, values[-1], least=1e-3)
            count += len(values) > 1
            names[left] = values[-1]
    return names, count


EQUATION = re.compile(r"^  (\w[^()=]*) \(([A-Z]\d+)\) +(.*)$", re.M)


def check(text, kernel):
    """Checks the equations that explain one kernel of the report; returns their number."""
    lines = {id_: line for _, id_, line in EQUATION.findall(text)}
    time = recompute_time(lines["W1"])
    same("time", time, kernel["time_us"])
    energy, count = recompute_energy(lines)
    same("energy", energy, kernel["energy_j"] * 1e3)
    launches = re.search(rf"(\d+) launches: ({NUMBER}) us", text)
    if int(launches.group(1)) != kernel["count"]:
        raise Fault(f"{launches.group(1)} launches, {kernel['count']} in the report")
    same("all launches", float(launches.group(2)), kernel["total_us"])
    for side in ("FLOP = matrix", "bytes = read"):
        a, b, total = re.search(rf"{side} (\d+) \+ \w+ (\d+) = (\d+)", text).groups()
        if int(a) + int(b) != int(total):
            raise Fault(f"{side}: {a} + {b} is not {total}")
    if kernel["tile"] and "none: kernels" not in text and "<- chosen" not in text:
        raise Fault("the chosen configuration is not among the alternatives")
    # Numbers are printed with six digits.
    section = re.search(r"^terms, in us.*?^  terms: (.*?)$", text, re.M | re.S)
    names, of_family = recompute_terms(EQUATION.findall(section.group(0)))
    for term in section.group(1).split(", "):
        name, value = term.split(" ")
        if name not in names:
            raise Fault(f"no equation for the term {name}")
        same(f"the term {name}", names[name], float(value), tolerance=2e-6, least=0)
    return 1 + count + of_family


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    options, command = parser.parse_known_args()

    def run(*flags):
        return subprocess.run(
            [options.tool, *command, *flags], check=True, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        ).stdout

    kernels = json.loads(run("--report=json"))["kernels"]
    equations = 0
    for number, kernel in enumerate(kernels, 1):
        try:
            equations += check(run(f"--explain-op={number}"), kernel)
        except (Fault, AttributeError, KeyError) as fault:
            sys.exit(f"kernel {number} ({kernel['label']}): {fault!r}")
    print(f"{len(kernels)} kernels, {equations} equations recomputed")


if __name__ == "__main__":
    main()
