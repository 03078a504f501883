# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a step log whose times are predictions times a factor: make_steps.py TOOL MODEL TARGET FACTOR FLAGS..."""
import json
import subprocess
import sys

tool, model, target, factor, *plans = sys.argv[1:]
print("model,flags,time_s")
for flags in plans:
    text = subprocess.run([tool, model, f"--target={target}", "--mode=training", "--report=json", *flags.split()],
                          check=True, capture_output=True, text=True).stdout
    print(f'{model},{flags},{json.loads(text)["iteration"]["time_ms"] / 1e3 * float(factor):.6g}')
