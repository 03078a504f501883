# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command with the flag that `inspect` suggests, as a shell reads it, with 2, 3, 4 and 5 as the sizes.

usage: paste_flag.py INSPECTED COMMAND...
"""
import re
import shlex
import subprocess
import sys


def main():
    inspected, *command = sys.argv[1:]
    line = next(line for line in open(inspected) if "--bind=" in line)
    flag = shlex.split(line)[0]
    sizes = iter("2345")
    sys.exit(subprocess.run(command + [re.sub("<n>", lambda _: next(sizes), flag)]).returncode)


if __name__ == "__main__":
    main()
