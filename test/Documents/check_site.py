#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Opens the documentation site from disk in a browser: it loads nothing from elsewhere, and its search finds pages.

usage: check_site.py FOLDER

Without a browser, prints a message and checks nothing.
"""
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "utils" / "python"))

import browser  # noqa: E402

# Words to search, and a page that has to be among the results.
SEARCHES = {"roofline": "docs/Reports.html", "grid CO2e": "docs/Settings.html", "autocast": "docs/Rationale.html"}
PAGES = ["index.html", "docs/CostModel.html", "docs/reference/Passes.html"]
SECONDS = 60


def check(condition, message):
    if not condition:
        sys.exit(f"check_site: {message}")


def results(tab, words, wanted):
    """Addresses of the pages that the search finds, if possible with `wanted`: each letter changes them a while later."""
    x, y = tab.run("(r => [r.left + r.width / 2, r.top + r.height / 2])(document.querySelector('.md-search__input').getBoundingClientRect())")
    tab.click(x, y)
    for letter in words:
        tab.key(letter, text=letter)
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        found = tab.run("[...document.querySelectorAll('.md-search-result__link')].map(link => link.href.split('#')[0].split('?')[0])")
        if wanted in found:
            break
        time.sleep(0.1)
    return found


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    if not browser.find():
        print("check_site: no browser; the search is not checked")
        return
    with browser.Browser() as tab:
        tab.size(1280)
        for page in PAGES:
            tab.open(folder / page)
            check(not tab.errors, f"{page}: {tab.errors[:3]}")
            others = [url for url in tab.requests if not url.startswith((folder.as_uri(), "data:", "blob:"))]
            check(not others, f"{page} loads {others[:3]}")
        for words, page in SEARCHES.items():
            tab.open(folder / "index.html")
            wanted = (folder / page).as_uri()
            found = results(tab, words, wanted)
            check(wanted in found, f"a search for '{words}' does not find {page}, but {found[:5]}")
        check(not tab.errors, f"the search: {tab.errors[:3]}")
    print("check_site: the search works")


if __name__ == "__main__":
    main()
