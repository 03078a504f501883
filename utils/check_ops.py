#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that docs/SupportedOps.md is the output of op_table.py, and, if the packages onnx and
onnxruntime are installed, that the declared attributes equal their operator schemas, and that each of
their operators has a cost rule or is in utils/opaque_ops.txt."""
import collections
import re
import sys

import onnx_ops
import op_table

try:
    import onnx
except ImportError:
    onnx = None
try:
    from onnxruntime.capi import onnxruntime_pybind11_state as onnxruntime
except ImportError:
    onnxruntime = None

KINDS = {"sparse_tensor": "sparse", "type_proto": "type"}
OPAQUE = op_table.ROOT / "utils/opaque_ops.txt"
DOMAINS = op_table.ROOT / "lib/Compiler/Import/Onnx/Domains.cpp"


def read_attribute(attribute):
    """(kind, required, default as text) of a schema's attribute."""
    kind = str(attribute.type).rsplit(".", maxsplit=1)[-1].lower()
    default = attribute.default_value if hasattr(attribute, "default_value") else None
    if default is None:
        default = onnx.AttributeProto()
        default.ParseFromString(attribute._default_value)
    value = onnx.helper.get_attribute_value(default) if default.type else None
    value = value.decode() if isinstance(value, bytes) else value
    return KINDS.get(kind, kind), attribute.required, None if value in (None, "") else value


def read_schemas(ops):
    """Op of the dialect -> version -> attributes of the schema: 0 for com.microsoft."""
    found = collections.defaultdict(dict)
    newer = []
    for schema in onnx.defs.get_all_schemas_with_history():
        op = ops.get(schema.name)
        if op is None or op["domain"] != (schema.domain or "ai.onnx") or schema.since_version not in op["opsets"]:
            newer.append(f"{schema.domain or 'ai.onnx'}::{schema.name} of opset {schema.since_version}")
            continue
        found[schema.name][schema.since_version] = {
            name: read_attribute(attribute) for name, attribute in schema.attributes.items()}
    for schema in onnxruntime.get_all_operator_schema() if onnxruntime else []:
        name = f"Contrib{schema.name}" if f"Contrib{schema.name}" in ops else schema.name
        if schema.domain == "com.microsoft" and name in ops:
            found[name][0] = {name: read_attribute(attribute) for name, attribute in schema.attributes.items()}
    return found, newer


def read_opaque():
    """{(domain, name)} of the operators that are reviewed as opaque; the name '*' means the whole domain."""
    listed = set()
    for line in OPAQUE.read_text().splitlines():
        domain, colon, names = line.split("#")[0].partition(":")
        listed |= {(domain.strip(), name) for name in names.split()} if colon else set()
    return listed


def read_domains():
    """Domains whose operators the importer looks up in the dialect."""
    more = re.search(r"moreDomains\[\] = \{(.*?)\};", DOMAINS.read_text(), re.S)[1]
    return {"ai.onnx", "com.microsoft"} | set(re.findall(r'"(.*?)"', more))


def find_unmodelled(ops):
    """((domain, name) of operators without a cost rule, of all operators) that the installed packages register."""
    schemas = list(onnx.defs.get_all_schemas_with_history())
    schemas += onnxruntime.get_all_operator_schema() if onnxruntime else []
    found, domains = {(schema.domain or "ai.onnx", schema.name) for schema in schemas}, read_domains()

    def is_modelled(domain, name):
        op = ops.get(name if domain != "com.microsoft" or f"Contrib{name}" not in ops else f"Contrib{name}")
        return domain in domains and op is not None and \
            (op["shape"] != "Opaque" or op["isExpanded"] or op["hasBodies"])

    return {key for key in found if not is_modelled(*key)}, found


def check_rules(ops):
    unmodelled, found = find_unmodelled(ops)
    listed = read_opaque()
    for domain, name in sorted(unmodelled):
        if not listed & {(domain, name), (domain, "*")}:
            yield f"{domain}::{name} has no cost rule; add one, or list it in {OPAQUE.name} with a reason"
    for domain, name in sorted(listed & found - unmodelled):
        yield f"{OPAQUE.name} lists {domain}::{name}, which has a cost rule"


def is_equal(declared, default):
    if declared is None or default is None or isinstance(default, list):
        return (declared is None) == (default is None)
    return declared == default if isinstance(default, str) else abs(float(declared) - default) <= 1e-6 * abs(default)


def compare(name, op, schemas):
    """Differences between the attributes of an op and its schemas."""
    forms, allows_others = onnx_ops.attributes(op)
    newest = max(schemas)
    for version, attributes in sorted(schemas.items()):
        for attribute, (kind, required, default) in attributes.items():
            known = [form for form in forms if form["name"] == attribute and
                     (version == 0 or form["first"] <= version <= (form["last"] or version))]
            where = f"{name}, {f'opset {version}' if version else 'com.microsoft'}: '{attribute}'"
            if known and known[-1]["extends"]:
                yield f"{where} is not an extension"
            elif not known:
                if not allows_others:
                    yield f"{where} is not declared"
            elif kind not in known[-1]["kinds"]:
                yield f"{where} is {kind}"
            elif version == newest and (required != known[-1]["required"] or
                                        not is_equal(known[-1]["default"], default)):
                yield f"{where} is {'required' if required else f'optional, default {default}'}"
        for form in forms:
            if version and not form["extends"] and form["first"] <= version <= (form["last"] or version) and \
                    form["name"] not in {**attributes, **schemas.get(0, {})} and onnxruntime:
                yield f"{name}, opset {version}: the schema has no '{form['name']}'"


def main():
    records = op_table.read_records()
    ops = op_table.read_ops(records)
    problems, compared = [], 0
    if not op_table.PAGE.is_file() or op_table.PAGE.read_text() != op_table.build_page(records):
        problems.append("docs/SupportedOps.md is not up to date; run utils/op_table.py")
    if onnx:
        schemas, newer = read_schemas(ops)
        problems += check_rules(ops)
        for name in sorted(schemas):
            problems += compare(name, ops[name], schemas[name])
        compared = len(schemas)
        for name in newer:
            print(f"check_ops: onnx {onnx.__version__} has {name}, which no op states")
    for problem in problems:
        print(f"check_ops: {problem}")
    if not problems:
        missing = [name for name, package in (("onnx", onnx), ("onnxruntime", onnxruntime)) if not package]
        schemas = f"the attributes of {compared} ops equal their schemas, of which all have a rule or a reason" \
            if onnx else "attributes and rules are not compared"
        schemas += f" (without {' and '.join(missing)})" if missing else ""
        print(f"check_ops: {len(op_table.read_operators(records))} operators of the standard, all in "
              f"docs/SupportedOps.md; {schemas}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
