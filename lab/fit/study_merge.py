# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Coefficient files with the groups of the studies, without losing what other fits have added to them."""
import re

HEAD = re.compile(r"#(\w+) = #gpucost\.\w+<\n")
GROUP = re.compile(HEAD.pattern + r".*?(?=>\n(?:\n|#))", re.S)
NAME = re.compile(r"\s*(\w+) = ")
OPEN, CLOSE = "<[{(", ">]})"


def entries(block):
    """[(field, text)] of a group `#name = #gpucost.kind<...`, without its last bracket."""
    found, start, depth, quoted = [], HEAD.match(block).end(), 0, False
    for place in range(start, len(block) + 1):
        letter = block[place] if place < len(block) else ","
        if letter == '"':
            quoted = not quoted
        elif not quoted and letter in OPEN:
            depth += 1
        elif not quoted and letter in CLOSE:
            depth -= 1
        elif letter == "," and not quoted and not depth:
            entry = block[start:place]
            found.append((NAME.match(entry)[1], entry))
            start = place + 1
    return found


ELEMENT = re.compile(r"\s*<kind = (\w+)[^<>]*>")
NOTES = re.compile(r'(provenance = ")([^"]*)(")')


def with_notes(block, old, names):
    """`block` whose provenance has the notes of `old` on the fields `names`, which begin with a name."""
    notes = [note for note in NOTES.search(old)[2].split("; ") if re.split(r"\W", note)[0] in names]
    return NOTES.sub(lambda found: found[1] + "; ".join([found[2], *notes]) + found[3], block, count=1)


def merged_list(old, new):
    """The list `new` of elements with a kind, with the kinds that only `old` has; and these kinds."""
    known = {element[1] for element in ELEMENT.finditer(new)}
    more = [element for element in ELEMENT.finditer(old) if element[1] not in known] if known else []
    text = new[:new.rindex("]")] + "".join("," + element[0] for element in more) + "]" if more else new
    return text, {element[1] for element in more}


def merged_block(old, new):
    """The group `new` with the fields that only `old` has, and the notes on them. Fields keep the order of `old`; others are
    second."""
    known, result = dict(entries(new)), []
    own = {name for name, _ in entries(old)} - set(known)
    for name, entry in entries(old):
        value = known.pop(name, None)
        if value is not None:
            value, kinds = merged_list(entry, value)
            own |= kinds
        space = entry[:len(entry) - len(entry.lstrip())]
        result.append(entry if value is None else space + value.lstrip())
    result[1:1] = known.values()
    block = HEAD.match(new)[0] + ",".join(result)
    return with_notes(block, old, own) if NOTES.search(block) else block


def merged(committed, study):
    """The files {stem: text} of `study` with the groups, fields and lists of groups that only `committed` has."""
    texts = {}
    for stem, text in study.items():
        new = {group[1]: group[0] for group in GROUP.finditer(text)}
        texts[stem] = GROUP.sub(lambda old: merged_block(old[0], new[old[1]]) if old[1] in new else old[0], committed[stem])
    return texts
