# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The protobuf wire format of ONNX files, read without any schema library."""

PREFIX = b"gpu-cost-opt."
# message -> field -> message inside; entries of metadata_props by message.
NESTED = {
    "model": {7: "graph"},
    "graph": {1: "node"},
    "node": {5: "attribute"},
    "attribute": {6: "graph", 11: "graph"},
}
METADATA = {"model": 14, "node": 9}


def read_varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def records(data):
    """Yields (field, wire type, tag bytes, remaining bytes, content) for each field in a message."""
    at = 0
    while at < len(data):
        begin = at
        tag, at = read_varint(data, at)
        field, kind = tag >> 3, tag & 7
        head = at
        if kind == 0:
            _, at = read_varint(data, at)
            content = None
        elif kind == 2:
            size, at = read_varint(data, at)
            content = data[at : at + size]
            at += size
        else:
            at += {1: 8, 5: 4}[kind]
            content = None
        yield field, kind, data[begin:head], data[head:at], content


def entry(content):
    """Key and value of a StringStringEntryProto."""
    fields = {field: text for field, _, _, _, text in records(content)}
    return fields.get(1, b""), fields.get(2, b"")


def strip(data, message="model"):
    """The message without the entries of gpu-cost-opt; all other bytes are unchanged."""
    out = bytearray()
    for field, kind, tag, rest, content in records(data):
        if kind == 2 and METADATA.get(message) == field and entry(content)[0].startswith(PREFIX):
            continue
        inner = NESTED[message].get(field) if kind == 2 else None
        if inner:
            stripped = strip(content, inner)
            # A length keeps its bytes where the content does.
            rest = rest if stripped == content else varint(len(stripped)) + stripped
        out += tag + rest
    return bytes(out)


def nodes(data, message="model"):
    """Each node's entries of gpu-cost-opt, as texts, in the order of the file."""
    for field, kind, _, _, content in records(data):
        if kind != 2 or field not in NESTED[message]:
            continue
        inner = NESTED[message][field]
        if inner == "node":
            yield properties(content, "node")
        yield from nodes(content, inner)


def properties(data, message="model"):
    found = {}
    for field, kind, _, _, content in records(data):
        if kind == 2 and field == METADATA[message]:
            key, value = entry(content)
            if key.startswith(PREFIX):
                key = key[len(PREFIX) :].decode()
                assert key not in found, f"two entries {key}"
                found[key] = value.decode()
    return found
