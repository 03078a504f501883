//===- StudySets.h - Coefficient sets of the model studies ------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Devices and fitted coefficients that the expected values of the model tests
// belong to.
//
//===----------------------------------------------------------------------===//

#ifndef UNITTESTS_CORE_STUDY_STUDYSETS_H
#define UNITTESTS_CORE_STUDY_STUDYSETS_H

#include "gpucost/Core/Model/CostModel.h"
#include <string_view>

namespace gpucost::study {

/// "A100", "H100", "H200", "L40S", "B200", "GB200"; "V100", "A100-40",
/// "A100-80" (PCIe).
Gpu gpu(std::string_view name);

TensorGemmCoefficients tensorGemm(std::string_view name);
TensorPowerCoefficients tensorPower();
SimtGemmCoefficients simtGemm(std::string_view name, bool linear);
SimtConvCoefficients simtConv(std::string_view name);
AttentionCoefficients attention(std::string_view name, std::string_view tiles);
/// Memory-bound kernels of A100 in bf16.
StreamingCoefficients streaming();
/// Events of the power study, A100-PCIe at 900 MHz.
InstructionCounts instructions();
PowerCoefficients power();

/// A query as the study's benchmarks ran: back to back, with random operands.
KernelQuery benchmark();
/// Adds the groups of targets/coefficients/shared.mlir that `coefficients`
/// lack, with the numbers of examples/a100.mlir, which no refit changes.
void complete(Coefficients &coefficients);
/// A model of `gpu` with the completed `coefficients`, which must be valid.
CostModel model(Gpu gpu, Coefficients coefficients, KernelChoice choice = {});
/// The time of `work` with the tiling that `model` selects, at the maximum
/// clock; `microseconds`: its total.
KernelTime timeOf(const CostModel &model, const KernelWork &work);
double microseconds(const CostModel &model, const KernelWork &work);
/// A100 with matmuls, memory-bound kernels and power.
const CostModel &a100();

} // namespace gpucost::study

#endif // UNITTESTS_CORE_STUDY_STUDYSETS_H
