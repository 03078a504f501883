# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kills sweeps again and again: no finished point may be lost.

usage: kill_sweeps.py KILLS FILE COMMAND...

Runs COMMAND -o FILE and kills it with SIGKILL after a random time, KILLS times. Whole
lines that stood in the file before a kill must stand there after the next run, too. A
sweep that ends has exactly the lines of one that nobody disturbed, and begins anew.
"""
import pathlib
import random
import subprocess
import sys
import time


def whole_lines(path):
    text = path.read_bytes() if path.exists() else b""
    return text[: text.rfind(b"\n") + 1]


def finish(command, path, expected):
    subprocess.run(command, check=True)
    if path.read_bytes() != expected:
        sys.exit("a continued sweep differs from an undisturbed one")


def main():
    kills, path, command = int(sys.argv[1]), pathlib.Path(sys.argv[2]), [*sys.argv[3:], "-o", sys.argv[2]]
    random.seed(18)
    path.unlink(missing_ok=True)
    begin = time.monotonic()
    subprocess.run(command, check=True)
    length = time.monotonic() - begin
    expected = path.read_bytes()
    path.unlink()
    inside = ended = 0
    before = b""
    for _ in range(kills):
        with subprocess.Popen(command) as process:
            time.sleep(random.uniform(0, length))
            process.kill()
        lines = whole_lines(path)
        if not lines.startswith(before) or not expected.startswith(lines):
            sys.exit(f"lines were lost or changed: {len(before)} bytes before, {len(lines)} after")
        inside += len(before) < len(lines) < len(expected)
        before = lines
        if lines == expected:
            ended += 1
            path.unlink()
            before = b""
    finish(command, path, expected)
    # A last line that only begins, wherever it ends.
    for _ in range(10):
        path.write_bytes(expected[: random.randrange(len(expected))])
        finish(command, path, expected)
    print(f"{kills} kills, {inside} of them inside of a sweep, {ended} sweeps ended: no line was lost")


if __name__ == "__main__":
    main()
