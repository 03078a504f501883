# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kills sweeps again and again: no finished point may be lost.

usage: kill_sweeps.py KILLS FILE COMMAND...

Runs COMMAND -o FILE and kills it with SIGKILL when the file has a random size, KILLS times.
Whole lines in the file before a kill must be in the file after the next run. A sweep that
ends has exactly the lines of an undisturbed one, and begins anew.
"""
import pathlib
import random
import subprocess
import sys
import time


def whole_lines(path):
    text = path.read_bytes() if path.exists() else b""
    return text[: text.rfind(b"\n") + 1]


def kill_at(command, path, size):
    """Runs the command until its file has `size` bytes."""
    with subprocess.Popen(command) as process:
        while process.poll() is None and not (path.exists() and path.stat().st_size >= size):
            time.sleep(0.0005)
        process.kill()


def finish(command, path, expected):
    subprocess.run(command, check=True)
    if path.read_bytes() != expected:
        sys.exit("a continued sweep differs from an undisturbed one")


def main():
    kills, path, command = int(sys.argv[1]), pathlib.Path(sys.argv[2]), [*sys.argv[3:], "-o", sys.argv[2]]
    random.seed(18)
    path.unlink(missing_ok=True)
    subprocess.run(command, check=True)
    expected = path.read_bytes()
    path.unlink()
    inside = ended = 0
    before = b""
    for _ in range(kills):
        kill_at(command, path, random.randint(len(before), len(expected)))
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
    print(f"{kills} kills ({inside} inside a sweep), {ended} sweeps ended: no line was lost")


if __name__ == "__main__":
    main()
