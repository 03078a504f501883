//===- Passes.td - Costs as annotations --------------------*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Passes for use in a compiler's pipeline: they only add attributes.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COSTANALYSIS_PASSES_TD
#define GPUCOST_COSTANALYSIS_PASSES_TD

include "mlir/Pass/PassBase.td"

def AnnotatePass : Pass<"gpucost-annotate"> {
  let summary = "annotate ops with their cost, in place";
  let description = [{
    Adds the discardable attribute `gpucost.cost` to every op that launches
    kernels, to loops and branches (the sum of their ops over all iterations)
    and to functions (the sum of their ops, without host time). It does not
    change, wrap or delete ops. Runs on any op; in a pipeline on `func.func`,
    functions are annotated concurrently. Existing annotations are replaced.
    On a module it also writes `gpucost.predicted_by`: version, GPU and hash of
    the coefficients, which `coefficients` accepts.

    The GPU is `target`, or the one that the module names: `gpucost.target`, a
    device of `dlti.target_system_spec`, `#nvvm.target`. Tensors keep their
    formats.

    By default the IR is priced as written: each op is one kernel with its
    epilogue, and ONNX ops that spell out a norm, a softmax or an attention
    remain separate kernels. `runtime=eager`, `cudagraph` or `compiled` prices
    the kernels that this runtime launches. The attribute names the runtime.

    Settings: `target`, `target-file`, `coefficients`, `bind`, `clock`,
    `power-limit`, `runtime`.

    Example: `test/CostAnalysis/annotate.mlir`.
  }];
}

def StripPass : Pass<"gpucost-strip"> {
  let summary = "remove the annotations of gpucost-annotate";
  let description = [{
    Removes `gpucost.cost` and `gpucost.predicted_by`. `all` removes every attribute
    `gpucost.*` and replaces each `gpucost.kernel` with the ops in it, so that
    passes without support for this dialect can process the module.

    Example: `test/CostAnalysis/strip.mlir`.
  }];
  let options = [
    Option<"all", "all", "bool", "false",
           "also attributes and kernels of gpucost-analyze">
  ];
}

#endif // GPUCOST_COSTANALYSIS_PASSES_TD
