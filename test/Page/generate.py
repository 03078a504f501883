# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models that pages must bear: `large FILE` with 5,000 different kernels, `hostile FILE`
with names that are scripts, elements and a million letters long."""
import sys

HOSTILE = ["</script><script>window.hacked = 1</script>", "<img src=x onerror='window.hacked = 1'>",
           "--><!-- <b class=hostile>&lt;</b> \u2028 ${hacked} `", "\\22); window.hacked = 1; //"]


def quoted(name):
    """A name as MLIR text has it."""
    return '"' + "".join(c if c.isalnum() or c in " /<>-=!.&;$:_" else "".join(f"\\{b:02X}" for b in c.encode()) for c in name) + '"'


def model(ops, file):
    """`ops`: [operator, size, name]."""
    arguments = ", ".join(f"%a{i}: tensor<{size}xf32>" for i, (_, size, _) in enumerate(ops))
    types = ", ".join(f"tensor<{size}xf32>" for _, size, _ in ops)
    lines = [f"func.func @main({arguments}) -> ({types}) {{"]
    for i, (op, size, name) in enumerate(ops):
        kind = f"tensor<{size}xf32>"
        lines.append(f"  %{i} = onnx.{op} %a{i} : ({kind}) -> {kind} loc({quoted(name)})")
    results = ", ".join(f"%{i}" for i in range(len(ops)))
    lines += [f"  return {results} : {types}", "}", ""]
    with open(file, "w") as out:
        out.write("\n".join(lines))


def main():
    kind, file = sys.argv[1:]
    if kind == "large":
        model([(("Relu", "Tanh", "Exp")[i % 3], 1000 + 64 * i, f"/net/layer.{i // 50}/block.{i % 50 // 10}/op_{i}") for i in range(5000)], file)
    else:
        names = HOSTILE + ["/".join(HOSTILE), "x" * 1_000_000, "/a" * 500_000, "<img src=x>" * 90_000]
        model([("Relu", 4096 + 64 * i, name) for i, name in enumerate(names)], file)


if __name__ == "__main__":
    main()
