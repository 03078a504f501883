#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the C++ of the model does not contain fitted numbers: every number is a coefficient with a
source, or the initializer of a constant that utils/structural_constants.txt lists with a reason.

usage: check_literals.py [--list] [file...]

The partition (Analysis/Kernels) counts operands and dimensions and is not checked.

Allowed anywhere: 0, 1 and 2; sizes in bits next to a name with "Bits" ("inputBits / 8"); powers of ten, which
change the unit of a quantity.
--list prints the constants missing from the list.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ["Core/Model", "Core/Iteration", "Compiler/Analysis", "Applications/Serve", "Core/Scenario"]
LIST = ROOT / "utils" / "structural_constants.txt"
NUMBER = re.compile(r"(?<![\w.])(0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[fFuUlL]*(?![\w.])")
PROSE = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', re.S)
IGNORED = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*|\[\d+\]|\bversion\([\d, ]*\)", re.M)
TEMPLATE_ARGUMENTS = re.compile(r"\b\w+<[\w:,*&\s]*>")
# "bitsOf(format) <= 8", "static_cast<double>(work.inputBits) / 8.0"
BITS = re.compile(r"(?:[bB]its(?:Of\([\w.()]*\))?|BitWidth\(\))\)*\s*(?:[=!<>]=|[=<>*/])\s*$")
SIZES_IN_BITS = {4, 8, 16, 32, 64}
POWER_OF_TEN = re.compile(r"1(?:\.0)?[eE][+-]?\d+$")


def strip(text):
    """Blanks comments, strings, preprocessor lines, template arguments, array extents and software versions;
    preserves line numbers."""
    blank = lambda match: re.sub(r"[^\n]", " ", match.group())
    text = re.sub(r"(?<=\d)'(?=\d)", "", text)
    text = IGNORED.sub(blank, PROSE.sub(blank, text))
    while text != (inner := TEMPLATE_ARGUMENTS.sub(blank, text)):  # nested arguments
        text = inner
    return text


def value_of(literal):
    return float(int(literal, 16)) if literal[:2] in ("0x", "0X") else float(literal)


def constant_around(code, start):
    """The name of the constant whose initializer contains position `start`, or
    None."""
    statement = code[code.rfind(";", 0, start) + 1:start]
    at = statement.rfind("constexpr")
    if at < 0:
        return None
    names = re.findall(r"(\w+)\s*(?:\[\])?\s*=(?!=)", statement[at:])
    return names[-1] if names else None


def numbers(path):
    """(line, literal, constant or None) of each number that requires a
    reason."""
    code = strip(path.read_text())
    for match in NUMBER.finditer(code):
        literal, before = match.group(1), code[:match.start()]
        if value_of(literal) in (0, 1, 2) or POWER_OF_TEN.match(literal):
            continue
        if value_of(literal) in SIZES_IN_BITS and BITS.search(before[-60:]):
            continue
        yield before.count("\n") + 1, literal, constant_around(code, match.start())


def read_list():
    """Reasons by file and constant."""
    reasons, file = {}, None
    for number, line in enumerate(LIST.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        name, colon, reason = line.strip().partition(":")
        if not line.startswith(" "):
            file = name
        elif not file or not reason.strip():
            sys.exit(f"{LIST.name}:{number}: expected '  constant: reason' below the name of a file")
        else:
            reasons[file, name] = reason.strip()
    return reasons


def main():
    only_list = "--list" in sys.argv[1:]
    files = [pathlib.Path(name).resolve() for name in sys.argv[1:] if name != "--list"] or sorted(
        path for root in ("lib", "include/gpucost") for folder in FOLDERS
        for path in (ROOT / root / folder).rglob("*") if path.suffix in (".h", ".cpp"))
    reasons, used, faults = read_list(), set(), []
    for path in files:
        name = str(path.relative_to(ROOT) if ROOT in path.parents else path)
        for line, literal, constant in numbers(path):
            used.add((name, constant))
            if constant is None:
                faults.append(f"{name}:{line}: the number {literal} has no name; make it a coefficient with its "
                              "source, or a constant with a reason in utils/structural_constants.txt")
            elif (name, constant) not in reasons:
                faults.append(f"{name}:{line}: utils/structural_constants.txt has no reason for '{constant}' = {literal}")
    if len(sys.argv) == 1:
        faults += [f"utils/structural_constants.txt: {file} has no constant '{constant}'"
                   for file, constant in reasons if (file, constant) not in used]
    print("\n".join(faults) if faults else f"{len(reasons)} structural constants, no other number")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
