# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Comparison of answers, digit by digit."""
import re

# Digits of a number in JSON.
DIGITS = 7


def shown(value):
    """A number as a report prints it."""
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


def same(a, b):
    if isinstance(a, bool) or isinstance(b, bool) or not (
            isinstance(a, (int, float)) and isinstance(b, (int, float))):
        return a == b
    return shown(float(a)) == shown(float(b))


def scaled(value, factor):
    return None if value is None else value * factor


def differences(a, b, path=""):
    """The first differences between two JSON values."""
    if isinstance(a, dict) and isinstance(b, dict):
        for key in [*a, *(key for key in b if key not in a)]:
            if key not in a or key not in b:
                yield f"{path}.{key} is only in one of them"
            else:
                yield from differences(a[key], b[key], f"{path}.{key}")
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for index, (x, y) in enumerate(zip(a, b)):
            yield from differences(x, y, f"{path}[{index}]")
    elif not same(a, b):
        yield f"{path}: {a!r} and {b!r}"


def agree(case, what, expected, found):
    """Two whole answers are equal."""
    first = next(differences(expected, found), None)
    case.require(what, first is None, first)


def agree_in(case, what, expected, found, names):
    """Fields of two records, by the same name or by a pair of names."""
    for name in names:
        a, b = name if isinstance(name, tuple) else (name, name)
        value = found.get(b, "a missing field")
        case.require(f"{what}.{b}", same(expected[a], value), f"{expected[a]!r} in the report and {value!r}")


def message(text):
    """An error without the name of the program and of the model in front of it."""
    text = next((line for line in text.splitlines() if "error: " in line), text).strip()
    return re.sub(r"^.*?\berror: ", "", text)
