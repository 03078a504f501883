#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that tracked files do not contain paths of the machine that wrote
them.

A path below a home, scratch, work or build folder at the root of a file system exists on
one machine only. Logs and generated files bring such paths in; binary files are read too.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("home", "root", "Users", "Volumes", "work", "workspace", "scratch", "mnt", "tmp", "opt", "srv", "build",
           "builds", "data", "github", "runner", "private", "var", "nix", "export")
# After a letter, digit, dot, brace or parenthesis the match ends a relative path or a variable.
PATH = re.compile(rb"(?<![\w.$})~\]/-])/+(?:" + "|".join(FOLDERS).encode() + rb")/[\w.-]+"
                  rb"|(?<!\w)[A-Z]:\\(?:Users|home|work|build)\w*\\[\w.-]+|file:///[\w.-]+")


def findings(name, data):
    for number, line in enumerate(data.split(b"\n"), start=1):
        found = PATH.search(line)
        if found:
            yield f"{name}:{number}: {found[0].decode(errors='replace')}"


def main():
    names = subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT).decode().split("\0")[:-1]
    # A string that the expression must match, put together here so that this file passes.
    if not list(findings("", b"log: /" + b"home/somebody/x.o")) or list(findings("", b"a/home/b ../build/bin $X/tmp/y")):
        sys.exit("check_paths: the expression is wrong")
    problems = []
    for name in names:
        path = ROOT / name
        if path.is_file():
            problems += findings(name, path.read_bytes())
    for problem in problems:
        print(f"check_paths: a path of one machine: {problem}")
    if not problems:
        print(f"check_paths: {len(names)} files")
    return 1 if problems or not names else 0


if __name__ == "__main__":
    sys.exit(main())
