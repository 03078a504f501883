# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""add_metadata.py FILE KEY=VALUE...: appends entries to the metadata of an ONNX file; \\n in a value is a line break."""
import sys


def field(number, content):
    size, varint = len(content), b""
    while size >= 0x80:
        varint, size = varint + bytes([size & 0x7F | 0x80]), size >> 7
    return bytes([number << 3 | 2]) + varint + bytes([size]) + content


METADATA_PROPS, KEY, VALUE = 14, 1, 2
with open(sys.argv[1], "ab") as file:
    for key, _, value in (entry.partition("=") for entry in sys.argv[2:]):
        value = value.replace("\\n", "\n")
        file.write(field(METADATA_PROPS, field(KEY, key.encode()) + field(VALUE, value.encode())))
