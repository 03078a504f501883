//===- Parameters.cpp - What a calibration moves --------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parameters.h"
#include "gpucost/Core/Model/Software.h"

using namespace gpucost;
using namespace gpucost::calibration;

/// Calls `use` with the number `field` of `group`, if the set has it.
template <typename Set, typename Use>
static void withField(Set &set, std::string_view group, std::string_view field,
                      Use use) {
  forEachGroup(set, [&](const GroupInfo &info, auto &values) {
    if (info.name != group || !values)
      return;
    visitFields(*values, [&](const FieldInfo &each, auto &value) {
      if constexpr (IsNumber<std::decay_t<decltype(value)>>::value)
        if (each.keyword == field)
          use(value);
    });
  });
}

double Parameter::get(const Coefficients &c) const {
  if (read)
    return read(c);
  double result = 0;
  withField(c, group, name,
            [&](const auto &value) { result = numberOf(value); });
  return result;
}

void Parameter::set(Coefficients &c, double value) const {
  if (move)
    return move(c, value);
  withField(c, group, name, [&](auto &field) { assignNumber(field, value); });
}

static std::vector<Parameter> collectParameters() {
  std::vector<Parameter> parameters;
  Coefficients none;
  forEachGroup(none, [&](const GroupInfo &info, auto &absent) {
    typename std::decay_t<decltype(absent)>::value_type group;
    visitFields(group, [&](const FieldInfo &field, const auto &) {
      const FieldNote &note = field.note;
      if (note.kind != ParameterKind::Fixed && note.fixedIn != info.name)
        parameters.push_back({info.name, field.keyword, note.kind,
                              note.deviation, note.low, note.high});
    });
  });
  return parameters;
}

llvm::ArrayRef<Parameter> calibration::allParameters() {
  static const std::vector<Parameter> parameters = collectParameters();
  return parameters;
}

std::vector<const Parameter *>
calibration::parametersOf(llvm::StringRef group, const Coefficients &prior) {
  std::vector<const Parameter *> result;
  for (const Parameter &parameter : allParameters())
    if (parameter.group == group && parameter.get(prior) > 0)
      result.push_back(&parameter);
  return result;
}

llvm::StringRef calibration::groupOf(const KernelWork &work,
                                     const KernelQuery &query,
                                     const CostModel &model) {
  auto tiling = model.selectTiling(work, query);
  if (!tiling || work.family == KernelFamily::Opaque)
    return "";
  const Implementation &row = implementationOf(tiling->implementation);
  const auto *attention = work.getIf<AttentionProblem>();
  if (attention && !runsDecodeKernel(model, work))
    return groupName(
        findAttentionSet(model.coefficients(), work, row.kind).member);
  std::optional<CoefficientGroup> group = row.mainGroup();
  return group ? llvm::StringRef(groupName(*group)) : "";
}
