# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Coefficient files as text: find, read and change one number; field descriptions; and the loss of all fits."""
import argparse
import functools
import json
import pathlib
import re
import subprocess

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
COEFFICIENTS = ROOT / "targets" / "coefficients"
# All builds have the same fields.
TOOL = str(ROOT / "build" / "bin" / "gpu-cost-opt")


# SI units expressed in the units of coefficient files.
FILE_UNITS = {"time": 1e6, "energy": 1e12, "clock": 1e-6}


@functools.lru_cache(maxsize=None)
def fields_of(tool, group):
    """The fields of a group in include/gpucost/Core/Model/Coefficients.def, in file order."""
    dump = subprocess.run([tool, "--dump-coefficients"], stdout=subprocess.PIPE, check=True).stdout
    return json.loads(dump)[group]["fields"]


def joint_priors(tool, group):
    """{field: (prior value, sigma of its log, low, high)} of the fields that fits to tables change, in the
    units of the file (us, pJ); None for a value that scales with the GPU."""
    def in_file(field, number):
        return float(f"{number * FILE_UNITS.get(field['quantity'], 1):.12g}")
    return {field["name"]: (in_file(field, prior["value"]) if "value" in prior else None, prior["deviation"],
                            in_file(field, prior["low"]), in_file(field, prior["high"]))
            for field in fields_of(tool, group) if (prior := field.get("joint_prior"))}


def read_all(folder=COEFFICIENTS):
    """{stem: text} of all coefficient files."""
    return {path.stem: path.read_text() for path in sorted(pathlib.Path(folder).glob("*.mlir"))}


def write_all(texts, folder=COEFFICIENTS):
    """Writes {stem: text} as coefficient files."""
    for stem, text in texts.items():
        pathlib.Path(folder, stem + ".mlir").write_text(text)


def file_of(gpu, stems):
    """Coefficient file of a board or of its kind; None if there is none."""
    return next((stem for stem in (gpu, gpu.rsplit("-", 1)[0]) if stem in stems), None)


def block_of(text, group):
    start = text.index(f"#{group} = ")
    return start, text.index(">\n\n", start)


def read_field(text, group, field):
    start, end = block_of(text, group)
    return float(re.search(rf"\b{field} = (-?[0-9.]+(?:e-?[0-9]+)?)", text[start:end]).group(1))


def replace_field(text, group, field, value):
    """`text` with `field = number` of `#group = ...` set to `value`."""
    start, end = block_of(text, group)
    block, count = re.subn(rf"(\b{field} = )-?[0-9.]+(e-?[0-9]+)?", rf"\g<1>{value:.5g}",
                           text[start:end], count=1)
    if count != 1:
        raise ValueError(f"no field {field} in #{group}")
    return text[:start] + block + text[end:]


def provenance_at(text, group):
    start = text.index('provenance = "', text.index(f"#{group} = ")) + len('provenance = "')
    return start, text.index('"', start)


def provenance_of(text, group):
    start, end = provenance_at(text, group)
    return text[start:end]


def with_provenance(text, group, provenance):
    start, end = provenance_at(text, group)
    return text[:start] + provenance + text[end:]


def add_provenance(text, group, note):
    """`text` with `note` at the end of `#group`'s provenance."""
    found = provenance_of(text, group)
    return text if note in found else with_provenance(text, group, f"{found}; {note}")


FITTED = re.compile(r"; fitted on \d+ rows, [\d.]+ % in fit(?:, \d{4}-\d\d)?")


def with_fit(text, group, rows, error):
    """`text` whose provenance says on how many rows `group` was fitted last, and their mean error in percent."""
    return with_provenance(text, group, f"{FITTED.sub('', provenance_of(text, group))}; fitted on {rows} rows, {error:.1f} % in fit")


def soft_l1(error, noise):
    """Residuals whose sum of squares is the soft-L1 loss of `error` / `noise`."""
    return np.sign(error) * np.sqrt(2 * (np.sqrt(1 + (error / noise) ** 2) - 1))


def with_field(text, group, field, value):
    """`text` with `field = value` in a group, which need not have the field yet; `value` is text with its unit."""
    start, end = block_of(text, group)
    block, count = re.subn(rf"(\b{field} = )-?[0-9.]+(e-?[0-9]+)?( \w+)?", lambda found: found[1] + value, text[start:end], count=1)
    if not count:
        block = re.sub(r'(provenance = "[^"]*",\n)', lambda found: f"{found[1]}  {field} = {value},\n", block, count=1)
    return text[:start] + block + text[end:]


ERRORS = re.compile(r"  errors = \[[^\]]*\],\n")


def with_errors(text, group, entries):
    """`text` whose `group` has the half-widths `entries`, as text, in place of those of the same classes."""
    def kind(entry):
        return re.search(r"kind = (\w+)", entry)[1]
    start, end = block_of(text, group)
    block = text[start:end]
    new = set(map(kind, entries))
    known = re.findall(r"<kind = [^>]*>", "".join(ERRORS.findall(block)))
    entries = entries + [entry for entry in known if kind(entry) not in new]
    line = f"  errors = [{entries[0]}],\n" if len(entries) == 1 else "  errors = [\n    " + ",\n    ".join(entries) + "],\n"
    block = re.sub(r'(provenance = "[^"]*",\n)', lambda found: found[1] + line, ERRORS.sub("", block), count=1)
    return text[:start] + block + text[end:]


def with_number(text, group, field, value):
    """`text` with the number `field` in a group, in its present unit; a new field has no unit."""
    if re.search(rf"\b{field} = ", text[slice(*block_of(text, group))]):
        return replace_field(text, group, field, value)
    return with_field(text, group, field, f"{value:g}")


ORIGIN = re.compile(r"  transferred_from = [^\n]*\n")


def with_origin(text, group, board):
    """`text` whose transferred `group` is marked as transferred from `board`, as data sheets name it."""
    start, end = block_of(text, group)
    return text[:start] + ORIGIN.sub(f'  transferred_from = "{board}",\n', text[start:end]) + text[end:]


def as_own(text, group):
    """`text` whose `group` is no longer marked as transferred from another
    board."""
    start, end = block_of(text, group)
    return text[:start] + ORIGIN.sub("", text[start:end]) + text[end:]


def with_fields(text, origin, group, fields, source=None):
    """`text` with the numbers `fields` of a group from the same group, or `source`, of the text `origin`."""
    for field in fields:
        text = replace_field(text, group, field, read_field(origin, source or group, field))
    return text


CURVE = re.compile(r",\s*voltage = \[.*?\]", re.S)


def curve_of(text):
    """V(f) of `#power`, with the comma before it."""
    return CURVE.search(text[slice(*block_of(text, "power"))])[0]


def with_curve(text, curve):
    """`text` whose `#power` has the V(f) `curve`, as `curve_of` returns it; "" removes it."""
    start, end = block_of(text, "power")
    return text[:start] + CURVE.sub("", text[start:end]) + curve + text[end:]


def copied(text, origin, group, fields):
    """`text` with the numbers `fields` and the provenance of a group from the text `origin`."""
    return with_provenance(with_fields(text, origin, group, fields), group, provenance_of(origin, group))


def fit_options(description, *, actions=("check", "apply", "held-out"), **choices):
    """Of a script that fits numbers to the tables of --data: one of `actions`, and options that restrict the sets, {name: values,
    or None for any}."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True, type=pathlib.Path)
    parser.add_argument("--tool", default=TOOL)
    parser.add_argument("--jobs", type=int, default=2)
    for name, values in choices.items():
        parser.add_argument(f"--{name}", default="", choices=values)
    action = parser.add_mutually_exclusive_group(required=True)
    for name in actions:
        action.add_argument(f"--{name}", action="store_true")
    return parser.parse_args()


NUMBER = re.compile(r"(\b\w+) = (-?[0-9.]+(?:e[-+]?[0-9]+)?)((?: \w+)?)")
TOLERANCE, LEAST_GAIN = 0.01, 0.03


def differences(texts, committed):
    """One line per number that differs by more than TOLERANCE between two {stem: text}."""
    found = [f"{stem}: no such file" for stem in sorted(set(texts) ^ set(committed))]
    for stem in sorted(set(texts) & set(committed)):
        new, old = (NUMBER.findall("\n\n".join(sorted(text.split("\n\n")))) for text in (texts[stem], committed[stem]))
        if [name for name, *_ in new] != [name for name, *_ in old]:
            found.append(f"{stem}: other fields")
            continue
        found += [f"{stem}: {name} = {b}{before}, but the refit yields {a}{unit}" for (name, a, unit), (_, b, before) in zip(new, old)
                  if unit != before or abs(float(a) - float(b)) > TOLERANCE * max(abs(float(a)), abs(float(b)))]
    return found


def store(options, texts):
    """Writes {stem: text}, or with --check prints the numbers that differ from the files; returns the exit code."""
    if options.check:
        found = differences(texts, {stem: text for stem, text in read_all().items() if stem in texts})
        print("\n".join(found) or "the committed numbers are reproduced")
        return int(bool(found))
    if options.apply:
        write_all(texts)
    return 0


def settled(start, end, residuals):
    """The numbers of `end`, a result of SciPy's least_squares, or those of `start` if its loss is at most LEAST_GAIN higher:
    numbers that the rows hardly determine stay."""
    return end.x if end.cost < (1 - LEAST_GAIN) * 0.5 * np.sum(residuals(start) ** 2) else start


def with_transferred(text, source, group, board, before):
    """`text`, the coefficients of a board, with the set `group` of `source`, measured on `board`, in front of `before`."""
    if f"#{group} = " in text:
        start, end = block_of(text, group)
        text = text[:start] + text[end + len(">\n\n"):]
    start, end = block_of(source, group)
    block = source[start:end].replace('",\n', f'",\n  transferred_from = "{board}",\n', 1)
    place = text.index(f"#{before} = ")
    return text[:place] + block + ">\n\n" + text[place:]


def with_own_group(text, block, group):
    """`text`, the coefficients of a board, with `block`, its definition of a `group` that all boards share."""
    place = text.index("module attributes")
    body = text[place:].replace("#gpucost.coefficients<", f"#gpucost.coefficients<\n  {group} = #{group},", 1)
    return text[:place] + block + ">\n\n" + body
