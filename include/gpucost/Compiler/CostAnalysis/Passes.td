//===- Passes.td - Costs as annotations --------------------*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Passes between those of a compiler: they add attributes, nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COSTANALYSIS_PASSES_TD
#define GPUCOST_COSTANALYSIS_PASSES_TD

include "mlir/Pass/PassBase.td"

def AnnotatePass : Pass<"gpucost-annotate"> {
  let summary = "write on ops what they cost, in place";
  let description = [{
    Adds the discardable attribute `gpucost.cost` to every op that launches
    kernels, to loops and branches (all that is in them, every iteration) and to
    functions (their ops together, without the host). Changes nothing else: no
    wrapping, no casts, no deletion. Runs on any op: in a pipeline on
    `func.func` one function is annotated by one thread. An older annotation
    goes.

    The GPU is `target`, or what the module names: `gpucost.target`, a device of
    `dlti.target_system_spec`, `#nvvm.target`. Tensors keep their formats.

    Settings: `target`, `target-file`, `coefficients`, `bind`, `clock`,
    `power-limit`, `runtime`.

    Example: `test/CostAnalysis/annotate.mlir`.
  }];
}

def StripPass : Pass<"gpucost-strip"> {
  let summary = "remove the annotations of gpucost-annotate";
  let description = [{
    Removes `gpucost.cost` from all ops. With `all` every attribute
    `gpucost.*`, and each `gpucost.kernel` gives way to the ops in it: the
    module is ready for passes that do not know this dialect.

    Example: `test/CostAnalysis/strip.mlir`.
  }];
  let options = [
    Option<"all", "all", "bool", "false",
           "also attributes and kernels of gpucost-analyze">
  ];
}

#endif // GPUCOST_COSTANALYSIS_PASSES_TD
