# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""(H4) The rows of the table make the time: kernels, gaps, waits for the host, exposed communication."""
from tool import Case, models

SETTINGS = [[], ["--mode=training"], ["--runtime=cudagraph"], ["--mode=training", "--gpus=8"],
            ["--mode=training", "--gpus=16", "--nodes=2", "--network=100:5", "--parallel=fsdp"]]


def cases(tool):
    for i, path in enumerate(models(every=6)):
        setting = SETTINGS[i % len(SETTINGS)]
        text = tool.run(path, "--target=a100-bf16", *tool.sizes(path), *setting, "--top=4")
        case = Case(" ".join([path.stem, *setting]))
        lines = text.splitlines()
        heading = next(number for number, line in enumerate(lines) if "distinct kernel" in line) + 1
        # Collectives that overlap kernels have no share.
        shares = [line.split()[0] for line in lines[heading + 1:lines.index("", heading)]]
        total = sum(float(share) for share in shares if share != "-")
        case.require("table", abs(total - 100) <= 0.05 * len(shares) + 1e-6, f"{total} % in {len(shares)} rows")
        yield case
