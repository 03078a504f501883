#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command on a terminal with COLUMNS columns and prints its output.

  in_terminal.py [--feed FILE --when TEXT] COLUMNS command...

With --feed the command reads FILE from a pipe, which stays empty until the terminal shows TEXT.
"""

import argparse
import fcntl
import os
import pathlib
import pty
import struct
import sys
import termios


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("columns", type=int)
    parser.add_argument("--feed", type=pathlib.Path)
    parser.add_argument("--when", type=os.fsencode)
    parser.add_argument("command", nargs=argparse.REMAINDER)
    args = parser.parse_args()
    reader, writer = os.pipe()
    child, terminal = pty.fork()
    if child == 0:
        if args.feed:
            os.dup2(reader, 0)
        os.close(reader)
        os.close(writer)
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 50, args.columns, 0, 0))
        os.environ.pop("COLUMNS", None)
        os.environ["TERM"] = "xterm-256color"
        os.execvp(args.command[0], args.command)
    os.close(reader)
    text = b""
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:
            break
        if not part:
            break
        text += part
        if args.feed and args.when in text:
            os.write(writer, args.feed.read_bytes())
            os.close(writer)
            args.feed = None
    _, status = os.waitpid(child, 0)
    sys.stdout.buffer.write(text.replace(b"\r\n", b"\n"))
    sys.exit(os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main()
