//===- GpuCostTargetAttrs.td - GPUs and coefficients -------*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a GPU is (datasheet facts, targets/*.mlir) and what was fitted on it
// (calibration/coefficients/*.mlir). Facts and fits never share an attribute.
// The parameters mirror Model/Gpu.h and Model/Coefficients.h field by field.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_GPUCOST_IR_GPUCOSTTARGETATTRS_TD
#define GPUCOST_DIALECT_GPUCOST_IR_GPUCOSTTARGETATTRS_TD

include "gpucost/Dialect/GpuCost/IR/GpuCostBase.td"

class Number<string desc> : QuantityParameter<"Scalar", desc>;
class Time<string desc> : QuantityParameter<"Seconds", desc>;
class EnergyEach<string desc> : QuantityParameter<"JoulesPerEvent", desc>;
class OptionalText<string desc> : StringRefParameter<desc, [{""}]>;

class GpuCost_ArrayAttr<string name, string attrMnemonic, string element>
    : ArrayOfAttr<GpuCost_Dialect, name, attrMnemonic, element> {
  let assemblyFormat = "`[` (`]`) : ($value^ `]`)?";
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

def FormatRateAttr : GpuCost_Attr<"FormatRate", "format_rate"> {
  let summary = "one number format that the hardware computes in";
  let description = [{
    `peak` is the dense peak as the datasheet states it (1 FMA = 2 FLOP; for
    int8 1 FLOP = 1 OP). Datasheets of Ampere and later print the sparse peak
    beside it, twice as large: it has no field here. fp32 means CUDA cores,
    every other format tensor cores. `clock` is given only where the datasheet
    states this peak at another clock than the board's `boost_clock` (H100: fp32
    at 1980 MHz, tensor formats at 1830 MHz).
  }];
  let parameters = (ins "::gpucost::NumericFormat":$format,
      "int64_t":$flops_per_clock,
      QuantityParameter<"FlopsPerSecond", "dense peak of the board">:$peak,
      OptionalQuantity<"Hertz">:$clock);
  let genVerifyDecl = 1;
}

def FormatRateArrayAttr : GpuCost_ArrayAttr<"FormatRateArray", "format_rates",
                                            "FormatRateAttr"> {
  let summary = "the formats of a GPU; one that is missing is unsupported";
}

def InterconnectAttr : GpuCost_Attr<"Interconnect", "interconnect"> {
  let summary = "link between the GPUs of one node";
  let description = [{
    `bandwidth` is the sum of both directions per GPU as the datasheet states it
    (NVLink 3: 600 GB/s, PCIe 4 x16: 64 GB/s).
  }];
  let parameters = (ins "::gpucost::InterconnectKind":$kind, "int64_t":$generation,
      QuantityParameter<"BytesPerSecond", "both directions">:$bandwidth);
  let genVerifyDecl = 1;
}

def GpuAttr : GpuCost_Attr<"Gpu", "gpu"> {
  let summary = "datasheet facts of one board";
  let description = [{
    Unknown facts are left out; nothing stands for "unknown" as 0. `max_clock` is
    the highest SM clock of the board, `boost_clock` the one at which the
    datasheet states the tensor peak. The driver offers the clocks from `max_clock`
    down to `min_clock` in steps of `clock_step`. The verifier checks for each format that
    peak = SMs x clock x FLOP/clock/SM within 1.5 %.

    Example: `targets/a100-sxm-80gb.mlir`.
  }];
  let parameters = (ins StringRefParameter<"SKU key, lower case">:$name,
      StringRefParameter<"name of the die">:$die,
      "::gpucost::Architecture":$architecture, "::gpucost::ProcessNode":$process,
      "int64_t":$sms, QuantityParameter<"Hertz", "of the peaks">:$boost_clock,
      QuantityParameter<"Hertz", "highest SM clock">:$max_clock,
      QuantityParameter<"Hertz", "lowest SM clock">:$min_clock,
      QuantityParameter<"Hertz", "distance of the SM clocks">:$clock_step,
      OptionalQuantity<"Hertz">:$base_clock,
      "::gpucost::FormatRateArrayAttr":$formats,
      "::gpucost::MemoryKind":$memory,
      QuantityParameter<"BytesPerSecond", "datasheet">:$dram_bandwidth,
      QuantityParameter<"Bytes", "datasheet">:$dram_capacity,
      QuantityParameter<"Bytes", "device query">:$l2_capacity,
      "bool":$l2_partitioned,
      QuantityParameter<"Watts", "board limit as shipped">:$power_limit,
      OptionalParameter<"::gpucost::InterconnectAttr">:$interconnect,
      "::mlir::ArrayAttr":$source);
  let extraClassDeclaration = [{
    /// The rate of `format`, or null when the hardware lacks it.
    FormatRateAttr findFormat(::gpucost::NumericFormat format) const;
  }];
  let genVerifyDecl = 1;
}

def TargetAttr : GpuCost_Attr<"Target", "target"> {
  let summary = "a GPU and the format its matrix kernels compute in";
  let parameters = (ins "::gpucost::GpuAttr":$gpu,
                        "::gpucost::NumericFormat":$format);
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Coefficients
//===----------------------------------------------------------------------===//

/// `provenance` says what was fitted, on which data, by what. `borrowed_from`
/// names the die whose numbers stand in where this one was not measured.
class GpuCost_FitAttr<string name, string attrMnemonic, dag fitted>
    : GpuCost_Attr<name, attrMnemonic> {
  let parameters = !con(
      (ins StringRefParameter<"source of the numbers">:$provenance,
           OptionalText<"die they were measured on instead">:$borrowed_from),
      fitted);
  let genVerifyDecl = 1;
}

def TileAttr : GpuCost_Attr<"Tile", "tile"> {
  let summary = "candidate CTA tile: rows x columns";
  let parameters = (ins "int64_t":$m, "int64_t":$n, IntOr<1>:$ctas_per_sm,
                        IntOr<0>:$warps);
  let genVerifyDecl = 1;
}
def TileArrayAttr : GpuCost_ArrayAttr<"TileArray", "tiles", "TileAttr">;

def AttentionTileAttr : GpuCost_Attr<"AttentionTile", "attention_tile"> {
  let summary = "query rows x KV columns of one CTA for heads up to `head_dim`";
  let parameters = (ins "int64_t":$head_dim, "int64_t":$rows, "int64_t":$columns);
  let genVerifyDecl = 1;
}
def AttentionTileArrayAttr
    : GpuCost_ArrayAttr<"AttentionTileArray", "attention_tiles",
                        "AttentionTileAttr">;

def VoltagePointAttr : GpuCost_Attr<"VoltagePoint", "voltage_point"> {
  let summary = "one point of the voltage-frequency curve";
  let parameters = (ins QuantityParameter<"Hertz", "SM clock">:$clock,
                        QuantityParameter<"Volts", "core">:$voltage);
  let genVerifyDecl = 1;
}
def VoltageCurveAttr : GpuCost_ArrayAttr<"VoltageCurve", "voltage_curve",
                                         "VoltagePointAttr">;

def InstructionTableAttr : GpuCost_Attr<"InstructionTable", "instruction_table"> {
  let summary = "one number per instruction class";
  let description = [{
    `#gpucost.instruction_table<copy = 3, cast = 4, ...>` with every case of the
    enumeration `InstructionClass` but `none`, which is 0.
  }];
  let parameters = (ins ArrayRefParameter<"::gpucost::Scalar">:$counts);
  let hasCustomAssemblyFormat = 1;
  let assemblyFormat = ?;
}

def TensorGemmAttr : GpuCost_FitAttr<"TensorGemm", "tensor_gemm", (ins
    Number<"e">:$efficiency, Number<"lk">:$latency_cycles,
    Number<"ed">:$dram_efficiency, Number<"el2">:$l2_bytes_per_clock,
    Number<"cl2">:$l2_share, Time<"t0">:$fixed_time, Time<"tsk">:$split_k_time,
    Number<"ov">:$store_exposure, Number<"kf">:$fill_depth,
    EnergyEach<"e_flop">:$energy_per_flop, Time<"tau">:$power_limiter_delay,
    Number<"al">:$misaligned_efficiency, Number<"ec">:$convolution_efficiency,
    "::gpucost::TileArrayAttr":$tiles, "::mlir::ArrayAttr":$split_k)> {
  let summary = "tensor-core GEMM, equations (G*)";
}

def TensorPowerAttr : GpuCost_FitAttr<"TensorPower", "tensor_power", (ins
    Number<"P0 / limit">:$static_share, EnergyEach<"L2">:$per_l2_byte,
    EnergyEach<"DRAM">:$per_dram_byte, Number<"beta">:$clock_exponent,
    Number<"least share">:$energy_floor,
    OptionalQuantity<"Hertz">:$reference_clock)> {
  let summary = "constants of the time-power loop, equations (G9)-(G11)";
  let description = [{
    Without `reference_clock` the energies hold at the GPU's maximum clock.
  }];
}

def SimtGemmAttr : GpuCost_FitAttr<"SimtGemm", "simt_gemm", (ins
    Number<"emax">:$emax, Number<"k0">:$k0, Number<"eb">:$dram_efficiency,
    Number<"l2">:$l2_bytes_per_clock, Number<"cl2">:$l2_share,
    Number<"rl2">:$l2_speedup, Number<"w0">:$saturation_warps,
    Time<"lat">:$latency, EnergyEach<"ep">:$energy_per_flop,
    Number<"share of the limit">:$power_share, Time<"t0">:$dispatch,
    Time<"d">:$dispatch_overlap, "::gpucost::TileArrayAttr":$tiles,
    "::mlir::ArrayAttr":$split_k)> {
  let summary = "fp32 GEMM on CUDA cores, equations (S*)";
}

def SimtConvAttr : GpuCost_FitAttr<"SimtConv", "simt_conv", (ins
    Number<"k0">:$k0, Number<"w0">:$saturation_warps,
    Number<"eb">:$dram_efficiency, Number<"l2">:$l2_bytes_per_clock,
    Number<"cl2">:$l2_share, Number<"rl2">:$l2_speedup,
    Number<"ei">:$implicit_efficiency, Number<"ew">:$fused_efficiency,
    Number<"eg">:$non_fused_efficiency, Number<"kw">:$fused_prologue,
    Number<"cf">:$filter_passes, Time<"lat">:$latency,
    Time<"lw">:$transform_latency, Time<"t0">:$dispatch,
    Time<"d">:$dispatch_overlap, "::gpucost::TileArrayAttr":$implicit_tiles,
    "::gpucost::TileArrayAttr":$batched_tiles)> {
  let summary = "fp32 convolution on CUDA cores, equations (C*)";
}

def AttentionFitAttr : GpuCost_FitAttr<"AttentionFit", "attention_fit", (ins
    Number<"e">:$efficiency, Number<"ks">:$softmax_cycles,
    Number<"po">:$pipe_norm, Number<"c0">:$prologue_cycles,
    Number<"x">:$wave_share, Number<"phi">:$causal_tail,
    Number<"ed">:$dram_efficiency, Number<"el2">:$l2_bytes_per_clock,
    Number<"cl2">:$l2_share, Number<"bl2">:$cache_bytes_per_clock,
    Time<"tsp">:$split_time, Time<"t0">:$fixed_time,
    EnergyEach<"e_flop">:$energy_per_flop, EnergyEach<"es">:$energy_per_score,
    "bool":$pack_grouped_queries, "bool":$split_kv, "bool":$writes_kv_cache,
    "::gpucost::AttentionTileArrayAttr":$tiles)> {
  let summary = "one-kernel attention, equations (A*)";
}

def DecodeAttr : GpuCost_FitAttr<"Decode", "decode", (ins
    Number<"gt">:$group_tile, Number<"ed">:$dram_efficiency,
    Number<"el2">:$l2_bytes_per_clock, Number<"cl2">:$l2_share,
    Number<"c0">:$prologue_cycles, Number<"lk">:$block_cycles,
    Number<"cg">:$group_cycles, Number<"ow">:$occupancy, Time<"t0">:$fixed_time,
    Time<"tsp">:$split_time)> {
  let summary = "one query token against a KV cache, equations (D*)";
}

def StreamingAttr : GpuCost_FitAttr<"Streaming", "streaming", (ins
    Number<"eb">:$dram_efficiency, Number<"cl2">:$l2_share,
    Number<"bl2">:$l2_bytes_per_clock, Number<"iscale">:$issue_scale,
    Number<"slots per clock and SM">:$issue_width,
    Number<"slots per strided element">:$broadcast_slots, Time<"lat">:$latency,
    Number<"r0">:$softmax_row0, Number<"r1">:$softmax_row1,
    Number<"r0">:$norm_row0, Number<"r1">:$norm_row1,
    "::gpucost::InstructionTableAttr":$issue_slots)> {
  let summary = "memory-bound kernels, equations (M*)";
}

def InstructionsAttr : GpuCost_FitAttr<"Instructions", "instructions", (ins
    "::gpucost::InstructionTableAttr":$per_element, Number<"istr">:$strided,
    Number<"rows above 1024 columns">:$softmax_wide,
    Number<"per element converted">:$layout_conversion,
    Number<"per score of a fused attention">:$attention_score,
    Number<"per tap and output">:$depthwise_tap, Number<"ismx">:$softmax_scale,
    Number<"inorm">:$norm_scale)> {
  let summary = "thread instructions per element, for energy";
}

def PowerFitAttr : GpuCost_FitAttr<"PowerFit", "power_fit", (ins
    EnergyEach<"bf16; tf32 counts double">:$per_tensor_flop,
    EnergyEach<"CUDA cores">:$per_fp32_flop, EnergyEach<"thread">:$per_instruction,
    EnergyEach<"DRAM">:$per_dram_byte, EnergyEach<"busy SM">:$per_sm_cycle,
    Number<"gamma">:$voltage_exponent,
    QuantityParameter<"Hertz", "of the energies">:$reference_clock,
    QuantityParameter<"Watts", "i0">:$idle_base,
    QuantityParameter<"Watts", "i1">:$idle_voltage,
    QuantityParameter<"Watts", "i2, per GHz">:$idle_clock,
    OptionalParameter<"::gpucost::VoltageCurveAttr">:$voltage,
    Number<"share of the maximum clock">:$generic_knee,
    Number<"V(maximum) / V(knee)">:$generic_max,
    Number<"0: DRAM has its own supply">:$dram_voltage_exponent,
    Number<"l2f">:$l2_share)> {
  let summary = "event energies and idle power, equations (P*)";
  let description = [{
    P_idle = idle_base + idle_voltage v^3 + idle_clock f_GHz v^2 with
    v = V(f) / V(reference_clock). Without `voltage` points V(f) is flat up to
    generic_knee x max_clock, then linear up to generic_max.
  }];
}

def RuntimeFitAttr : GpuCost_FitAttr<"RuntimeFit", "runtime_fit", (ins
    Time<"between dependent eager kernels">:$kernel_gap,
    Time<"per launch">:$host_launch, Number<"extra per library call">:$library_weight,
    Number<"exponent joining busy and host time">:$host_norm)> {
  let summary = "launch and composition constants, equations (H*)";
}

def CollectiveFitAttr : GpuCost_Attr<"CollectiveFit", "collective_fit"> {
  let summary = "one collective on one platform, equation (N1)";
  let description = [{
    t = base + step (n - 1) + root sqrt(V) + V / (bandwidth (1 - ramp / n)) with
    V = bytes (n - 1) / n; an all-reduce takes twice the steps and twice V.
    `ranks` is 0 for every n, else the only n that the numbers hold for.
  }];
  let parameters = (ins "::gpucost::CollectiveKind":$kind, IntOr<0>:$ranks,
      Time<"a0">:$base, Time<"a1">:$step, Time<"c, per square root of a byte">:$root,
      QuantityParameter<"BytesPerSecond", "B">:$bandwidth, Number<"b">:$ramp);
  let genVerifyDecl = 1;
}
def CollectiveFitArrayAttr
    : GpuCost_ArrayAttr<"CollectiveFitArray", "collective_fits",
                        "CollectiveFitAttr">;

def CollectivesAttr : GpuCost_FitAttr<"Collectives", "collectives", (ins
    Number<"share of busy power while only links work">:$power_share,
    "::gpucost::CollectiveFitArrayAttr":$fits)> {
  let summary = "communication between the GPUs of a node, equations (N*)";
}

def KernelErrorAttr : GpuCost_Attr<"KernelError", "kernel_error"> {
  let summary = "80 % half widths of one class of kernels, by predicted time";
  let description = [{
    `small` holds below 10 us, `medium` below 100 us, `large` from there on.
  }];
  let parameters = (ins "::gpucost::ErrorClass":$kind, Number<"below 10 us">:$small,
                        Number<"below 100 us">:$medium, Number<"from 100 us">:$large);
  let genVerifyDecl = 1;
}
def KernelErrorArrayAttr
    : GpuCost_ArrayAttr<"KernelErrorArray", "kernel_errors", "KernelErrorAttr">;

def ErrorBarsAttr : GpuCost_FitAttr<"ErrorBars", "error_bars", (ins
    Number<"share of a class's half width that its kernels have in common">:$correlation,
    Number<"factor outside the validated region">:$outside,
    Number<"host time, launch cost stated">:$host,
    Number<"host time, launch cost not stated">:$host_unknown,
    Number<"time of an inference iteration">:$inference,
    Number<"time of a training iteration">:$training,
    Number<"average power">:$power,
    "::gpucost::KernelErrorArrayAttr":$kernels)> {
  let summary = "how sure predictions are, equations (U*)";
  let description = [{
    Half widths h of 80 % intervals: with that probability a measured value lies
    within [x / (1 + h), x (1 + h)] of the prediction x.
  }];
}

class OptionalFit<string type> : OptionalParameter<"::gpucost::" # type # "Attr">;

def CoefficientsAttr : GpuCost_Attr<"Coefficients", "coefficients"> {
  let summary = "every fitted number that one target needs";
  let description = [{
    A group that is left out is unknown, and a kernel that needs it is an error.

    Example: `calibration/coefficients/a100-sxm-80gb.mlir`.
  }];
  let parameters = (ins StringRefParameter<"of the whole set">:$provenance,
      OptionalFit<"TensorGemm">:$tensor_gemm,
      OptionalFit<"TensorPower">:$tensor_power,
      OptionalFit<"SimtGemm">:$simt_linear, OptionalFit<"SimtGemm">:$simt_batched,
      OptionalFit<"SimtConv">:$simt_conv,
      OptionalFit<"AttentionFit">:$attention_full,
      OptionalFit<"AttentionFit">:$attention_causal,
      OptionalFit<"Decode">:$decode, OptionalFit<"Streaming">:$streaming,
      OptionalFit<"Instructions">:$instructions, OptionalFit<"PowerFit">:$power,
      OptionalFit<"RuntimeFit">:$runtime, OptionalFit<"Collectives">:$collectives,
      OptionalFit<"ErrorBars">:$error_bars);
  let genVerifyDecl = 1;
}

#endif // GPUCOST_DIALECT_GPUCOST_IR_GPUCOSTTARGETATTRS_TD
