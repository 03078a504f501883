//===- GpuCostAttrs.td - Annotation attributes -------------*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The attributes that the passes write on kernels and on the module. Counts are
// exact integers; times, powers and energies carry their unit.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_GPUCOST_IR_GPUCOSTATTRS_TD
#define GPUCOST_DIALECT_GPUCOST_IR_GPUCOSTATTRS_TD

include "mlir/IR/EnumAttr.td"
include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostBase.td"

// Enumerations that are attributes; Vocabulary/Enums.def defines their cases.
class GpuCost_Enum<string name, string summary>
    : I32EnumAttr<name, summary, []> {
  let cppNamespace = "::gpucost";
  let genSpecializedAttr = 0;
  let parameterParser = "::mlir::FieldParser<" # cppType # ">::parse($_parser)";
}
def Phase : GpuCost_Enum<"Phase", "part of an iteration">;
def Coverage : GpuCost_Enum<"Coverage", "how well a kernel's work is known">;
def CopyReason : GpuCost_Enum<"CopyReason", "reason for a copy">;
def CollectiveKind
    : GpuCost_Enum<"CollectiveKind", "communication of all GPUs">;

def ExpertExchange
    : GpuCost_Enum<"ExpertExchange", "part of an exchange between the GPUs of experts">;

def TensorRole : GpuCost_Enum<"TensorRole", "use of persistent memory">;

def PhaseAttr : EnumAttr<GpuCost_Dialect, Phase, "phase">;
def CoverageAttr : EnumAttr<GpuCost_Dialect, Coverage, "coverage">;
def CollectiveKindAttr
    : EnumAttr<GpuCost_Dialect, CollectiveKind, "collective_kind">;
def ExpertExchangeAttr
    : EnumAttr<GpuCost_Dialect, ExpertExchange, "expert_exchange">;
def CopyReasonAttr : EnumAttr<GpuCost_Dialect, CopyReason, "copy_reason">;
def TensorRoleAttr : EnumAttr<GpuCost_Dialect, TensorRole, "role">;

// Records of the cost model: their fields are defined in Model/Kernel.def,
// Model/KernelWork.h and Model/CostModel.h.
def WorkAttr : GpuCost_RecordAttr<"WorkAttr",
    "work of one launch: shape, exact FLOPs, exact bytes">;
def TilingAttr : GpuCost_RecordAttr<"TilingAttr",
    "kernel configuration: CTA tile, split-K, waves, SM utilization">;
def TimeAttr : GpuCost_RecordAttr<"TimeAttr",
    "predicted time of one launch and its parts">;
def PowerAttr : GpuCost_RecordAttr<"PowerAttr",
    "predicted average board power and energy of one launch">;

def PhaseSummaryAttr : GpuCost_Attr<"PhaseSummary", "phase_summary"> {
  let summary = "totals of one phase of the iteration";
  let parameters = (ins "::gpucost::Phase":$phase,
      QuantityParameter<"Seconds", "wall clock">:$time,
      QuantityParameter<"Seconds", "GPU busy">:$gpu_busy,
      QuantityParameter<"Seconds", "host launch">:$host,
      QuantityParameter<"Joules", "board energy">:$energy,
      "int64_t":$kernels, "int64_t":$flops, "int64_t":$bytes);
}

def PhaseSummaryArrayAttr : ArrayOfAttr<GpuCost_Dialect, "PhaseSummaryArray",
    "phases", "PhaseSummaryAttr"> {
  let summary = "the phases of an iteration, in order";
  let assemblyFormat = "`[` (`]`) : ($value^ `]`)?";
}

def SummaryAttr : GpuCost_Attr<"Summary", "summary"> {
  let summary = "totals of one iteration";
  let description = [{
    `flops` are the matrix FLOPs (matmul, convolution, attention; 2 per
    multiply-add), `mfu` is flops / (dense peak of the format x time).
    `modelled`, `fallback` and `unmodelled` are numbers of ops in the coverage
    report.
  }];
  let parameters = (ins QuantityParameter<"Seconds", "iteration">:$time,
      QuantityParameter<"Seconds", "GPU busy">:$gpu_busy,
      QuantityParameter<"Seconds", "host launch">:$host,
      QuantityParameter<"Joules", "board energy">:$energy,
      QuantityParameter<"Watts", "average board power">:$average_power,
      QuantityParameter<"Hertz", "SM clock">:$clock, BoolOr<"false">:$throttled,
      "int64_t":$kernels, "int64_t":$flops, "int64_t":$dram_bytes,
      "int64_t":$peak_memory, QuantityParameter<"Scalar", "MFU">:$mfu,
      IntOr<0>:$modelled, IntOr<0>:$fallback, IntOr<0>:$unmodelled,
      "::gpucost::PhaseSummaryArrayAttr":$phases);
}

#endif // GPUCOST_DIALECT_GPUCOST_IR_GPUCOSTATTRS_TD
