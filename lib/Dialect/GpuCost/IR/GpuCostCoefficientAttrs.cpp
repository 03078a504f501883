//===- GpuCostCoefficientAttrs.cpp - Coefficient verifiers ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every fitted number must be physical. The classes are generated from
// GpuCostTargetAttrs.td and instantiated in GpuCostAttrs.cpp.
//
//===----------------------------------------------------------------------===//

#include "AttributeRanges.h"
#include "gpucost/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "gpucost/Support/QuantityParser.h"

using namespace mlir;
using namespace gpucost;

static LogicalResult checkFit(EmitError emitError, StringRef provenance,
                              ArrayRef<Checked> fields) {
  if (failed(checkText(emitError, "provenance", provenance)))
    return failure();
  return checkRanges(emitError, fields);
}

static LogicalResult checkSplits(EmitError emitError, ArrayAttr splits) {
  for (Attribute split : splits) {
    auto number = dyn_cast<IntegerAttr>(split);
    if (!number || number.getInt() < 1)
      return emitError()
             << "expected 'split_k' to hold integers of at least 1, "
                "but got "
             << split;
  }
  if (splits.empty())
    return emitError() << "expected 'split_k' to hold at least [1]";
  return success();
}

static LogicalResult checkTiles(EmitError emitError, StringRef field,
                                TileArrayAttr tiles, bool needWarps) {
  if (tiles.getValue().empty())
    return emitError() << "expected '" << field << "' to hold a tile";
  for (TileAttr tile : tiles.getValue())
    if (needWarps && tile.getWarps() == 0)
      return emitError() << "expected 'warps' for each tile of '" << field
                         << "'";
  return success();
}

LogicalResult TileAttr::verify(EmitError emitError, int64_t m, int64_t n,
                               int64_t ctasPerSm, int64_t warps) {
  return checkRanges(emitError,
                     {positive("m", m), positive("n", n),
                      Checked{"ctas_per_sm", si(ctasPerSm), 1, 32, true},
                      Checked{"warps", si(warps), 0, 32, true}});
}

LogicalResult AttentionTileAttr::verify(EmitError emitError, int64_t headDim,
                                        int64_t rows, int64_t columns) {
  return checkRanges(emitError,
                     {positive("head_dim", headDim), positive("rows", rows),
                      positive("columns", columns)});
}

LogicalResult VoltagePointAttr::verify(EmitError emitError, Hertz clock,
                                       Volts voltage) {
  return checkRanges(emitError,
                     {positive("clock", clock),
                      Checked{"voltage", voltage.value(), 0.3, 2.0, true}});
}

LogicalResult TensorGemmAttr::verify(EmitError emitError, StringRef provenance,
                                     StringRef, Scalar e, Scalar lk, Scalar ed,
                                     Scalar el2, Scalar cl2, Seconds t0,
                                     Seconds tsk, Scalar ov, Scalar kf,
                                     JoulesPerEvent eFlop, Seconds tau,
                                     Scalar al, Scalar conv,
                                     TileArrayAttr tiles, ArrayAttr splitK) {
  if (failed(checkFit(
          emitError, provenance,
          {efficiency("efficiency", e), notNegative("latency_cycles", lk),
           efficiency("dram_efficiency", ed),
           positive("l2_bytes_per_clock", el2), cacheShare("l2_share", cl2),
           notNegative("fixed_time", t0), notNegative("split_k_time", tsk),
           share("store_exposure", ov), notNegative("fill_depth", kf),
           positive("energy_per_flop", eFlop),
           notNegative("power_limiter_delay", tau),
           efficiency("misaligned_efficiency", al),
           efficiency("convolution_efficiency", conv)})) ||
      failed(checkTiles(emitError, "tiles", tiles, /*needWarps=*/false)))
    return failure();
  return checkSplits(emitError, splitK);
}

LogicalResult TensorPowerAttr::verify(EmitError emitError, StringRef provenance,
                                      StringRef, Scalar staticShare,
                                      JoulesPerEvent perL2Byte,
                                      JoulesPerEvent perDramByte,
                                      Scalar exponent, Scalar floor,
                                      std::optional<Hertz> reference) {
  return checkFit(emitError, provenance,
                  {share("static_share", staticShare),
                   notNegative("per_l2_byte", perL2Byte),
                   notNegative("per_dram_byte", perDramByte),
                   notNegative("clock_exponent", exponent),
                   share("energy_floor", floor),
                   positive("reference_clock", reference.value_or(Hertz(1)))});
}

LogicalResult SimtGemmAttr::verify(EmitError emitError, StringRef provenance,
                                   StringRef, Scalar emax, Scalar k0, Scalar eb,
                                   Scalar l2, Scalar cl2, Scalar rl2, Scalar w0,
                                   Seconds lat, JoulesPerEvent ep,
                                   Scalar powerShare, Seconds t0, Seconds d,
                                   TileArrayAttr tiles, ArrayAttr splitK) {
  if (failed(checkFit(
          emitError, provenance,
          {efficiency("emax", emax), notNegative("k0", k0),
           efficiency("dram_efficiency", eb),
           positive("l2_bytes_per_clock", l2), cacheShare("l2_share", cl2),
           atLeastOne("l2_speedup", rl2), positive("saturation_warps", w0),
           notNegative("latency", lat), positive("energy_per_flop", ep),
           efficiency("power_share", powerShare), notNegative("dispatch", t0),
           notNegative("dispatch_overlap", d)})) ||
      failed(checkTiles(emitError, "tiles", tiles, /*needWarps=*/true)))
    return failure();
  return checkSplits(emitError, splitK);
}

LogicalResult SimtConvAttr::verify(EmitError emitError, StringRef provenance,
                                   StringRef, Scalar k0, Scalar w0, Scalar eb,
                                   Scalar l2, Scalar cl2, Scalar rl2, Scalar ei,
                                   Scalar ew, Scalar eg, Scalar kw, Scalar cf,
                                   Seconds lat, Seconds lw, Seconds t0,
                                   Seconds d, TileArrayAttr implicitTiles,
                                   TileArrayAttr batchedTiles) {
  if (failed(checkFit(
          emitError, provenance,
          {notNegative("k0", k0), positive("saturation_warps", w0),
           efficiency("dram_efficiency", eb),
           positive("l2_bytes_per_clock", l2), cacheShare("l2_share", cl2),
           atLeastOne("l2_speedup", rl2), efficiency("implicit_efficiency", ei),
           efficiency("fused_efficiency", ew),
           efficiency("non_fused_efficiency", eg),
           notNegative("fused_prologue", kw), notNegative("filter_passes", cf),
           notNegative("latency", lat), notNegative("transform_latency", lw),
           notNegative("dispatch", t0), notNegative("dispatch_overlap", d)})) ||
      failed(checkTiles(emitError, "implicit_tiles", implicitTiles, true)))
    return failure();
  return checkTiles(emitError, "batched_tiles", batchedTiles, true);
}

LogicalResult AttentionFitAttr::verify(
    EmitError emitError, StringRef provenance, StringRef, Scalar e, Scalar ks,
    Scalar po, Scalar c0, Scalar x, Scalar phi, Scalar ed, Scalar el2,
    Scalar cl2, Scalar bl2, Seconds tsp, Seconds t0, JoulesPerEvent eFlop,
    JoulesPerEvent es, bool, bool, bool, AttentionTileArrayAttr tiles) {
  if (tiles.getValue().empty())
    return emitError() << "expected 'tiles' to hold a tile";
  return checkFit(
      emitError, provenance,
      {efficiency("efficiency", e), notNegative("softmax_cycles", ks),
       atLeastOne("pipe_norm", po), notNegative("prologue_cycles", c0),
       share("wave_share", x), notNegative("causal_tail", phi),
       efficiency("dram_efficiency", ed), positive("l2_bytes_per_clock", el2),
       cacheShare("l2_share", cl2), positive("cache_bytes_per_clock", bl2),
       notNegative("split_time", tsp), notNegative("fixed_time", t0),
       positive("energy_per_flop", eFlop),
       notNegative("energy_per_score", es)});
}

LogicalResult DecodeAttr::verify(EmitError emitError, StringRef provenance,
                                 StringRef, Scalar gt, Scalar ed, Scalar el2,
                                 Scalar cl2, Scalar c0, Scalar lk, Scalar cg,
                                 Scalar ow, Seconds t0, Seconds tsp) {
  return checkFit(
      emitError, provenance,
      {positive("group_tile", gt), efficiency("dram_efficiency", ed),
       positive("l2_bytes_per_clock", el2), cacheShare("l2_share", cl2),
       notNegative("prologue_cycles", c0), notNegative("block_cycles", lk),
       notNegative("group_cycles", cg), positive("occupancy", ow),
       notNegative("fixed_time", t0), notNegative("split_time", tsp)});
}

LogicalResult StreamingAttr::verify(EmitError emitError, StringRef provenance,
                                    StringRef, Scalar eb, Scalar cl2,
                                    Scalar bl2, Scalar issueScale,
                                    Scalar issueWidth, Scalar broadcast,
                                    Seconds latency, Scalar s0, Scalar s1,
                                    Scalar n0, Scalar n1,
                                    InstructionTableAttr) {
  return checkFit(
      emitError, provenance,
      {efficiency("dram_efficiency", eb), cacheShare("l2_share", cl2),
       positive("l2_bytes_per_clock", bl2), positive("issue_scale", issueScale),
       positive("issue_width", issueWidth),
       notNegative("broadcast_slots", broadcast),
       notNegative("latency", latency), notNegative("softmax_row0", s0),
       notNegative("softmax_row1", s1), notNegative("norm_row0", n0),
       notNegative("norm_row1", n1)});
}

LogicalResult InstructionsAttr::verify(EmitError emitError,
                                       StringRef provenance, StringRef,
                                       InstructionTableAttr, Scalar strided,
                                       Scalar softmaxWide, Scalar layout,
                                       Scalar score, Scalar tap,
                                       Scalar softmaxScale, Scalar normScale) {
  return checkFit(emitError, provenance,
                  {notNegative("strided", strided),
                   notNegative("softmax_wide", softmaxWide),
                   notNegative("layout_conversion", layout),
                   notNegative("attention_score", score),
                   notNegative("depthwise_tap", tap),
                   positive("softmax_scale", softmaxScale),
                   positive("norm_scale", normScale)});
}

LogicalResult
PowerFitAttr::verify(EmitError emitError, StringRef provenance, StringRef,
                     JoulesPerEvent tensorFlop, JoulesPerEvent fp32Flop,
                     JoulesPerEvent instruction, JoulesPerEvent dramByte,
                     JoulesPerEvent smCycle, Scalar gamma, Hertz reference,
                     Watts idleBase, Watts idleVoltage, Watts idleClock,
                     VoltageCurveAttr voltage, Scalar knee, Scalar most,
                     Scalar dramExponent, Scalar l2Share) {
  if (voltage) {
    Hertz last(0);
    for (VoltagePointAttr point : voltage.getValue()) {
      if (point.getClock() <= last)
        return emitError() << "expected 'voltage' in ascending order of clocks";
      last = point.getClock();
    }
  }
  return checkFit(emitError, provenance,
                  {notNegative("per_tensor_flop", tensorFlop),
                   notNegative("per_fp32_flop", fp32Flop),
                   notNegative("per_instruction", instruction),
                   notNegative("per_dram_byte", dramByte),
                   notNegative("per_sm_cycle", smCycle),
                   notNegative("voltage_exponent", gamma),
                   positive("reference_clock", reference),
                   notNegative("idle_base", idleBase),
                   notNegative("idle_voltage", idleVoltage),
                   notNegative("idle_clock", idleClock),
                   share("generic_knee", knee), atLeastOne("generic_max", most),
                   notNegative("dram_voltage_exponent", dramExponent),
                   cacheShare("l2_share", l2Share)});
}

LogicalResult RuntimeFitAttr::verify(EmitError emitError, StringRef provenance,
                                     StringRef, Seconds gap, Seconds launch,
                                     Scalar weight, Scalar norm) {
  return checkFit(
      emitError, provenance,
      {notNegative("kernel_gap", gap), notNegative("host_launch", launch),
       notNegative("library_weight", weight), atLeastOne("host_norm", norm)});
}

LogicalResult CollectiveFitAttr::verify(EmitError emitError, CollectiveKind,
                                        int64_t ranks, Seconds base,
                                        Seconds step, Seconds root,
                                        BytesPerSecond bandwidth, Scalar ramp) {
  return checkRanges(emitError,
                     {notNegative("ranks", ranks), notNegative("base", base),
                      notNegative("step", step), notNegative("root", root),
                      positive("bandwidth", bandwidth),
                      // 1 - ramp / n stays positive from two GPUs on.
                      Checked{"ramp", ramp.value(), 0.0, 1.99, true}});
}

LogicalResult CollectivesAttr::verify(EmitError emitError, StringRef provenance,
                                      StringRef, Scalar powerShare,
                                      CollectiveFitArrayAttr fits) {
  if (fits.getValue().empty())
    return emitError() << "expected at least one collective";
  return checkFit(emitError, provenance, {share("power_share", powerShare)});
}

LogicalResult KernelErrorAttr::verify(EmitError emitError, ErrorClass,
                                      Scalar small, Scalar medium,
                                      Scalar large) {
  return checkRanges(emitError, {notNegative("small", small),
                                 notNegative("medium", medium),
                                 notNegative("large", large)});
}

LogicalResult ErrorBarsAttr::verify(EmitError emitError, StringRef provenance,
                                    StringRef, Scalar correlation,
                                    Scalar outside, Scalar host,
                                    Scalar hostUnknown, Scalar inference,
                                    Scalar training, Scalar power,
                                    KernelErrorArrayAttr kernels) {
  llvm::SmallDenseSet<ErrorClass> seen;
  for (KernelErrorAttr kernel : kernels.getValue())
    if (!seen.insert(kernel.getKind()).second)
      return emitError() << "expected one entry of '"
                         << stringifyErrorClass(kernel.getKind()) << "'";
  return checkFit(
      emitError, provenance,
      {share("correlation", correlation), atLeastOne("outside", outside),
       notNegative("host", host), notNegative("host_unknown", hostUnknown),
       notNegative("inference", inference), notNegative("training", training),
       notNegative("power", power)});
}

LogicalResult
CoefficientsAttr::verify(EmitError emitError, StringRef provenance,
                         TensorGemmAttr tensorGemm, TensorPowerAttr tensorPower,
                         SimtGemmAttr, SimtGemmAttr, SimtConvAttr,
                         AttentionFitAttr, AttentionFitAttr, DecodeAttr,
                         StreamingAttr, InstructionsAttr, PowerFitAttr,
                         RuntimeFitAttr, CollectivesAttr, ErrorBarsAttr) {
  if (static_cast<bool>(tensorGemm) != static_cast<bool>(tensorPower))
    return emitError() << "expected 'tensor_gemm' and 'tensor_power' together";
  return checkText(emitError, "provenance", provenance);
}

//===----------------------------------------------------------------------===//
// InstructionTableAttr
//===----------------------------------------------------------------------===//

static constexpr unsigned numClasses = getMaxEnumValForInstructionClass() + 1;

Attribute InstructionTableAttr::parse(AsmParser &parser, Type) {
  SmallVector<Scalar> counts(numClasses, Scalar(0));
  SmallVector<bool> seen(numClasses, false);
  seen[static_cast<unsigned>(InstructionClass::None)] = true;
  SMLoc start = parser.getCurrentLocation();
  auto parseEntry = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return failure();
    std::optional<InstructionClass> kind = symbolizeInstructionClass(name);
    if (!kind)
      return parser.emitError(loc, "unknown instruction class '")
             << name << "'";
    unsigned index = static_cast<unsigned>(*kind);
    if (seen[index])
      return parser.emitError(loc, "expected one value of '") << name << "'";
    seen[index] = true;
    SMLoc at = parser.getCurrentLocation();
    FailureOr<Scalar> count = FieldParser<Scalar>::parse(parser);
    if (failed(count))
      return failure();
    if (!(count->value() >= 0))
      return parser.emitError(at, "expected '") << name << "' of at least 0";
    counts[index] = *count;
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseEntry))
    return {};
  for (unsigned i = 0; i < numClasses; ++i)
    if (!seen[i]) {
      parser.emitError(start, "expected a value of '")
          << stringifyInstructionClass(static_cast<InstructionClass>(i)) << "'";
      return {};
    }
  return get(parser.getContext(), counts);
}

void InstructionTableAttr::print(AsmPrinter &printer) const {
  printer << "<";
  llvm::interleaveComma(
      llvm::drop_begin(llvm::enumerate(getCounts())), printer, [&](auto entry) {
        printer << stringifyInstructionClass(
                       static_cast<InstructionClass>(entry.index()))
                << " = ";
        printer.getStream() << entry.value();
      });
  printer << ">";
}
