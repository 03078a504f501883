#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Whole processes: start-up, import, passes, report. Needs hyperfine.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
tool=${1:-$root/build/bin/gpu-cost-opt}
hyperfine --warmup 3 -N \
  -n "start-up alone" "$tool --version" \
  -n "bert-large" "$tool $root/models/bert-large.onnx --target=a100-bf16 --batch=16 --seq=128" \
  -n "resnet50" "$tool $root/models/resnet50.onnx --target=a100-bf16 --batch=64" \
  -n "qwen2-1.5b" "$tool $root/models/qwen2-1.5b.onnx --target=a100-bf16 --batch=4 --seq=1024"
