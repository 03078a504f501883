#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Updates the pictures of docs/Reports.md: runs its commands and takes screenshots of
the pages.

usage: gallery.py [--tool build/bin/gpu-cost-opt] [--out docs/figures]

Needs a browser (Debian's package chromium). Inspect the pictures before committing them.
"""
import argparse
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "utils" / "python"))

import browser  # noqa: E402

WIDTH = 1000
MOST_BYTES = 150_000
# {picture: (page, element at which it begins, height)}.
PICTURES = {
    "page-report": ("bert-large.html", "#headline", 840),
    "page-roofline": ("bert-large.html", "#roofline", 560),
    "page-sweep": ("sweep.html", "#headline", 940),
    "page-optimum": ("best.html", "#headline", 780),
    "page-deployment": ("deploy.html", "#headline", 820),
    "page-generation": ("pipeline.html", "#headline", 900),
    "page-comparison": ("compared.html", "#headline", 640),
}


def run_document(tool, folder):
    """Runs the commands of docs/Reports.md, which write the pages."""
    text = (ROOT / "docs" / "Reports.md").read_text()
    for inputs in ("models", "examples"):
        (folder / inputs).symlink_to(ROOT / inputs)
    for line in re.findall(r"^gpu-cost-opt .*$", text, re.M):
        subprocess.run([tool, *shlex.split(line)[1:]], cwd=folder, check=True, stderr=subprocess.DEVNULL)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", type=pathlib.Path, default=ROOT / "build" / "bin" / "gpu-cost-opt")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "docs" / "figures")
    options = parser.parse_args()
    if not browser.find():
        sys.exit("gallery: no browser; install Debian's package chromium")
    with tempfile.TemporaryDirectory() as name, browser.Browser() as tab:
        folder = pathlib.Path(name)
        run_document(options.tool.resolve(), folder)
        tab.system_theme("light")
        tab.size(WIDTH)
        for picture, (page, start, height) in PICTURES.items():
            tab.open(folder / page)
            top = tab.run(f"document.querySelector({start!r}).getBoundingClientRect().top + scrollY")
            path = options.out / f"{picture}.png"
            tab.picture(path, clip={"x": 0, "y": max(0, top - 12), "width": WIDTH, "height": height})
            size = path.stat().st_size
            print(f"gallery: {path.relative_to(ROOT) if path.is_relative_to(ROOT) else path}, {size} bytes")
            if size > MOST_BYTES:
                sys.exit(f"gallery: {picture} is larger than {MOST_BYTES} bytes")


if __name__ == "__main__":
    main()
