//===- Families.h - Facts of kernel families --------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_VOCABULARY_FAMILIES_H
#define GPUCOST_CORE_VOCABULARY_FAMILIES_H

#include "gpucost/Core/Vocabulary/Enums.h"

namespace gpucost {

/// Families that libraries and exporters use interchangeably. `None`: no other
/// family is used instead.
enum class Substitutes { None, Products, MemoryBound };

/// One row of Families.def, which describes the columns.
struct FamilyInfo {
  KernelFamily family;
  std::string_view column, kernel;
  Substitutes substitutes;
  bool hasStreamSchedules;
};

inline constexpr FamilyInfo familyInfos[] = {
#define FAMILY(Case, text, Problem, column, kernel, substitutes, schedules)    \
  {KernelFamily::Case, column, kernel, Substitutes::substitutes, schedules},
#include "gpucost/Core/Vocabulary/Families.def"
};

constexpr const FamilyInfo &infoOf(KernelFamily family) {
  return familyInfos[static_cast<size_t>(family)];
}

} // namespace gpucost

#endif // GPUCOST_CORE_VOCABULARY_FAMILIES_H
