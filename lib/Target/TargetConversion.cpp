//===- TargetConversion.cpp - Attributes to model structures --------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Target/TargetConversion.h"
#include "CoefficientGroups.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace gpucost;

Gpu gpucost::toGpu(GpuAttr attr) {
  Gpu gpu;
  gpu.name = attr.getName().str();
  gpu.die = attr.getDie().str();
  gpu.architecture = attr.getArchitecture();
  gpu.process = attr.getProcess();
  gpu.smCount = attr.getSms();
  gpu.maxClock = attr.getMaxClock();
  gpu.minClock = attr.getMinClock();
  gpu.clockStep = attr.getClockStep();
  gpu.boostClock = attr.getBoostClock();
  gpu.baseClock = attr.getBaseClock();
  for (FormatRateAttr rate : attr.getFormats().getValue()) {
    double perClock = static_cast<double>(rate.getFlopsPerClock());
    if (rate.getFormat() == NumericFormat::FP32)
      gpu.fp32FlopsPerClock = perClock;
    else
      gpu.tensorFlopsPerClock[static_cast<unsigned>(rate.getFormat())] =
          perClock;
  }
  gpu.memory = attr.getMemory();
  gpu.dramBandwidth = attr.getDramBandwidth();
  gpu.dramCapacity = attr.getDramCapacity();
  gpu.l2Capacity = attr.getL2Capacity();
  gpu.l2Partitioned = attr.getL2Partitioned();
  gpu.powerLimit = attr.getPowerLimit();
  if (InterconnectAttr link = attr.getInterconnect())
    gpu.interconnect = Gpu::Interconnect{link.getKind(), link.getGeneration(),
                                         link.getBandwidth()};
  return gpu;
}

template <unsigned N>
static void copyTiles(TileArrayAttr from, llvm::SmallVector<Tile, N> &to) {
  for (TileAttr tile : from.getValue())
    to.push_back({static_cast<int32_t>(tile.getM()),
                  static_cast<int32_t>(tile.getN()),
                  static_cast<int32_t>(tile.getCtasPerSm()),
                  static_cast<int32_t>(tile.getWarps())});
}

template <unsigned N>
static void copySplits(ArrayAttr from, llvm::SmallVector<int32_t, N> &to) {
  for (auto split : from.getAsRange<IntegerAttr>())
    to.push_back(static_cast<int32_t>(split.getInt()));
}

template <size_t N>
static void copyTable(InstructionTableAttr from, std::array<double, N> &to) {
  for (auto [target, count] : llvm::zip_equal(to, from.getCounts()))
    target = count.value();
}

static TensorGemmCoefficients convert(TensorGemmAttr a) {
  TensorGemmCoefficients c;
  c.efficiency = a.getEfficiency().value();
  c.latencyCycles = a.getLatencyCycles().value();
  c.dramEfficiency = a.getDramEfficiency().value();
  c.l2BytesPerClock = a.getL2BytesPerClock().value();
  c.l2Share = a.getL2Share().value();
  c.fixedTime = a.getFixedTime();
  c.splitKTime = a.getSplitKTime();
  c.storeExposure = a.getStoreExposure().value();
  c.fillDepth = a.getFillDepth().value();
  c.energyPerFlop = a.getEnergyPerFlop();
  c.powerLimiterDelay = a.getPowerLimiterDelay();
  c.misalignedEfficiency = a.getMisalignedEfficiency().value();
  c.convolutionEfficiency = a.getConvolutionEfficiency().value();
  copyTiles(a.getTiles(), c.tiles);
  copySplits(a.getSplitK(), c.splitK);
  return c;
}

static TensorPowerCoefficients convert(TensorPowerAttr a) {
  TensorPowerCoefficients c;
  c.staticShare = a.getStaticShare().value();
  c.perL2Byte = a.getPerL2Byte();
  c.perDramByte = a.getPerDramByte();
  c.clockExponent = a.getClockExponent().value();
  c.energyFloor = a.getEnergyFloor().value();
  c.referenceClock = a.getReferenceClock().value_or(Hertz(0));
  return c;
}

static SimtGemmCoefficients convert(SimtGemmAttr a) {
  SimtGemmCoefficients c;
  c.emax = a.getEmax().value();
  c.k0 = a.getK0().value();
  c.dramEfficiency = a.getDramEfficiency().value();
  c.l2BytesPerClock = a.getL2BytesPerClock().value();
  c.l2Share = a.getL2Share().value();
  c.l2Speedup = a.getL2Speedup().value();
  c.saturationWarps = a.getSaturationWarps().value();
  c.latency = a.getLatency();
  c.energyPerFlop = a.getEnergyPerFlop();
  c.powerShare = a.getPowerShare().value();
  c.dispatch = a.getDispatch();
  c.dispatchOverlap = a.getDispatchOverlap();
  copyTiles(a.getTiles(), c.tiles);
  copySplits(a.getSplitK(), c.splitK);
  return c;
}

static SimtConvCoefficients convert(SimtConvAttr a) {
  SimtConvCoefficients c;
  c.k0 = a.getK0().value();
  c.saturationWarps = a.getSaturationWarps().value();
  c.dramEfficiency = a.getDramEfficiency().value();
  c.l2BytesPerClock = a.getL2BytesPerClock().value();
  c.l2Share = a.getL2Share().value();
  c.l2Speedup = a.getL2Speedup().value();
  c.implicitEfficiency = a.getImplicitEfficiency().value();
  c.fusedEfficiency = a.getFusedEfficiency().value();
  c.nonFusedEfficiency = a.getNonFusedEfficiency().value();
  c.fusedPrologue = a.getFusedPrologue().value();
  c.filterPasses = a.getFilterPasses().value();
  c.latency = a.getLatency();
  c.transformLatency = a.getTransformLatency();
  c.dispatch = a.getDispatch();
  c.dispatchOverlap = a.getDispatchOverlap();
  copyTiles(a.getImplicitTiles(), c.implicitTiles);
  copyTiles(a.getBatchedTiles(), c.batchedTiles);
  return c;
}

static AttentionCoefficients convert(AttentionFitAttr a) {
  AttentionCoefficients c;
  c.efficiency = a.getEfficiency().value();
  c.softmaxCycles = a.getSoftmaxCycles().value();
  c.pipeNorm = a.getPipeNorm().value();
  c.prologueCycles = a.getPrologueCycles().value();
  c.waveShare = a.getWaveShare().value();
  c.causalTail = a.getCausalTail().value();
  c.dramEfficiency = a.getDramEfficiency().value();
  c.l2BytesPerClock = a.getL2BytesPerClock().value();
  c.l2Share = a.getL2Share().value();
  c.cacheBytesPerClock = a.getCacheBytesPerClock().value();
  c.splitTime = a.getSplitTime();
  c.fixedTime = a.getFixedTime();
  c.energyPerFlop = a.getEnergyPerFlop();
  c.energyPerScore = a.getEnergyPerScore();
  c.packGroupedQueries = a.getPackGroupedQueries();
  c.splitKv = a.getSplitKv();
  c.writesKvCache = a.getWritesKvCache();
  for (AttentionTileAttr tile : a.getTiles().getValue())
    c.tiles[static_cast<int32_t>(tile.getHeadDim())] = {
        static_cast<int32_t>(tile.getRows()),
        static_cast<int32_t>(tile.getColumns())};
  return c;
}

static DecodeCoefficients convert(DecodeAttr a) {
  DecodeCoefficients c;
  c.groupTile = a.getGroupTile().value();
  c.dramEfficiency = a.getDramEfficiency().value();
  c.l2BytesPerClock = a.getL2BytesPerClock().value();
  c.l2Share = a.getL2Share().value();
  c.prologueCycles = a.getPrologueCycles().value();
  c.blockCycles = a.getBlockCycles().value();
  c.groupCycles = a.getGroupCycles().value();
  c.occupancy = a.getOccupancy().value();
  c.fixedTime = a.getFixedTime();
  c.splitTime = a.getSplitTime();
  return c;
}

static StreamingCoefficients convert(StreamingAttr a) {
  StreamingCoefficients c;
  c.dramEfficiency = a.getDramEfficiency().value();
  c.l2Share = a.getL2Share().value();
  c.l2BytesPerClock = a.getL2BytesPerClock().value();
  c.issueScale = a.getIssueScale().value();
  c.issueWidth = a.getIssueWidth().value();
  c.broadcastSlots = a.getBroadcastSlots().value();
  c.latency = a.getLatency();
  c.softmaxRow0 = a.getSoftmaxRow0().value();
  c.softmaxRow1 = a.getSoftmaxRow1().value();
  c.normRow0 = a.getNormRow0().value();
  c.normRow1 = a.getNormRow1().value();
  copyTable(a.getIssueSlots(), c.issueSlots);
  return c;
}

static InstructionCounts convert(InstructionsAttr a) {
  InstructionCounts c;
  copyTable(a.getPerElement(), c.perElement);
  c.strided = a.getStrided().value();
  c.softmaxWide = a.getSoftmaxWide().value();
  c.layoutConversion = a.getLayoutConversion().value();
  c.attentionScore = a.getAttentionScore().value();
  c.depthwiseTap = a.getDepthwiseTap().value();
  c.softmaxScale = a.getSoftmaxScale().value();
  c.normScale = a.getNormScale().value();
  return c;
}

static PowerCoefficients convert(PowerFitAttr a) {
  PowerCoefficients c;
  c.perTensorFlop = a.getPerTensorFlop();
  c.perFp32Flop = a.getPerFp32Flop();
  c.perInstruction = a.getPerInstruction();
  c.perDramByte = a.getPerDramByte();
  c.perSmCycle = a.getPerSmCycle();
  c.voltageExponent = a.getVoltageExponent().value();
  c.referenceClock = a.getReferenceClock();
  c.idleBase = a.getIdleBase();
  c.idleVoltage = a.getIdleVoltage();
  c.idleClock = a.getIdleClock();
  if (VoltageCurveAttr curve = a.getVoltage())
    for (VoltagePointAttr point : curve.getValue())
      c.voltage.push_back({point.getClock(), point.getVoltage()});
  c.genericKnee = a.getGenericKnee().value();
  c.genericMax = a.getGenericMax().value();
  c.dramVoltageExponent = a.getDramVoltageExponent().value();
  c.l2Share = a.getL2Share().value();
  return c;
}

static RuntimeCoefficients convert(RuntimeFitAttr a) {
  RuntimeCoefficients c;
  c.kernelGap = a.getKernelGap();
  c.hostLaunch = a.getHostLaunch();
  c.libraryWeight = a.getLibraryWeight().value();
  c.hostNorm = a.getHostNorm().value();
  return c;
}

static CollectiveCoefficients convert(CollectivesAttr a) {
  CollectiveCoefficients c;
  c.powerShare = a.getPowerShare().value();
  for (CollectiveFitAttr fit : a.getFits().getValue())
    c.fits.push_back({fit.getKind(), fit.getRanks(), fit.getBase(),
                      fit.getStep(), fit.getRoot().value(), fit.getBandwidth(),
                      fit.getRamp().value()});
  return c;
}

static ErrorBarCoefficients convert(ErrorBarsAttr a) {
  ErrorBarCoefficients c;
  c.correlation = a.getCorrelation().value();
  c.outside = a.getOutside().value();
  c.host = a.getHost().value();
  c.hostUnknown = a.getHostUnknown().value();
  c.inference = a.getInference().value();
  c.training = a.getTraining().value();
  c.power = a.getPower().value();
  for (KernelErrorAttr kernel : a.getKernels().getValue())
    c.kernels[static_cast<unsigned>(kernel.getKind())] = {
        kernel.getSmall().value(), kernel.getMedium().value(),
        kernel.getLarge().value()};
  return c;
}

/// Kernels in `format` use the group `name`.
static bool isNeeded(StringRef name, NumericFormat format) {
  if (name == "streaming" || name == "instructions" || name == "power" ||
      name == "runtime")
    return true;
  // The former only where several GPUs take part, the latter says how sure.
  if (name == "collectives" || name == "error_bars")
    return false;
  return name.starts_with("simt_") == (format == NumericFormat::FP32);
}

std::string gpucost::describeBorrowed(CoefficientsAttr coefficients,
                                      std::optional<NumericFormat> format) {
  std::string text;
  forEachGroup(coefficients, [&](StringRef name, auto group) {
    if (!group || group.getBorrowedFrom().empty() ||
        (format && !isNeeded(name, *format)))
      return;
    text += (text.empty() ? "" : ", ") + name.str() + " from " +
            group.getBorrowedFrom().str();
  });
  return text;
}

std::vector<std::string> gpucost::missingGroups(CoefficientsAttr coefficients,
                                                NumericFormat format) {
  std::vector<std::string> missing;
  forEachGroup(coefficients, [&](StringRef name, auto group) {
    if (!group && isNeeded(name, format))
      missing.push_back(name.str());
  });
  return missing;
}

/// Classes of kernels whose group of coefficients is another die's.
static ErrorClassSet borrowedClasses(CoefficientsAttr a) {
  ErrorClassSet borrowed;
  auto mark = [&](auto group, std::initializer_list<ErrorClass> classes) {
    if (group && !group.getBorrowedFrom().empty())
      for (ErrorClass kind : classes)
        borrowed.set(static_cast<size_t>(kind));
  };
  mark(a.getTensorGemm(),
       {ErrorClass::TensorMatmul, ErrorClass::TensorConvolution});
  mark(a.getSimtLinear(), {ErrorClass::Fp32Matmul});
  mark(a.getSimtBatched(), {ErrorClass::Fp32Matmul});
  mark(a.getSimtConv(), {ErrorClass::Fp32Convolution});
  mark(a.getAttentionFull(), {ErrorClass::Attention});
  mark(a.getAttentionCausal(), {ErrorClass::Attention});
  mark(a.getDecode(), {ErrorClass::Decode});
  mark(a.getStreaming(), {ErrorClass::RowWise, ErrorClass::Streaming});
  mark(a.getCollectives(), {ErrorClass::Collective});
  return borrowed;
}

llvm::Expected<Coefficients>
gpucost::toCoefficients(CoefficientsAttr a,
                        std::optional<NumericFormat> format) {
  if (!a)
    return llvm::createStringError(
        "expected a 'gpucost.coefficients' attribute");
  Coefficients c;
  c.provenance = a.getProvenance().str();
  c.borrowed = describeBorrowed(a, format);
  auto copy = [](auto group, auto &to) {
    if (group)
      to = convert(group);
  };
  copy(a.getTensorGemm(), c.tensorGemm);
  copy(a.getTensorPower(), c.tensorPower);
  copy(a.getSimtLinear(), c.simtLinear);
  copy(a.getSimtBatched(), c.simtBatched);
  copy(a.getSimtConv(), c.simtConv);
  copy(a.getAttentionFull(), c.attentionFull);
  copy(a.getAttentionCausal(), c.attentionCausal);
  copy(a.getDecode(), c.decode);
  copy(a.getStreaming(), c.streaming);
  copy(a.getInstructions(), c.instructions);
  copy(a.getPower(), c.power);
  copy(a.getRuntime(), c.runtime);
  copy(a.getCollectives(), c.collectives);
  copy(a.getErrorBars(), c.errorBars);
  c.borrowedClasses = borrowedClasses(a);
  return c;
}
