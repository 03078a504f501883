#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gathers the pages of the documentation site (mkdocs.yml): its documents, the generated reference pages, and whatever
they link to, in the folders of the repository.

usage: docs_site.py --reference build/docs/reference --out build-docs/pages

A linked source becomes a page with its text, a linked folder a page with its files, so that all links work from disk.
Exit code 1: a link leads nowhere, or a document is not in the navigation.
"""
import argparse
import pathlib
import posixpath
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
LINK = re.compile(r"(!?\[[^\]\[]*\]\()([^)\s]+)(\))")
IMAGES = {".png", ".svg"}
LANGUAGES = {".c": "c", ".h": "cpp", ".cpp": "cpp", ".py": "python", ".ipynb": "json", ".json": "json", ".yaml": "yaml", ".td": "tablegen",
             ".def": "cpp", ".txt": "cmake"}
# Sources that are longer become no page.
MOST_BYTES = 400_000


class Site:
    def __init__(self, out, reference):
        self.out = out
        self.reference = reference
        self.done = set()
        self.faults = []

    def file_of(self, name):
        """The file of a page or source with a name below the root."""
        generated = self.reference / pathlib.PurePosixPath(name).name
        return generated if name.startswith("docs/reference/") and name.endswith(".md") else ROOT / name

    def write(self, name, text):
        path = self.out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def add_page(self, name):
        if name in self.done:
            return
        self.done.add(name)
        text = self.file_of(name).read_text(encoding="utf-8")
        if not re.search(r"^# ", text, re.M):
            text = f"# {pathlib.PurePosixPath(name).stem}\n\n{text}"
        self.write(name, "".join(self.lines_of(name, text)))

    def lines_of(self, page, text):
        """The lines of a page for Python-Markdown, with links to pages of the site."""
        in_code = False
        for line in text.splitlines(keepends=True):
            if line.lstrip().startswith("```"):
                in_code = not in_code
            elif not in_code:
                # Python-Markdown nests lists by four spaces.
                line = re.sub(r"^  (?=[-*] )", "    ", line)
                # Parts in backticks are code.
                parts = re.split(r"(`[^`]*`)", line)
                if not re.search(r"\]\(", "".join(parts[1::2])):
                    line = LINK.sub(lambda match: match[1] + self.target(page, match[2]) + match[3], line)
            yield line

    def target(self, page, link):
        """Where a link of a page leads in the site; adds its page."""
        path, mark, anchor = link.partition("#")
        if not path or re.match(r"[a-z]+:", path):
            return link
        name = posixpath.normpath(posixpath.join(posixpath.dirname(page), path))
        file = self.file_of(name)
        if name.startswith("..") or not file.exists():
            self.faults.append(f"{page}: the link '{link}' leads nowhere")
            return link
        if file.is_dir():
            made = posixpath.join(name, "README.md") if (file / "README.md").exists() else self.add_listing(name)
            if made.endswith("README.md"):
                self.add_page(made)
        elif name.endswith(".md"):
            self.add_page(made := name)
        elif file.suffix in IMAGES:
            (self.out / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, self.out / (made := name))
        else:
            made = self.add_source(name)
        return posixpath.relpath(made, posixpath.dirname(page) or ".") + mark + anchor

    def add_source(self, name):
        made = name + ".source.md"
        if made not in self.done:
            self.done.add(made)
            text = self.file_of(name).read_text(encoding="utf-8")
            fence = "`" * max([3] + [len(run) + 1 for run in re.findall(r"`{3,}", text)])
            language = LANGUAGES.get(pathlib.PurePosixPath(name).suffix, "text")
            self.write(made, f"---\nsearch:\n  exclude: true\n---\n\n# {name}\n\n{fence}{language}\n{text.rstrip()}\n{fence}\n")
        return made

    def add_listing(self, folder):
        made = posixpath.join(folder, "listing.md")
        if made not in self.done:
            self.done.add(made)
            lines = [f"---\nsearch:\n  exclude: true\n---\n\n# {folder}\n\n"]
            for file in sorted((ROOT / folder).rglob("*")):
                name = file.relative_to(ROOT / folder).as_posix()
                if file.is_dir() or "__pycache__" in name:
                    continue
                try:
                    is_text = file.stat().st_size < MOST_BYTES and "\0" not in file.read_text(encoding="utf-8")
                except UnicodeDecodeError:
                    is_text = False
                if is_text:
                    target = f"{folder}/{name}"
                    if name.endswith(".md"):
                        self.add_page(target)
                    else:
                        target = self.add_source(target)
                    lines.append(f"- [{name}]({posixpath.relpath(target, folder)})\n")
                else:
                    lines.append(f"- {name}\n")
            self.write(made, "".join(lines))
        return made


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reference", type=pathlib.Path, required=True, help="folder with the pages that the build writes")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    options = parser.parse_args()
    shutil.rmtree(options.out, ignore_errors=True)
    site = Site(options.out, options.reference)
    listed = re.findall(r"^ +- ([\w/]+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.M)
    for name in listed:
        site.add_page(name)
    documents = {f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")}
    site.faults += [f"mkdocs.yml: {name} is not in the navigation" for name in sorted(documents - set(listed))]
    shutil.copytree(ROOT / "docs" / "site", options.out / "docs" / "site", dirs_exist_ok=True)
    for fault in site.faults:
        print(f"docs_site: {fault}", file=sys.stderr)
    print(f"docs_site: {len(site.done)} pages")
    sys.exit(1 if site.faults else 0)


if __name__ == "__main__":
    main()
