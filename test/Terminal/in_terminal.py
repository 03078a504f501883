#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command on a terminal of some columns and prints what it writes there.

  in_terminal.py COLUMNS command...
"""

import fcntl
import os
import pty
import struct
import sys
import termios


def main():
    columns = int(sys.argv[1])
    child, terminal = pty.fork()
    if child == 0:
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        os.environ.pop("COLUMNS", None)
        os.environ["TERM"] = "xterm-256color"
        os.execvp(sys.argv[2], sys.argv[2:])
    text = b""
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:
            break
        if not part:
            break
        text += part
    _, status = os.waitpid(child, 0)
    sys.stdout.buffer.write(text.replace(b"\r\n", b"\n"))
    sys.exit(os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main()
