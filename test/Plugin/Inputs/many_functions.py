#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""many_functions.py COUNT: a module of so many functions, each with a product."""
import sys

TYPE = "tensor<256x256xbf16>"
for i in range(int(sys.argv[1])):
    print(f"func.func @f{i}(%a: {TYPE}, %b: {TYPE}) -> {TYPE} {{")
    print(f"  %r = linalg.matmul ins(%a, %b : {TYPE}, {TYPE}) outs(%a : {TYPE}) -> {TYPE}")
    print(f"  return %r : {TYPE}\n}}")
