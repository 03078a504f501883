//===- SettingsJson.cpp - Settings in reports and files -------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Support/SettingsJson.h"
#include "gpucost/Compiler/Support/CheckScenario.h"
#include "gpucost/Compiler/Support/Json.h"
#include "gpucost/Core/Scenario/SettingRow.h"
#include "llvm/ADT/StringSet.h"

using namespace gpucost;
using llvm::StringRef;
using llvm::Twine;
namespace json = llvm::json;

template <typename Row>
static llvm::Error refuseType(const Row &row, const json::Value &value) {
  using T = typename Row::Type;
  StringRef expected = std::is_same_v<T, NamedValues>
                           ? "an object of whole numbers"
                       : std::is_same_v<T, bool>    ? "true or false"
                       : std::is_same_v<T, int64_t> ? "a whole number"
                       : Row::isNumber              ? "a number"
                                                    : "a string";
  std::string got;
  llvm::raw_string_ostream(got) << value;
  return llvm::createStringError("setting '" + row.key() + "' expects " +
                                 expected + ", but got " + got);
}

/// The command-line form of a JSON value for the setting `row`; nullopt if the
/// value has another type.
template <typename Row>
static std::optional<std::string> textOf(const Row &row,
                                         const json::Value &value) {
  using T = typename Row::Type;
  if constexpr (std::is_same_v<T, bool>) {
    if (std::optional<bool> flag = value.getAsBoolean())
      return toText(*flag, row.spec);
  } else if constexpr (std::is_same_v<T, int64_t>) {
    if (std::optional<int64_t> number = value.getAsInteger())
      return toText(*number, row.spec);
  } else if constexpr (Row::isNumber) {
    if (std::optional<double> number = value.getAsNumber())
      return numberText(*number, ValueSpec());
  } else if (std::optional<StringRef> text = value.getAsString()) {
    return text->str();
  }
  return std::nullopt;
}

template <typename Row>
static llvm::Error readValue(const Row &row, const json::Value &value,
                             Scenario &scenario) {
  if constexpr (std::is_same_v<typename Row::Type, NamedValues>) {
    const json::Object *object = value.getAsObject();
    if (!object)
      return refuseType(row, value);
    NamedValues &values = (scenario.*row.stated).emplace();
    for (const auto &[name, number] : *object) {
      std::optional<int64_t> whole = number.getAsInteger();
      if (!whole)
        return refuseType(row, value);
      values[name.str()] = *whole;
    }
    return checkValues(scenario, std::nullopt);
  } else {
    std::optional<std::string> text = textOf(row, value);
    return text ? state(scenario, row.flag, *text) : refuseType(row, value);
  }
}

/// The names in `given`; nullopt if the object has no such member.
static llvm::Expected<std::optional<llvm::StringSet<>>>
readGiven(const json::Object &settings) {
  const json::Value *member = settings.get("given");
  if (!member)
    return std::nullopt;
  llvm::StringSet<> names;
  const json::Array *array = member->getAsArray();
  for (const json::Value &name : array ? *array : json::Array{nullptr}) {
    std::optional<StringRef> text = name.getAsString();
    if (!text)
      return llvm::createStringError(
          "'given' expects an array of setting names");
    if (!visitSetting(*text, [&](const auto &row) { names.insert(row.key()); }))
      return llvm::createStringError("unknown setting '" + *text +
                                     "' in 'given'");
  }
  return names;
}

llvm::Expected<RecordedSettings> gpucost::readSettings(StringRef text) {
  llvm::Expected<json::Value> root = parseJson(text);
  if (!root)
    return root.takeError();
  const json::Object *settings = root->getAsObject();
  if (settings)
    if (const json::Value *inner = settings->get("settings"))
      settings = inner->getAsObject();
  if (!settings)
    return llvm::createStringError("expected a JSON object of settings");
  auto given = readGiven(*settings);
  if (!given)
    return given.takeError();
  RecordedSettings recorded;
  // Sorted by name, so that the first error is deterministic.
  std::map<std::string, const json::Value *> members;
  for (const auto &[name, value] : *settings)
    members.emplace(name.str(), &value);
  for (const auto &member : members) {
    const std::string &name = member.first;
    const json::Value *value = member.second;
    if (name == "given")
      continue;
    llvm::Error error = llvm::Error::success();
    bool known = visitSetting(name, [&](const auto &row) {
      bool isGiven = !*given || (*given)->contains(row.key());
      if (!value->getAsNull())
        error = llvm::joinErrors(
            std::move(error),
            readValue(row, *value,
                      isGiven ? recorded.given : recorded.defaults));
    });
    if (!known)
      error = llvm::joinErrors(
          std::move(error),
          llvm::createStringError("unknown setting '" + name + "'"));
    if (error)
      return std::move(error);
  }
  return recorded;
}

Scenario gpucost::replay(const RecordedSettings &recorded,
                         const std::optional<ScenarioTarget> &target) {
  Scenario scenario = recorded.given;
  Settings now = resolve(scenario, target);
  forEachSetting([&](const auto &row) {
    const auto &before = recorded.defaults.*row.stated;
    const auto *value = row.valueIn(now);
    if (before && !(value && *value == *before))
      scenario.*row.stated = before;
  });
  return scenario;
}
