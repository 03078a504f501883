# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The rules of onnx ops: fields `shapes` to `weights` of their definitions (OnnxBase.td), checked and encoded for
lib/Compiler/Dialect/Onnx/Rules/OpRule.h."""
import re
import sys

FUNCTIONS = {"min": 2, "max": 2, "ceil": 2, "visible": 3}
TYPES = {"f32", "f16", "bf16", "u8", "i32", "i64"}
TOKEN = re.compile(r"\s*(?:(\d+)|([A-Za-z_][\w.]*)|([-+*/(),]))")
LISTS = ("shapes", "results", "names", "contradictions", "reads", "writes", "weights")
TEXTS = ("problem", "tensorCount", "fp32Count", "specialCount")
KINDS = {"elements": (1, 1), "strided": (1, 1), "gather": (1, 1), "rows": (2, 2), "matmul": (4, 5)}


def has_rule(op):
    return any(op[field] for field in LISTS + TEXTS)


def split_list(text):
    """Parts between commas outside of parentheses."""
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if c == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    return [*parts, text[start:].strip()] if text.strip() else []


class Encoder:
    """Checks the expressions of one op and replaces names of operands with their numbers."""

    def __init__(self, op, operands, attributes):
        self.op, self.operands, self.attributes = op, operands, attributes
        self.names = {entry.split("=")[0].strip() for entry in op["names"]} | {"rows"}

    def fail(self, text):
        sys.exit(f"onnx_rules: {self.op['opName']}: {text}")

    def operand(self, name):
        if name not in self.operands:
            self.fail(f"unknown operand '{name}'")
        return str(self.operands.index(name))

    def name(self, name):
        what, _, of = name.partition(".")
        if not of:
            if name not in self.names | self.attributes:
                self.fail(f"unknown name '{name}'")
            return name
        if what in ("has", "size", "rank", "last") and name not in ("size.in", "size.out"):
            return f"{what}.{self.operand(of)}"
        if name not in ("size.in", "size.out") and not re.fullmatch(r"used\.\d+", name) and what not in self.attributes:
            self.fail(f"unknown name '{name}'")
        return name

    def expression(self, text):
        """The expression with operand numbers; a syntax error ends the build."""
        tokens = [number or name or sign for number, name, sign in TOKEN.findall(text)]
        if TOKEN.sub("", text).strip():
            self.fail(f"'{text}' is not an expression")
        encoded = self.sum(tokens)
        if tokens:
            self.fail(f"'{text}' is not an expression")
        return encoded

    def take(self, tokens, *signs):
        """The next token if it is one of the signs."""
        return tokens.pop(0) if tokens and tokens[0] in signs else ""

    def sum(self, tokens):
        encoded = self.factor(tokens)
        while sign := self.take(tokens, "+", "-", "*", "/"):
            encoded += sign + self.factor(tokens)
        return encoded

    def factor(self, tokens):
        token = tokens.pop(0) if tokens else ""
        if token.isdigit():
            return token
        if token != "(" and not re.match(r"[A-Za-z_]", token):
            self.fail(f"expected a number or a name, found '{token}'")
        if token != "(" and not self.take(tokens, "("):
            return self.name(token)
        arguments = [self.sum(tokens)]
        while self.take(tokens, ","):
            arguments.append(self.sum(tokens))
        if not self.take(tokens, ")") or len(arguments) != (1 if token == "(" else FUNCTIONS.get(token, 0)):
            self.fail(f"wrong arguments of '{token}'")
        return f"{token if token != '(' else ''}({', '.join(arguments)})"

    def choice(self, text, encode):
        """`encode` of the text, or of both alternatives."""
        match = re.fullmatch(r"if (.*?): (.*) else (.*)", text.strip())
        if not match:
            return encode(text.strip())
        condition, first, second = match.groups()
        return f"?{self.expression(condition)}?{encode(first.strip())}!{encode(second.strip())}"

    def sizes(self, text):
        """A list in brackets."""
        if not (text.startswith("[") and text.endswith("]")):
            self.fail(f"expected sizes in brackets, found '{text}'")
        parts = split_list(text[1:-1])
        return ", ".join(part if part in ("?", "...") else self.expression(part) for part in parts)

    def declare(self):
        """All names that sizes of operands give values."""
        for entry in self.op["shapes"]:
            for part in split_list(",".join(re.findall(r"\[(.*?)\]", entry))):
                if re.fullmatch(r"[A-Za-z_]\w*(\+\d+)?", part):
                    self.names.add(re.sub(r"\+\d+$", "", part))

    def result(self, text):
        kind, _, rest = text.partition("[")
        kind = kind.strip()
        if kind.startswith("="):
            return "&" + self.operand(kind[1:].strip())
        if kind.startswith("@") and kind[1:] not in self.attributes:
            self.fail(f"unknown attribute in '{text}'")
        if kind and kind not in TYPES and not kind.startswith("@"):
            kind = self.operand(kind)
        return f"{kind}[{self.sizes('[' + rest)}]"

    def kernel(self, text):
        kind, _, rest = text.partition(":")
        parts = rest.split("|")
        least, most = KINDS.get(kind, (1, 0))
        if not least <= len(parts) <= most:
            self.fail(f"unknown kernel '{text}'")
        return f"{kind}:" + "|".join(self.expression(part) for part in parts)

    def entries(self, field, encode):
        """'key=text' of each 'key: text', joined."""
        lines = []
        for entry in self.op[field]:
            key, _, text = entry.partition(":")
            lines.append(encode(key.strip(), text.strip()))
        return ";".join(filter(None, lines))


def write_rule(op, operands, attributes):
    """Initializer of an OpRule."""
    encoder = Encoder(op, operands, attributes)
    encoder.declare()
    required = [encoder.operand(entry.split(":")[0].strip()[:-1]) for entry in op["shapes"]
                if entry.split(":")[0].strip().endswith("!")]
    shapes = encoder.entries("shapes", lambda key, text: encoder.operand(key.rstrip("!")) + "=" +
                             encoder.choice(text, encoder.sizes) if text else "")
    results = ";".join(f"{i}={encoder.choice(text, encoder.result)}" for i, text in enumerate(op["results"]))
    names = ";".join(f"{name.strip()}={encoder.expression(text)}"
                     for name, _, text in (entry.partition("=") for entry in op["names"]))
    contradictions = ";".join(f"{text.strip()}={encoder.expression(condition)}"
                              for condition, _, text in (entry.partition(":") for entry in op["contradictions"]))

    def amounts(field):
        return encoder.entries(field, lambda key, text: f"{key if key.isdigit() else encoder.operand(key)}="
                               f"{encoder.expression(text)}")

    fields = [";".join(required), shapes, results, names, contradictions,
              encoder.choice(op["problem"], encoder.kernel) if op["problem"] else ""]
    fields += [encoder.expression(op[field]) if op[field] else "" for field in TEXTS[1:]]
    fields += [amounts("reads"), amounts("writes"), amounts("weights")]
    return "{" + ", ".join(f'"{field}"' for field in fields) + "},"
