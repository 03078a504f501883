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

/// A predicted quantity, printed with four significant digits (`33.40 us`).
class OptionalQuantity<string type, string desc>
    : OptionalParameter<"std::optional<::gpucost::" # type # ">", desc> {
  let printer = "$_printer << ::gpucost::roundedText(*$_self)";
}

/// The end of an interval, printed as `open` if it is infinite.
class IntervalEnd<string desc> : OptionalQuantity<"Seconds", desc> {
  let parser = "parseIntervalEnd($_parser)";
  let printer = "printIntervalEnd($_printer, $_self)";
}

def CostAttr : GpuCost_Attr<"Cost", "cost"> {
  let summary = "cost of an op's launches on a GPU";
  let description = [{
    The discardable attribute `gpucost.cost`, which `gpucost-annotate` writes on
    existing ops and `gpucost-strip` removes. `runtime` names the runtime whose
    kernels are priced; `as-written` is one kernel for each op. `coverage` is
    `modelled`; `fallback` for a lower bound; or `unmodelled` without numbers.
    `reason` explains why it is not `modelled`. `low` and `high` are the ends of
    the 80 % interval; `high = open` for a lower bound. Unknown values are
    absent. On a function it is the sum of its ops, without host time.
    Quantities are printed with four significant digits.
  }];
  let parameters = (ins "::gpucost::Runtime":$runtime,
      "::gpucost::Coverage":$coverage,
      OptionalQuantity<"Seconds", "all launches">:$time,
      IntervalEnd<"low end of the interval">:$low,
      IntervalEnd<"high end of the interval">:$high,
      OptionalQuantity<"Joules", "board energy">:$energy,
      OptionalQuantity<"Watts", "average board power">:$power,
      "::gpucost::Bound":$bound, "int64_t":$launches,
      OptionalParameter<"::mlir::StringAttr", "why it is not modelled">:$reason);
}

#endif // GPUCOST_DIALECT_GPUCOST_IR_GPUCOSTCOSTATTR_TD
