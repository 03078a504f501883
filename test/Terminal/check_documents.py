#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the manual page and completion have the flags of --help, and parse.

  check_documents.py gpu-cost-opt page.1 completion.bash completion.zsh
"""

import re
import shutil
import subprocess
import sys

tool, page, bash, zsh = sys.argv[1:]
text = subprocess.run([tool, "--help"], check=True, stdout=subprocess.PIPE, text=True).stdout
flags = set(re.findall(r"^  (--?[a-z][-a-z0-9]*)", text, re.M)) - {"--help", "--help-list", "--help-hidden", "--version"}
assert len(flags) > 60, flags
manual = open(page, encoding="utf-8").read().replace("\\-", "-")
script = open(bash, encoding="utf-8").read()
functions = open(zsh, encoding="utf-8").read()
for flag in sorted(flags):
    assert re.search(rf"^\.B {flag}(=|$)", manual, re.M), f"{flag} is not in the manual page"
    assert re.search(rf"[' ]{flag}(=| |'|$)", script), f"{flag} is not completed by bash"
    assert re.search(rf"'{flag}=?\[", functions), f"{flag} is not completed by zsh"
# Those of every subcommand are in its section.
for command in ("inspect", "sweep", "optimize", "compare", "transfer", "serve", "calibrate"):
    text = subprocess.run([tool, command, "--help"], check=True, stdout=subprocess.PIPE, text=True).stdout
    text = text[text.index("\nFlags:\n"):]
    own = set(re.findall(r"^  (--?[a-z][-a-z0-9]*)(?:=|\s)", text.split("\n\n")[0], re.M))
    assert {"-o", "--width", "--help"} < own, (command, own)
    section = manual[manual.index(f".SH FLAGS OF {command.upper()}\n"):].split(".SH ")[1]
    for flag in sorted(own):
        assert re.search(rf"^\.B {flag}(=|$)", section, re.M), f"{flag} of {command} is not in the manual page"
        assert re.search(rf"    {command}\) flags='[^']*{flag}[= ']", script), f"{flag} of {command} is not completed by bash"
subprocess.run(["bash", "-n", bash], check=True)
if shutil.which("zsh"):
    subprocess.run(["zsh", "-n", zsh], check=True)
if shutil.which("groff"):
    done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", page], capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, done.stderr
    assert "-" in done.stdout
print(f"{len(flags)} flags")
