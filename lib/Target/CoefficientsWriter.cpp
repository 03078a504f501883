//===- CoefficientsWriter.cpp - Coefficients to attributes and text -------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Target/CoefficientsWriter.h"
#include "CoefficientGroups.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace gpucost;

// What a calibration does not move (tiles, splits, tables) is taken from the
// old attribute; every number from the model's structure.

static TensorGemmAttr convert(TensorGemmAttr a, const TensorGemmCoefficients &c,
                              StringRef provenance, StringRef borrowed) {
  return TensorGemmAttr::get(
      a.getContext(), provenance, borrowed, Scalar(c.efficiency),
      Scalar(c.latencyCycles), Scalar(c.dramEfficiency),
      Scalar(c.l2BytesPerClock), Scalar(c.l2Share), c.fixedTime, c.splitKTime,
      Scalar(c.storeExposure), Scalar(c.fillDepth), c.energyPerFlop,
      c.powerLimiterDelay, Scalar(c.misalignedEfficiency),
      Scalar(c.convolutionEfficiency), a.getTiles(), a.getSplitK());
}

static SimtGemmAttr convert(SimtGemmAttr a, const SimtGemmCoefficients &c,
                            StringRef provenance, StringRef borrowed) {
  return SimtGemmAttr::get(
      a.getContext(), provenance, borrowed, Scalar(c.emax), Scalar(c.k0),
      Scalar(c.dramEfficiency), Scalar(c.l2BytesPerClock), Scalar(c.l2Share),
      Scalar(c.l2Speedup), Scalar(c.saturationWarps), c.latency,
      c.energyPerFlop, Scalar(c.powerShare), c.dispatch, c.dispatchOverlap,
      a.getTiles(), a.getSplitK());
}

static SimtConvAttr convert(SimtConvAttr a, const SimtConvCoefficients &c,
                            StringRef provenance, StringRef borrowed) {
  return SimtConvAttr::get(
      a.getContext(), provenance, borrowed, Scalar(c.k0),
      Scalar(c.saturationWarps), Scalar(c.dramEfficiency),
      Scalar(c.l2BytesPerClock), Scalar(c.l2Share), Scalar(c.l2Speedup),
      Scalar(c.implicitEfficiency), Scalar(c.fusedEfficiency),
      Scalar(c.nonFusedEfficiency), Scalar(c.fusedPrologue),
      Scalar(c.filterPasses), c.latency, c.transformLatency, c.dispatch,
      c.dispatchOverlap, a.getImplicitTiles(), a.getBatchedTiles());
}

static AttentionFitAttr convert(AttentionFitAttr a,
                                const AttentionCoefficients &c,
                                StringRef provenance, StringRef borrowed) {
  return AttentionFitAttr::get(
      a.getContext(), provenance, borrowed, Scalar(c.efficiency),
      Scalar(c.softmaxCycles), Scalar(c.pipeNorm), Scalar(c.prologueCycles),
      Scalar(c.waveShare), Scalar(c.causalTail), Scalar(c.dramEfficiency),
      Scalar(c.l2BytesPerClock), Scalar(c.l2Share),
      Scalar(c.cacheBytesPerClock), c.splitTime, c.fixedTime, c.energyPerFlop,
      c.energyPerScore, c.packGroupedQueries, c.splitKv, c.writesKvCache,
      a.getTiles());
}

static DecodeAttr convert(DecodeAttr a, const DecodeCoefficients &c,
                          StringRef provenance, StringRef borrowed) {
  return DecodeAttr::get(
      a.getContext(), provenance, borrowed, Scalar(c.groupTile),
      Scalar(c.dramEfficiency), Scalar(c.l2BytesPerClock), Scalar(c.l2Share),
      Scalar(c.prologueCycles), Scalar(c.blockCycles), Scalar(c.groupCycles),
      Scalar(c.occupancy), c.fixedTime, c.splitTime);
}

static StreamingAttr convert(StreamingAttr a, const StreamingCoefficients &c,
                             StringRef provenance, StringRef borrowed) {
  return StreamingAttr::get(
      a.getContext(), provenance, borrowed, Scalar(c.dramEfficiency),
      Scalar(c.l2Share), Scalar(c.l2BytesPerClock), Scalar(c.issueScale),
      Scalar(c.issueWidth), Scalar(c.broadcastSlots), c.latency,
      Scalar(c.softmaxRow0), Scalar(c.softmaxRow1), Scalar(c.normRow0),
      Scalar(c.normRow1), a.getIssueSlots());
}

static PowerFitAttr convert(PowerFitAttr a, const PowerCoefficients &c,
                            StringRef provenance, StringRef borrowed) {
  return PowerFitAttr::get(
      a.getContext(), provenance, borrowed, c.perTensorFlop, c.perFp32Flop,
      c.perInstruction, c.perDramByte, c.perSmCycle, Scalar(c.voltageExponent),
      c.referenceClock, c.idleBase, c.idleVoltage, c.idleClock, a.getVoltage(),
      Scalar(c.genericKnee), Scalar(c.genericMax),
      Scalar(c.dramVoltageExponent), Scalar(c.l2Share));
}

static RuntimeFitAttr convert(RuntimeFitAttr a, const RuntimeCoefficients &c,
                              StringRef provenance, StringRef borrowed) {
  return RuntimeFitAttr::get(a.getContext(), provenance, borrowed, c.kernelGap,
                             c.hostLaunch, Scalar(c.libraryWeight),
                             Scalar(c.hostNorm));
}

CoefficientsAttr
gpucost::withFitted(CoefficientsAttr from, const Coefficients &fitted,
                    const llvm::StringMap<GroupProvenance> &provenances,
                    StringRef provenance) {
  auto renew = [&](StringRef name, auto group, const auto &values) {
    auto found = provenances.find(name);
    if (!group || !values || found == provenances.end())
      return group;
    const GroupProvenance &source = found->second;
    return convert(group, *values, source.text,
                   source.isPartial ? group.getBorrowedFrom() : "");
  };
  return CoefficientsAttr::get(
      from.getContext(), provenance,
      renew("tensor_gemm", from.getTensorGemm(), fitted.tensorGemm),
      from.getTensorPower(),
      renew("simt_linear", from.getSimtLinear(), fitted.simtLinear),
      renew("simt_batched", from.getSimtBatched(), fitted.simtBatched),
      renew("simt_conv", from.getSimtConv(), fitted.simtConv),
      renew("attention_full", from.getAttentionFull(), fitted.attentionFull),
      renew("attention_causal", from.getAttentionCausal(),
            fitted.attentionCausal),
      renew("decode", from.getDecode(), fitted.decode),
      renew("streaming", from.getStreaming(), fitted.streaming),
      from.getInstructions(), renew("power", from.getPower(), fitted.power),
      renew("runtime", from.getRuntime(), fitted.runtime),
      from.getCollectives(), from.getErrorBars());
}

std::vector<std::string>
gpucost::borrowedGroups(CoefficientsAttr coefficients) {
  std::vector<std::string> names;
  forEachGroup(coefficients, [&](StringRef name, auto group) {
    if (group && !group.getBorrowedFrom().empty())
      names.push_back(name.str());
  });
  return names;
}

/// Breaks `text` after commas outside of quotes, indenting what follows.
static void printWrapped(StringRef text, raw_ostream &os) {
  constexpr size_t width = 96;
  size_t column = 0;
  bool quoted = false;
  StringRef piece = text;
  for (size_t i = 0, start = 0; i <= text.size(); ++i) {
    bool isEnd = i == text.size();
    if (!isEnd && text[i] == '"')
      quoted = !quoted;
    if (!isEnd && (quoted || text[i] != ' '))
      continue;
    piece = text.slice(start, i);
    // Only a comma ends a parameter: "3 us" stays in one line.
    bool breakable = start > 0 && text[start - 2] == ',';
    if (breakable && column + 1 + piece.size() > width) {
      os << "\n  ";
      column = 2;
    } else if (start > 0) {
      os << ' ';
      ++column;
    }
    os << piece;
    column += piece.size();
    start = i + 1;
  }
  os << '\n';
}

std::string gpucost::printCoefficientsFile(CoefficientsAttr coefficients,
                                           StringRef comment) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n";
  for (StringRef line : llvm::split(comment.rtrim('\n'), '\n'))
    os << llvm::StringRef("// " + line.str()).rtrim() << '\n';
  std::string references;
  forEachGroup(coefficients, [&](StringRef name, auto group) {
    if (!group)
      return;
    std::string value;
    llvm::raw_string_ostream(value) << group;
    os << '\n';
    printWrapped("#" + name.str() + " = " + value, os);
    references += ",\n  " + name.str() + " = #" + name.str();
  });
  os << "\nmodule attributes {gpucost.coefficients = #gpucost.coefficients<\n"
     << "  provenance = \"";
  llvm::printEscapedString(coefficients.getProvenance(), os);
  os << '"' << references << ">} {}\n";
  return text;
}
