// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The number of positions in a table with 64 rows depends on the row of the first token; more tokens are reported.
// RUN: split-file %s %t
// DEFINE: %{file} = summed
// DEFINE: %{note} = gpu-cost-opt %t/%{file}.mlir --target=a100-fp16 --batch=2 --report=json
// DEFINE: %{serve} = gpu-cost-opt serve %t/%{file}.mlir --target=a100-fp16 --output-tokens=2

// The mask summed up is 1 for the first token: rows 1 - 1 + 2 = 2 to 63, 62 positions.
// RUN: %{note} --seq=62 | FileCheck %s --check-prefix=QUIET
// RUN: %{note} --seq=63 | FileCheck %s --check-prefixes=NOTE,SUMMED
// RUN: %{note} --decode --past=61 | FileCheck %s --check-prefix=QUIET
// RUN: %{note} --decode --past=62 | FileCheck %s --check-prefixes=NOTE,SUMMED
// RUN: %{serve} --input-tokens=61 | FileCheck %s --check-prefix=FITS62
// RUN: not %{serve} --input-tokens=62 2>&1 | FileCheck %s --check-prefix=LONG62

// An exclusive sum begins with 0: rows 0 - 1 + 2 = 1 to 63.
// RUN: sed 's/exclusive = 0/exclusive = 1/' %t/summed.mlir > %t/exclusive.mlir
// REDEFINE: %{file} = exclusive
// RUN: %{serve} --input-tokens=62 | FileCheck %s --check-prefix=FITS63
// RUN: not %{serve} --input-tokens=63 2>&1 | FileCheck %s --check-prefix=LONG63

// A range from 0: all 64.
// REDEFINE: %{file} = range
// RUN: %{note} --seq=64 | FileCheck %s --check-prefix=QUIET
// RUN: %{note} --seq=65 | FileCheck %s --check-prefixes=NOTE,ALL
// RUN: %{serve} --input-tokens=63 | FileCheck %s --check-prefix=FITS64

// A range from 3: rows 3 to 63 are 61 positions.
// RUN: sed 's/dense<0> : tensor<i64>/dense<3> : tensor<i64>/' %t/range.mlir > %t/from.mlir
// REDEFINE: %{file} = from
// RUN: %{serve} --input-tokens=60 | FileCheck %s --check-prefix=FITS61

// The first rows of the table: a longer prompt cannot be computed, a longer step is costed.
// REDEFINE: %{file} = slice
// RUN: %{note} --decode --past=63 | FileCheck %s --check-prefix=QUIET
// RUN: %{note} --decode --past=64 | FileCheck %s --check-prefixes=NOTE,ALL
// RUN: %{note} --seq=64 | FileCheck %s --check-prefix=QUIET
// RUN: not %{note} --seq=65 2>&1 | FileCheck %s --check-prefix=SUM
// RUN: %{serve} --input-tokens=63 | FileCheck %s --check-prefix=FITS64
// RUN: not %{serve} --input-tokens=64 2>&1 | FileCheck %s --check-prefix=LONG64

// QUIET-NOT: costed as if
// NOTE: "notes": [
// SUMMED: "sequence 63 > 62 positions, the rows of the table 'positions'; costed as if it had a row for each position; a file with longer tables serves such sequences"
// ALL: "sequence 65 > 64 positions, the rows of the table 'positions'; costed as if it had a row for each position; a file with longer tables serves such sequences"
// SUM: error: {{.*}}sequence 65 > 64 positions, the rows of the table 'positions'; use a shorter sequence
// FITS61: context 61 tokens of a sequence are the most that fit: the tables of positions end
// FITS62: context 62 tokens of a sequence are the most that fit: the tables of positions end
// FITS63: context 63 tokens of a sequence are the most that fit: the tables of positions end
// FITS64: context 64 tokens of a sequence are the most that fit: the tables of positions end
// LONG62: error: input and output together have 63 positions, but the tables of the file 62
// LONG63: error: input and output together have 64 positions, but the tables of the file 63
// LONG64: error: input and output together have 65 positions, but the tables of the file 64

//--- summed.mlir
module attributes {onnx.opsets = {ai.onnx = 23 : i64}} {
  func.func @main(%x: tensor<?x?x16xf16> {onnx.dims = ["batch", "sequence", ""], onnx.name = "x"}, %mask: tensor<?x?xi64> {onnx.dims = ["batch", "sequence"], onnx.name = "attention_mask"}) -> !onnx.unknown attributes {onnx.output_names = ["y"]} {
    %table = onnx.Parameter {name = "positions"} : () -> tensor<64x16xf16>
    %one = onnx.Constant {value = dense<1> : tensor<i64>} : () -> tensor<i64>
    %two = onnx.Constant {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %sum = onnx.CumSum %mask, %one {exclusive = 0 : i64, reverse = 0 : i64} : (tensor<?x?xi64>, tensor<i64>) -> !onnx.unknown
    %kept = onnx.Mul %sum, %mask : (!onnx.unknown, tensor<?x?xi64>) -> !onnx.unknown
    %position = onnx.Sub %kept, %one : (!onnx.unknown, tensor<i64>) -> !onnx.unknown
    %row = onnx.Add %position, %two : (!onnx.unknown, tensor<i64>) -> !onnx.unknown
    %rows = onnx.Gather %table, %row {axis = 0 : i64} : (tensor<64x16xf16>, !onnx.unknown) -> !onnx.unknown
    %h = onnx.Add %x, %rows : (tensor<?x?x16xf16>, !onnx.unknown) -> !onnx.unknown
    %y = onnx.Attention %h, %h, %h {is_causal = 1 : i64, q_num_heads = 2 : i64, kv_num_heads = 2 : i64} : (!onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
    return %y : !onnx.unknown
  }
}

//--- range.mlir
module attributes {onnx.opsets = {ai.onnx = 23 : i64}} {
  func.func @main(%x: tensor<?x?x16xf16> {onnx.dims = ["batch", "sequence", ""], onnx.name = "x"}) -> !onnx.unknown attributes {onnx.output_names = ["y"]} {
    %table = onnx.Parameter {name = "positions"} : () -> tensor<64x16xf16>
    %first = onnx.Constant {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %one = onnx.Constant {value = dense<1> : tensor<i64>} : () -> tensor<i64>
    %dims = onnx.Shape %x {start = 1 : i64, end = 2 : i64} : (tensor<?x?x16xf16>) -> !onnx.unknown
    %length = onnx.Squeeze %dims : (!onnx.unknown) -> !onnx.unknown
    %last = onnx.Add %length, %first : (!onnx.unknown, tensor<i64>) -> !onnx.unknown
    %axis = onnx.Constant {value = dense<0> : tensor<1xi64>} : () -> tensor<1xi64>
    %range = onnx.Range %first, %last, %one : (tensor<i64>, !onnx.unknown, tensor<i64>) -> !onnx.unknown
    %wide = onnx.Unsqueeze %range, %axis : (!onnx.unknown, tensor<1xi64>) -> !onnx.unknown
    %row = onnx.Squeeze %wide, %axis : (!onnx.unknown, tensor<1xi64>) -> !onnx.unknown
    %rows = onnx.Gather %table, %row {axis = 0 : i64} : (tensor<64x16xf16>, !onnx.unknown) -> !onnx.unknown
    %h = onnx.Add %x, %rows : (tensor<?x?x16xf16>, !onnx.unknown) -> !onnx.unknown
    %y = onnx.Attention %h, %h, %h {is_causal = 1 : i64, q_num_heads = 2 : i64, kv_num_heads = 2 : i64} : (!onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
    return %y : !onnx.unknown
  }
}

//--- slice.mlir
module attributes {onnx.opsets = {ai.onnx = 23 : i64}} {
  func.func @main(%x: tensor<?x?x16xf16> {onnx.dims = ["batch", "sequence", ""], onnx.name = "x"}) -> !onnx.unknown attributes {onnx.output_names = ["y"]} {
    %table = onnx.Parameter {name = "positions"} : () -> tensor<64x16xf16>
    %zero = onnx.Constant {value = dense<0> : tensor<1xi64>} : () -> tensor<1xi64>
    %one = onnx.Constant {value = dense<1> : tensor<1xi64>} : () -> tensor<1xi64>
    %length = onnx.Shape %x {start = 1 : i64, end = 2 : i64} : (tensor<?x?x16xf16>) -> !onnx.unknown
    %rows = onnx.Slice %table, %zero, %length, %zero, %one : (tensor<64x16xf16>, tensor<1xi64>, !onnx.unknown, tensor<1xi64>, tensor<1xi64>) -> !onnx.unknown
    %h = onnx.Add %x, %rows : (tensor<?x?x16xf16>, !onnx.unknown) -> !onnx.unknown
    %y = onnx.Attention %h, %h, %h {is_causal = 1 : i64, q_num_heads = 2 : i64, kv_num_heads = 2 : i64} : (!onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
    return %y : !onnx.unknown
  }
}
