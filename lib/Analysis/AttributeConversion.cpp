//===- AttributeConversion.cpp - Attributes and plain structs ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Analysis/AttributeConversion.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace gpucost;

KernelWork gpucost::toKernelWork(WorkAttr attr) {
  KernelWork work;
  work.family = attr.getFamily();
  work.instructions = attr.getInstructions();
  work.format = attr.getFormat();
  work.inputBits = attr.getInputBits();
  work.outputBits = attr.getOutputBits();
  work.count = {attr.getTensorFlops(), attr.getFp32Flops(),
                attr.getSpecialOps(), attr.getBytesRead(),
                attr.getBytesWritten()};
  llvm::TypeSwitch<Attribute>(attr.getProblem())
      .Case<MatmulProblemAttr>([&](auto p) {
        work.matmul = {p.getBatch(),  p.getM(),
                       p.getN(),      p.getK(),
                       p.getLinear(), static_cast<int32_t>(p.getWeightBits())};
      })
      .Case<ConvolutionProblemAttr>([&](auto p) {
        work.convolution = {
            p.getBatch(),        p.getChannels(),     p.getHeight(),
            p.getWidth(),        p.getOutChannels(),  p.getOutHeight(),
            p.getOutWidth(),     p.getKernelHeight(), p.getKernelWidth(),
            p.getStrideHeight(), p.getStrideWidth(),  p.getGroups(),
            p.getPass()};
        work.channelsLast = p.getChannelsLast();
      })
      .Case<AttentionProblemAttr>([&](auto p) {
        work.attention = {p.getBatch(),       p.getHeads(),    p.getKvHeads(),
                          p.getQueryLength(), p.getKvLength(), p.getHeadDim(),
                          p.getWindow(),      p.getCausal(),   p.getBackward(),
                          p.getGeneration()};
      })
      .Case<RowsProblemAttr>(
          [&](auto p) { work.rows = {p.getRows(), p.getCols()}; })
      .Case<CollectiveProblemAttr>([&](auto p) {
        work.collective = {p.getKind(), p.getBytes(), p.getRanks()};
      })
      .Case<ElementsProblemAttr>(
          [&](auto p) { work.elements = {p.getCount(), p.getStrided()}; });
  return work;
}

Tiling gpucost::toTiling(TilingAttr attr) {
  Tiling tiling;
  tiling.tile.m = attr.getTileM();
  tiling.tile.n = attr.getTileN();
  tiling.tile.ctasPerSm = attr.getCtasPerSm();
  tiling.tile.warps = attr.getWarps();
  tiling.splitK = attr.getSplitK();
  tiling.variant = attr.getVariant();
  tiling.ctas = attr.getCtas();
  tiling.waves = attr.getWaves();
  tiling.occupancy = attr.getOccupancy().value();
  return tiling;
}

TilingAttr gpucost::toAttr(MLIRContext *context, const Tiling &tiling) {
  return TilingAttr::get(context, tiling.tile.m, tiling.tile.n,
                         tiling.tile.ctasPerSm, tiling.tile.warps,
                         tiling.splitK, tiling.variant, tiling.ctas,
                         tiling.waves, Scalar(tiling.occupancy));
}

TimeAttr gpucost::toAttr(MLIRContext *context, const KernelTime &time,
                         Hertz clock) {
  return TimeAttr::get(context, time.total, time.compute, time.l2, time.dram,
                       time.fixed, time.bound, clock);
}

KernelTime gpucost::toKernelTime(TimeAttr attr) {
  KernelTime time;
  time.total = attr.getTotal();
  time.compute = attr.getCompute();
  time.l2 = attr.getL2();
  time.dram = attr.getDram();
  time.fixed = attr.getFixed();
  time.bound = attr.getBound();
  return time;
}
