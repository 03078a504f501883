//===- GpuCostCostAttr.td - The cost attribute -------------*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The attribute that `gpucost-annotate` writes on ops of any dialect.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_GPUCOST_IR_GPUCOSTCOSTATTR_TD
#define GPUCOST_DIALECT_GPUCOST_IR_GPUCOSTCOSTATTR_TD

include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostBase.td"

def CostAttr : GpuCost_Attr<"Cost", "cost"> {
  let summary = "cost of an op's launches on a GPU";
  let description = [{
    The discardable attribute `gpucost.cost`, which `gpucost-annotate` writes on
    existing ops and `gpucost-strip` removes. `runtime` names the runtime whose
    kernels are priced; `as-written` is one kernel for each op. `coverage` is
    `modelled`; `fallback` for a lower bound; or `unmodelled` without numbers.
    `reason` explains why it is not `modelled`. `low` and `high` are the ends of
    the 80 % interval; 0 s if it is unknown. On a function it is the sum of its
    ops, without host time.
  }];
  let parameters = (ins "::gpucost::Runtime":$runtime,
      "::gpucost::Coverage":$coverage,
      QuantityParameter<"Seconds", "all launches">:$time,
      QuantityParameter<"Seconds", "low end of the interval">:$low,
      QuantityParameter<"Seconds", "high end of the interval">:$high,
      QuantityParameter<"Joules", "board energy">:$energy,
      QuantityParameter<"Watts", "average board power">:$power,
      "::gpucost::Bound":$bound, "int64_t":$launches,
      OptionalParameter<"::mlir::StringAttr", "why it is not modelled">:$reason);
}

#endif // GPUCOST_DIALECT_GPUCOST_IR_GPUCOSTCOSTATTR_TD
