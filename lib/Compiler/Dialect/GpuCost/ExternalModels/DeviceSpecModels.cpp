//===- DeviceSpecModels.cpp - GPUs as DLTI devices ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Dialect/GpuCost/ExternalModels/DeviceSpecModels.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuAttrs.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "gpucost/Core/Model/Gpu.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/IR/Builders.h"
#include <cmath>

using namespace mlir;
using namespace gpucost;

/// A field as an MLIR attribute; null for lists and fields that are not set.
template <typename T>
static Attribute toAttribute(Builder &builder, const T &value) {
  if constexpr (std::is_same_v<T, bool>)
    return builder.getBoolAttr(value);
  else if constexpr (std::is_integral_v<T>)
    return builder.getI64IntegerAttr(value);
  else if constexpr (std::is_same_v<T, std::string>)
    return builder.getStringAttr(value);
  else if constexpr (std::is_enum_v<T>)
    return builder.getStringAttr(stringifyEnum(value));
  else if constexpr (IsNumber<T>::value) {
    // Integers are easier to compare in scripts.
    double number = numberOf(value);
    if (number == std::floor(number) && std::fabs(number) < 9e15)
      return builder.getI64IntegerAttr(static_cast<int64_t>(number));
    return builder.getF64FloatAttr(number);
  } else
    return {};
}
template <typename T>
static Attribute toAttribute(Builder &builder, const std::optional<T> &value) {
  return value ? toAttribute(builder, *value) : Attribute();
}

/// The entries of a record; fields of a nested record are named "sm.registers".
template <typename Record>
static void addEntries(Builder &builder, const std::string &prefix,
                       const Record &record,
                       SmallVectorImpl<DataLayoutEntryInterface> &entries);

template <typename T>
static void addEntry(Builder &builder, const std::string &name, const T &value,
                     SmallVectorImpl<DataLayoutEntryInterface> &entries) {
  if constexpr (IsRecord<T>::value) {
    addEntries(builder, name + ".", value, entries);
  } else if (Attribute attr = toAttribute(builder, value)) {
    entries.push_back(
        DataLayoutEntryAttr::get(builder.getStringAttr(name), attr));
  }
}
template <typename T>
static void addEntry(Builder &builder, const std::string &name,
                     const std::optional<T> &value,
                     SmallVectorImpl<DataLayoutEntryInterface> &entries) {
  if (value)
    addEntry(builder, name, *value, entries);
}

template <typename Record>
static void addEntries(Builder &builder, const std::string &prefix,
                       const Record &record,
                       SmallVectorImpl<DataLayoutEntryInterface> &entries) {
  visitFields(record, [&](const FieldInfo &field, const auto &value) {
    addEntry(builder, prefix + std::string(field.keyword), value, entries);
  });
}

/// The name of a field in MLIR's words: compute unit for SM, workgroup for CTA.
static std::string neutralName(StringRef name) {
  std::string neutral = name.str();
  for (auto [from, to] :
       {std::pair("sms", "compute_units"), std::pair("sm.", "compute_unit."),
        std::pair("cta", "workgroup")})
    if (size_t at = neutral.find(from);
        at == 0 || (at != std::string::npos && neutral[at - 1] == '.'))
      neutral.replace(at, StringRef(from).size(), to);
  return neutral;
}

/// Adds the neutral name of each field that has another one.
static void
addNeutralNames(Builder &builder,
                SmallVectorImpl<DataLayoutEntryInterface> &entries) {
  for (size_t i = 0, end = entries.size(); i < end; ++i) {
    StringRef name = cast<StringAttr>(entries[i].getKey()).getValue();
    if (std::string neutral = neutralName(name); neutral != name)
      entries.push_back(DataLayoutEntryAttr::get(builder.getStringAttr(neutral),
                                                 entries[i].getValue()));
  }
}

/// All fields as a DLTI device, with storage that outlives the query.
static TargetDeviceSpecAttr asDeviceSpec(GpuAttr gpu) {
  Builder builder(gpu.getContext());
  SmallVector<DataLayoutEntryInterface> entries;
  addEntries(builder, "", gpu.getValue(), entries);
  addNeutralNames(builder, entries);
  return TargetDeviceSpecAttr::get(gpu.getContext(), entries);
}

namespace {
struct DeviceSpecModel
    : public TargetDeviceSpecInterface::ExternalModel<DeviceSpecModel,
                                                      GpuAttr> {
  DataLayoutEntryListRef getEntries(Attribute attr) const {
    return asDeviceSpec(cast<GpuAttr>(attr)).getEntries();
  }
  DataLayoutEntryInterface getSpecForIdentifier(Attribute attr,
                                                StringAttr identifier) const {
    return mlir::detail::filterEntryForIdentifier(getEntries(attr), identifier);
  }
  LogicalResult verifyEntry(Attribute, Location) const { return success(); }
};

struct QueryModel
    : public DLTIQueryInterface::ExternalModel<QueryModel, GpuAttr> {
  FailureOr<Attribute> query(Attribute attr, DataLayoutEntryKey key) const {
    return cast<TargetDeviceSpecInterface>(attr).queryHelper(key);
  }
};
} // namespace

void gpucost::registerDeviceSpecModels(DialectRegistry &registry) {
  registry.addExtension(
      +[](MLIRContext *context, GpuCostDialect *, DLTIDialect *) {
        GpuAttr::attachInterface<QueryModel, DeviceSpecModel>(*context);
      });
}
