# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Messages of exchanges in 16 and 8 bits: check_exchange.py bf16.ir fp8.ir."""
import pathlib
import re
import sys

MESSAGE = re.compile(r"all_to_all, bytes = (\d+).*?exchange = (dispatch|combine)")
wide, narrow = (MESSAGE.findall(pathlib.Path(path).read_text()) for path in sys.argv[1:])
directions = [direction for _, direction in wide]
assert directions == [direction for _, direction in narrow] == ["dispatch", "combine"] * 2, (wide, narrow)
for (before, direction), (after, _) in zip(wide, narrow):
    assert int(before) == int(after) * (2 if direction == "dispatch" else 1), (direction, before, after)
