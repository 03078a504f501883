# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the code blocks of a document that follow `<!-- file: NAME -->` to a folder."""
import pathlib
import re
import sys

document, folder = sys.argv[1:]
files = re.findall(r"<!-- file: (\S+) -->\n```\w+\n(.*?)^```$", pathlib.Path(document).read_text(), re.DOTALL | re.MULTILINE)
if not files:
    sys.exit(f"{document}: no '<!-- file: NAME -->'")
pathlib.Path(folder).mkdir(parents=True)
for name, text in files:
    (pathlib.Path(folder) / name).write_text(text)
