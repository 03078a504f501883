# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One-line ONNX models into model files, without the onnx package.

A line of a case file has six fields between bars:

    name | opsets | inputs | constants | nodes | outputs

    reshape | 5 13 | x f[2,3,4] | s i64[2]{0,-1} | y = Reshape(x, s) | y f[2,12]

Inputs and outputs are `name type[dims]`, constants also have `{values}`, nodes
are separated by ';' and may have attributes: `y = Conv<pads=[1,1,1,1]>(x, w)`.
A dimension is a number, a name, or '?' where an output's is not known. A node of
another domain is `y = com.microsoft:Gelu(x)`. An input `_` is missing.
"""

import re
import struct

TYPES = {"f": 1, "u8": 2, "i8": 3, "u16": 4, "i16": 5, "i32": 6, "i64": 7, "str": 8,
         "b": 9, "f16": 10, "f64": 11, "u32": 12, "u64": 13, "c64": 14, "bf16": 16,
         "f8e4m3fn": 17, "f8e5m2": 19, "u4": 21, "i4": 22}
# Their types in the output of the tool.
MLIR_TYPES = {"f": "f32", "u8": "ui8", "i8": "i8", "u16": "ui16", "i16": "i16",
              "i32": "i32", "i64": "i64", "str": "!onnx.string", "b": "i1",
              "f16": "f16", "f64": "f64", "u32": "ui32", "u64": "ui64",
              "c64": "complex<f32>", "bf16": "bf16", "f8e4m3fn": "f8E4M3FN",
              "f8e5m2": "f8E5M2", "u4": "ui4", "i4": "i4"}
PACK = {"f": "f", "u8": "B", "i8": "b", "u16": "H", "i16": "h", "i32": "i", "i64": "q",
        "b": "?", "f16": "e", "f64": "d", "u32": "I", "u64": "Q"}


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value)


def chunk(field, value):
    if isinstance(value, str):
        value = value.encode()
    return varint(field << 3 | 2) + varint(len(value)) + value


def real(field, value):
    return varint(field << 3 | 5) + struct.pack("<f", value)


def split_top(text, separator):
    """Splits at separators outside of brackets and quotes."""
    parts, depth, quoted, start = [], 0, False, 0
    for i, c in enumerate(text):
        if c == "'":
            quoted = not quoted
        elif quoted:
            continue
        elif c in "([{<":
            depth += 1
        elif c in ")]}>":
            depth -= 1
        elif c == separator and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip()]


VALUE = re.compile(r"(\S+) (\w+)\[([^\]]*)\](?:\{([^}]*)\})?$")


def parse_value(text):
    """(name, type, dims, values); a dim is int or str."""
    match = VALUE.match(text)
    if not match:
        raise ValueError(f"no 'name type[dims]': {text!r}")
    name, kind, dims, values = match.groups()
    dims = [int(d) if re.fullmatch(r"-?\d+", d) else d
            for d in (part.strip() for part in dims.split(",")) if d]
    values = None if values is None else [float(v) if "." in v else int(v)
                                          for v in values.split(",") if v.strip()]
    return name, kind, dims, values


def tensor(name, kind, dims, values):
    out = b"".join(number(1, d) for d in dims) + number(2, TYPES[kind])
    if name:
        out += chunk(8, name)
    if values is not None:
        out += chunk(9, struct.pack("<" + PACK[kind] * len(values), *values))
    return out


def value_info(name, kind, dims):
    shape = b"".join(chunk(1, number(1, d) if isinstance(d, int) else chunk(2, d))
                     for d in dims)
    return chunk(1, name) + chunk(2, chunk(1, number(1, TYPES[kind]) + chunk(2, shape)))


def attribute(text):
    name, value = (part.strip() for part in text.split("=", 1))
    out = chunk(1, name)
    if value.startswith("["):
        items = [v.strip() for v in value[1:-1].split(",") if v.strip()]
        if any(v.startswith("'") for v in items):
            out += b"".join(chunk(9, v.strip("'")) for v in items) + number(20, 8)
        elif any("." in v for v in items):
            out += b"".join(real(7, float(v)) for v in items) + number(20, 6)
        else:
            out += b"".join(number(8, int(v)) for v in items) + number(20, 7)
    elif value.startswith("'"):
        out += chunk(4, value.strip("'")) + number(20, 3)
    elif "{" in value:
        out += chunk(5, tensor(*parse_value("t " + value))[:]) + number(20, 4)
    elif "." in value:
        out += real(2, float(value)) + number(20, 1)
    else:
        out += number(3, int(value)) + number(20, 2)
    return out


NODE = re.compile(r"(.*?)=\s*(?:([\w.]+):)?(\w+)\s*(?:<(.*)>)?\s*\(([^)]*)\)$")


def node(text):
    match = NODE.match(text)
    if not match:
        raise ValueError(f"no node: {text!r}")
    outputs, domain, kind, attributes, inputs = match.groups()
    names = lambda part: ["" if n.strip() == "_" else n.strip()
                          for n in part.split(",") if n.strip()]
    out = b"".join(chunk(1, n) for n in names(inputs))
    out += b"".join(chunk(2, n) for n in names(outputs)) + chunk(4, kind)
    out += b"".join(chunk(5, attribute(a)) for a in split_top(attributes or "", ","))
    return out + (chunk(7, domain) if domain else b""), domain


def model(case, opset):
    graph, domains = b"", set()
    for text in split_top(case["nodes"], ";"):
        data, domain = node(text)
        graph += chunk(1, data)
        domains.add(domain)
    graph += chunk(2, case["name"])
    for text in split_top(case["constants"], ","):
        graph += chunk(5, tensor(*parse_value(text)))
    for text in split_top(case["inputs"], ","):
        graph += chunk(11, value_info(*parse_value(text)[:3]))
    for text in split_top(case["outputs"], ","):
        graph += chunk(12, chunk(1, parse_value(text)[0]))
    out = number(1, 8) + chunk(7, graph) + chunk(8, number(2, opset))
    for domain in sorted(domains - {None}):
        out += chunk(8, chunk(1, domain) + number(2, 1))
    return out


def read_cases(path):
    """All cases of a file, as dictionaries; `opsets` is a list."""
    keys = ["name", "opsets", "inputs", "constants", "nodes", "outputs"]
    with open(path) as file:
        for line in file:
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            fields = [field.strip() for field in line.split("|")]
            if len(fields) != len(keys):
                raise ValueError(f"{path}: expected {len(keys)} fields: {line}")
            case = dict(zip(keys, fields))
            case["opsets"] = [int(v) for v in case["opsets"].split()]
            yield case
