# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command with a terminal as its standard error and prints the terminal's content, a line for each state.

usage: on_terminal.py COMMAND...
"""
import os
import pty
import subprocess
import sys


def main():
    master, terminal = pty.openpty()
    process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=terminal)
    os.close(terminal)
    shown = b""
    while True:
        try:
            part = os.read(master, 4096)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        shown += part
    print(shown.decode().replace("\r", "\n"))
    return process.wait()


if __name__ == "__main__":
    sys.exit(main())
