//===- Coefficients.h - Fitted numbers of the cost model -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain structures of the fitted coefficients, one per equation group. They are
// filled from calibration/coefficients/*.mlir (see Target); no value stands in
// C++. Names follow docs/CostModel.md. Units: SI; "pJ" values are in joule.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_MODEL_COEFFICIENTS_H
#define GPUCOST_MODEL_COEFFICIENTS_H

#include "gpucost/Model/Gpu.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <bitset>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace gpucost {

/// Candidate CTA tile: rows, columns, co-resident CTAs per SM, warps (SIMT).
struct Tile {
  int32_t m = 0, n = 0, ctasPerSm = 1, warps = 0;
  bool operator==(const Tile &o) const {
    return m == o.m && n == o.n && ctasPerSm == o.ctasPerSm && warps == o.warps;
  }
};

/// Tensor-core GEMM, equations (G*): tile/wave, split-K, L2, DRAM, power.
struct TensorGemmCoefficients {
  double efficiency = 0;      ///< e: tensor efficiency of a CTA
  double latencyCycles = 0;   ///< lk: cycles per 64-deep K step
  double dramEfficiency = 0;  ///< ed
  double l2BytesPerClock = 0; ///< el2: L2->SM bytes per clock and busy SM
  double l2Share = 0;         ///< cl2: usable share of L2 for re-used operands
  Seconds fixedTime;          ///< t0
  Seconds splitKTime;         ///< tsk
  double storeExposure = 0;   ///< ov
  double fillDepth = 0;       ///< kf: K elements of exposed pipeline fill
  JoulesPerEvent energyPerFlop; ///< e_flop at max clock, random data, absolute
  Seconds powerLimiterDelay;    ///< tau, benchmark protocol only
  /// al: factor on `efficiency` when k or n of a 16-bit GEMM is no multiple of
  /// 8 elements; 1 = no penalty.
  double misalignedEfficiency = 1;
  /// ec: factor on e for implicit-GEMM convolutions
  double convolutionEfficiency = 1;
  llvm::SmallVector<Tile, 24> tiles;
  llvm::SmallVector<int32_t, 12> splitK;
};

/// Board-level constants of the time-power loop, equations (G9)-(G11), shared
/// by tensor-core GEMM, convolution and attention. Priors, never to be added to
/// PowerCoefficients.
struct TensorPowerCoefficients {
  double staticShare = 0; ///< P0 as a share of the board's power limit
  JoulesPerEvent perL2Byte, perDramByte;
  double clockExponent = 0; ///< on-chip energy ~ (f / f_ref)^exponent ...
  double energyFloor = 0;   ///< ... but never below this share
  /// Clock at which the energies per FLOP hold; 0 = the GPU's maximum.
  Hertz referenceClock;
};

/// CUDA-core (SIMT) fp32 GEMM, four roofs joined by a 4-norm, equations (S*).
struct SimtGemmCoefficients {
  double emax = 0, k0 = 0, dramEfficiency = 0, l2BytesPerClock = 0;
  double l2Share = 0, l2Speedup = 0, saturationWarps = 0;
  Seconds latency;
  JoulesPerEvent energyPerFlop; ///< ep
  double powerShare = 0; ///< share of the power limit that the roof may use
  /// Host dispatch of an event-timed eager op; validator protocol only.
  Seconds dispatch, dispatchOverlap;
  llvm::SmallVector<Tile, 12> tiles;
  llvm::SmallVector<int32_t, 12> splitK;
};

/// fp32 convolution on CUDA cores: implicit GEMM and two Winograd forms,
/// equations (C*).
struct SimtConvCoefficients {
  double k0 = 0, saturationWarps = 0, dramEfficiency = 0, l2BytesPerClock = 0;
  double l2Share = 0, l2Speedup = 0;
  double implicitEfficiency = 0, fusedEfficiency = 0, nonFusedEfficiency = 0;
  double fusedPrologue = 0;          ///< kw
  double filterPasses = 0;           ///< cf
  Seconds latency, transformLatency; ///< lat, lw
  Seconds dispatch, dispatchOverlap;
  llvm::SmallVector<Tile, 8> implicitTiles, batchedTiles;
};

/// One-kernel (flash) attention, equations (A*).
struct AttentionCoefficients {
  double efficiency = 0, softmaxCycles = 0, pipeNorm = 1, prologueCycles = 0;
  double waveShare = 0, causalTail = 0, dramEfficiency = 0;
  double l2BytesPerClock = 0, l2Share = 0, cacheBytesPerClock = 0;
  Seconds splitTime, fixedTime;
  JoulesPerEvent energyPerFlop, energyPerScore;
  bool packGroupedQueries = false, splitKv = false, writesKvCache = false;
  /// Padded head dimension -> (query rows, KV columns) of one CTA.
  std::map<int32_t, std::pair<int32_t, int32_t>> tiles;
};

/// One query token per sequence against a KV cache, equations (D*).
struct DecodeCoefficients {
  double groupTile = 64, dramEfficiency = 0, l2BytesPerClock = 0, l2Share = 0;
  double prologueCycles = 0, blockCycles = 0, groupCycles = 0, occupancy = 1;
  Seconds fixedTime, splitTime;
};

/// Memory-bound kernels, equations (M*).
struct StreamingCoefficients {
  double dramEfficiency = 0;  ///< eb
  double l2Share = 0;         ///< cl2
  double l2BytesPerClock = 0; ///< bl2
  double issueScale = 1;      ///< iscale
  double issueWidth = 128;    ///< issue slots per clock and SM
  double broadcastSlots = 0;  ///< issue slots per element when strided
  Seconds latency;
  /// Cycles per row: r0 + r1 * ceil(cols / 512).
  double softmaxRow0 = 0, softmaxRow1 = 0, normRow0 = 0, normRow1 = 0;
  /// Issue slots per element by instruction class (time).
  std::array<double, getMaxEnumValForInstructionClass() + 1> issueSlots{};
};

/// Thread instructions per element (energy, N_i of the power study).
struct InstructionCounts {
  std::array<double, getMaxEnumValForInstructionClass() + 1> perElement{};
  double strided = 0;          ///< extra per strided or broadcast element
  double softmaxWide = 0;      ///< softmax rows above 1024 columns
  double layoutConversion = 0; ///< per element of a conv layout kernel
  double attentionScore = 0;   ///< per score of a fused attention
  double depthwiseTap = 0;     ///< per tap and output of a depthwise conv
  double softmaxScale = 1, normScale = 1;
};

/// Event energies and idle curve, equations (P*).
struct PowerCoefficients {
  JoulesPerEvent perTensorFlop; ///< bf16; tf32 counts double, fp8/int8 half
  JoulesPerEvent perFp32Flop, perInstruction, perDramByte, perSmCycle;
  double voltageExponent = 2; ///< gamma
  Hertz referenceClock;       ///< clock that the energies were fitted at
  /// P_idle = idleBase + idleVoltage * v^3 + idleClock * f_GHz * v^2.
  Watts idleBase, idleVoltage, idleClock;
  /// (clock, volt) points, ascending; empty = generic curve below.
  llvm::SmallVector<std::pair<Hertz, Volts>, 12> voltage;
  double genericKnee = 0, genericMax = 0;
  double dramVoltageExponent = 0;
  /// Share of the L2 that filters DRAM traffic (l2f) in the event count.
  double l2Share = 0;
};

/// Launch and composition constants of a framework, equations (H*).
struct RuntimeCoefficients {
  Seconds kernelGap;        ///< between dependent eager kernels
  Seconds hostLaunch;       ///< c_h default
  double libraryWeight = 0; ///< extra launches per library call (1.1)
  double hostNorm = 0;      ///< exponent joining busy and host time (6)
};

/// Communication inside one node, equations (N*).
struct CollectiveCoefficients {
  struct Fit {
    CollectiveKind kind = CollectiveKind::AllReduce;
    int64_t ranks = 0;  ///< 0: any number of GPUs
    Seconds base, step; ///< a0, a1
    double root = 0;    ///< c, seconds per square root of a byte
    BytesPerSecond bandwidth;
    double ramp = 0; ///< b
  };
  /// Dynamic power while only the links work, as a share of that of the busy
  /// phases.
  double powerShare = 0;
  llvm::SmallVector<Fit, 12> fits;
};

/// Half widths of 80 % intervals, equations (U*): a measured value lies within
/// [x / (1 + h), x (1 + h)] of the prediction x with that probability.
struct ErrorBarCoefficients {
  struct Kernel {
    double small = 0, medium = 0, large = 0; ///< by predicted time
  };
  /// Share of a class's half width that all its kernels have in common.
  double correlation = 1;
  double outside = 1; ///< factor outside the validated region
  double host = 0, hostUnknown = 0;
  double inference = 0, training = 0; ///< time of a whole iteration
  double power = 0;                   ///< average of a whole iteration
  std::array<Kernel, getMaxEnumValForErrorClass() + 1> kernels;
};

using ErrorClassSet = std::bitset<getMaxEnumValForErrorClass() + 1>;

/// Everything fitted that one target needs; a missing family is nullopt and
/// asking for it is an error, never a guess.
struct Coefficients {
  std::string provenance;
  /// Why a set is borrowed from another die; empty when it is the target's own.
  std::string borrowed;
  ErrorClassSet borrowedClasses;
  std::optional<TensorGemmCoefficients> tensorGemm;
  std::optional<TensorPowerCoefficients> tensorPower;
  std::optional<SimtGemmCoefficients> simtLinear, simtBatched;
  std::optional<SimtConvCoefficients> simtConv;
  std::optional<AttentionCoefficients> attentionFull, attentionCausal;
  std::optional<DecodeCoefficients> decode;
  std::optional<StreamingCoefficients> streaming;
  std::optional<InstructionCounts> instructions;
  std::optional<PowerCoefficients> power;
  std::optional<RuntimeCoefficients> runtime;
  std::optional<CollectiveCoefficients> collectives;
  std::optional<ErrorBarCoefficients> errorBars;
};

} // namespace gpucost

#endif // GPUCOST_MODEL_COEFFICIENTS_H
