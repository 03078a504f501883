#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Recomputes the equations that --explain-op prints from only the printed numbers.

  check_explanations.py --tool build/bin/gpu-cost-opt model.onnx flags...

Every kernel of the report is explained by its number; (W1) must give its time, (P4) to (P8) its
energy, each equation of its family the number that it ends with, and the alternatives must hold
the chosen configuration.
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


def numbers(text):
    return [float(n) for n in re.findall(rf"(?<![A-Za-z_^])({NUMBER})", text)]


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
    for a, b in re.findall(rf"\+ max\(exposed l2 ({NUMBER}), exposed dram ({NUMBER})\)", text):
        value += max(float(a), float(b))
    for name in ("serial issue", "serial dram", "fixed"):
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
    """Values of the names that an explanation has given so far; us, MHz = 1/us, GB/s = 1000 bytes/us."""

    functions = {"min": min, "max": max, "ceil": lambda x: math.ceil(x - 1e-4 * abs(x)) if abs(x) > 1e4 else math.ceil(x),
                 "floor": math.floor, "exp": math.exp, "sqrt": math.sqrt, "norm": lambda p, *x: sum(v**p for v in x) ** (1 / p)}

    def value(self, text):
        text = re.sub(r"(?<=[0-9)]) (us|cycles|bytes|slots)\b", "", text)
        text = re.sub(r"\bMHz\b", "", text)
        text = re.sub(rf"({NUMBER}) GB/s", r"(\1*1000)", text)
        text = re.sub(rf"\|\|((?:[^|])*)\|\|_({NUMBER})", r"norm(\2, \1)", text)
        tree = ast.parse(text.replace("^", "**").strip(), mode="eval")
        allowed = (ast.Expression, ast.BinOp, ast.UnaryOp, ast.Call, ast.Name, ast.Load, ast.Constant, ast.operator, ast.unaryop)
        if not all(isinstance(node, allowed) for node in ast.walk(tree)):
            raise Fault(f"no arithmetic: {text}")
        return eval(compile(tree, "equation", "eval"), {"__builtins__": {}}, {**self.functions, **self})


# Where each side of every '=' must be the same number.
FAMILIES = "GSCADN"


def recompute_family(equations):
    """(G*), (S*), (C*), (A*), (D*) and (N*): every statement "name = expression = number", from only the printed
    numbers and names; returns the number of equations that could be wrong."""
    names, count = Names(), 0
    for id_, line in equations:
        if id_[0] not in FAMILIES and id_ != "W3":
            continue
        line = line.split(": ")[0]
        for statement in re.split(r"; |, (?=exposed l2 = )", line):
            if " = " not in statement:
                continue
            name, *sides = statement.split(" = ")
            try:
                values = [names.value(side) for side in sides]
            except (SyntaxError, NameError, TypeError) as fault:
                raise Fault(f"({id_}) {statement}: {fault}") from None
            for value in values[:-1]:
                same(f"({id_}) {name}", value, values[-1], least=1e-3)
            count += len(values) > 1
            if name.isidentifier():
                names[name] = values[-1]
    return count


EXPLAINED = {"matmul", "convolution", "attention", "collective"}


def check(text, kernel):
    """Checks the equations that explain one kernel of the report; returns their number."""
    equations = re.findall(r"^  \((\w+)\) +(.*)$", text, re.M)
    lines = dict(equations)
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
    if kernel["tile"] and "none: kernels" not in text and "<- chosen" not in text and "in no table" not in text:
        raise Fault("the chosen configuration is not an alternative")
    of_family = recompute_family(equations)
    if of_family == 0 and kernel["family"] in EXPLAINED:
        raise Fault("no equation of its family")
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
