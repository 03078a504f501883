//===- Parameters.cpp - What a calibration moves --------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parameters.h"

using namespace gpucost;

static double numberOf(double value) { return value; }
template <typename Tag> static double numberOf(Quantity<Tag> value) {
  return value.value();
}
static void assign(double &field, double value) { field = value; }
template <typename Tag> static void assign(Quantity<Tag> &field, double value) {
  field = Quantity<Tag>(value);
}

llvm::ArrayRef<Parameter> gpucost::allParameters() {
  static constexpr Parameter parameters[] = {
#define PARAMETER(group, member, field, name, kind, deviation, low, high)      \
  {#group,                                                                     \
   name,                                                                       \
   ParameterKind::kind,                                                        \
   deviation,                                                                  \
   low,                                                                        \
   high,                                                                       \
   [](const Coefficients &c) {                                                 \
     return c.member ? numberOf(c.member->field) : 0.0;                        \
   },                                                                          \
   [](Coefficients &c, double value) { assign(c.member->field, value); }},
#include "Parameters.def"
  };
  return parameters;
}

std::vector<const Parameter *>
gpucost::parametersOf(llvm::StringRef group, const Coefficients &prior) {
  std::vector<const Parameter *> result;
  for (const Parameter &parameter : allParameters())
    if (parameter.group == group && parameter.get(prior) > 0)
      result.push_back(&parameter);
  return result;
}

llvm::StringRef gpucost::groupOf(const KernelWork &work) {
  bool simt = work.format == NumericFormat::FP32;
  switch (work.family) {
  case KernelFamily::Matmul:
    return !simt                ? "tensor_gemm"
           : work.matmul.linear ? "simt_linear"
                                : "simt_batched";
  case KernelFamily::Convolution: {
    const ConvolutionProblem &p = work.convolution;
    if (p.groups > 1 && p.groups == p.channels)
      return "streaming";
    return simt ? "simt_conv" : "tensor_gemm";
  }
  case KernelFamily::Attention:
    if (work.attention.queryLength == 1 && !work.attention.backward)
      return "decode";
    return work.attention.causal ? "attention_causal" : "attention_full";
  case KernelFamily::Collective:
  case KernelFamily::Opaque:
    return "";
  default:
    return "streaming";
  }
}
