//===- Space.cpp - Many scenarios, as lists and ranges of settings --------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Sweep/Space.h"
#include "gpucost/Compiler/Support/CheckScenario.h"
#include "gpucost/Compiler/Support/Json.h"
#include "gpucost/Core/Scenario/SettingRow.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"

using namespace gpucost;
using namespace gpucost::sweep;
using llvm::StringRef;
namespace json = llvm::json;

static SettingEffect effectOf(StringRef flag) {
  SettingEffect effect = SettingEffect::Evaluation;
  visitSetting(flag, [&](const auto &row) { effect = row.affects; });
  return effect;
}

/// The name of a flag, whatever it is called.
static std::string nameOf(StringRef flag) {
  std::string name = flag.str();
  visitSetting(flag, [&](const auto &row) { name = std::string(row.flag); });
  return name;
}

/// Adds the settings of `other`. Unlike `stateAll`, it keeps both a target and
/// a target file: the values of a space belong together.
static void stateToo(Scenario &scenario, const Scenario &other) {
  forEachSetting([&](const auto &row) {
    if (other.*row.stated)
      scenario.*row.stated = other.*row.stated;
  });
}

llvm::Expected<Space> Space::create(std::vector<std::string> models,
                                    llvm::ArrayRef<AxisText> settings) {
  Space space;
  llvm::StringSet<> known;
  for (const std::string &model : models)
    if (!known.insert(model).second)
      return llvm::createStringError("the model '" + model +
                                     "' is given twice");
  space.modelFiles = std::move(models);
  known.clear();
  for (const AxisText &setting : settings) {
    std::string flag = nameOf(setting.flag);
    if (!known.insert(flag).second)
      return llvm::createStringError("--" + flag + " is stated twice");
    llvm::Expected<std::vector<std::string>> texts =
        expandValues(flag, setting.texts);
    if (!texts)
      return texts.takeError();
    Axis axis{flag, effectOf(flag), std::move(*texts), {}};
    for (const std::string &text : axis.texts) {
      Scenario value;
      if (text != "default")
        if (llvm::Error error = state(value, flag, text))
          return std::move(error);
      axis.values.push_back(std::move(value));
    }
    if (axis.values.size() == 1)
      stateToo(space.base, axis.values.front());
    else
      space.settingAxes.push_back(std::move(axis));
  }
  // In the order of Settings.def within an effect, whatever the order of flags.
  std::vector<std::string> order;
  forEachSetting(
      [&](const auto &row) { order.push_back(std::string(row.flag)); });
  auto rank = [&](const Axis &axis) {
    return std::pair(axis.affects,
                     llvm::find(order, axis.flag) - order.begin());
  };
  llvm::sort(space.settingAxes,
             [&](const Axis &a, const Axis &b) { return rank(a) < rank(b); });
  space.points = static_cast<int64_t>(space.modelFiles.size());
  for (const Axis &axis : space.settingAxes) {
    auto count = static_cast<int64_t>(axis.values.size());
    space.points = saturatingProduct(space.points, count);
    if (axis.affects == SettingEffect::Evaluation)
      space.operations = saturatingProduct(space.operations, count);
  }
  if (space.points > mostPoints)
    return llvm::createStringError("more than " + llvm::Twine(mostPoints) +
                                   " points; take fewer values");
  return space;
}

const Axis *Space::findAxis(StringRef flag) const {
  auto it = llvm::find_if(settingAxes,
                          [&](const Axis &axis) { return axis.flag == flag; });
  return it == settingAxes.end() ? nullptr : &*it;
}

std::vector<size_t> Space::valuesOf(int64_t point) const {
  std::vector<size_t> indices(settingAxes.size());
  for (size_t i = settingAxes.size(); i-- > 0;) {
    auto count = static_cast<int64_t>(settingAxes[i].values.size());
    indices[i] = static_cast<size_t>(point % count);
    point /= count;
  }
  return indices;
}

int64_t Space::firstWith(const Axis &axis, size_t value) const {
  int64_t inner = 1;
  for (size_t i = settingAxes.size(); &settingAxes[i - 1] != &axis; --i)
    inner *= static_cast<int64_t>(settingAxes[i - 1].values.size());
  return inner * static_cast<int64_t>(value);
}

size_t Space::modelOf(int64_t block) const {
  int64_t perModel = blocks() / static_cast<int64_t>(modelFiles.size());
  return static_cast<size_t>(block / perModel);
}

Scenario Space::scenarioOfBlock(int64_t block) const {
  Scenario scenario = base;
  std::vector<size_t> indices = valuesOf(block * operations);
  for (auto [axis, index] : llvm::zip(settingAxes, indices))
    if (axis.affects != SettingEffect::Evaluation)
      stateToo(scenario, axis.values[index]);
  return scenario;
}

void Space::stateOperation(Scenario &scenario, int64_t operation) const {
  std::vector<size_t> indices = valuesOf(operation);
  for (auto [axis, index] : llvm::zip(settingAxes, indices))
    if (axis.affects == SettingEffect::Evaluation)
      stateToo(scenario, axis.values[index]);
}

Scenario Space::scenarioOf(int64_t point) const {
  Scenario scenario = scenarioOfBlock(point / operations);
  stateOperation(scenario, point % operations);
  return scenario;
}

std::string Space::describe() const {
  // As JSON, whose quotes keep names and values apart.
  std::string text;
  llvm::raw_string_ostream os(text);
  json::OStream j(os);
  auto write = [&](StringRef value) {
    j.value(json::isUTF8(value) ? value.str() : json::fixUTF8(value));
  };
  j.array([&] {
    j.value(static_cast<int64_t>(modelFiles.size()));
    forEachSetting([&](const auto &row) {
      if (const auto &value = base.*row.stated)
        j.array([&] {
          write(row.flag);
          write(toText(*value, row.spec));
        });
    });
    for (const Axis &axis : settingAxes)
      j.array([&] {
        write(axis.flag);
        llvm::for_each(axis.texts, write);
      });
  });
  return text;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// A value as the flag takes it; nullopt for objects and null.
static std::optional<std::string> textOf(const json::Value &value) {
  if (std::optional<StringRef> text = value.getAsString())
    return text->str();
  if (std::optional<bool> flag = value.getAsBoolean())
    return *flag ? "true" : "false";
  if (std::optional<int64_t> whole = value.getAsInteger())
    return std::to_string(*whole);
  if (std::optional<double> number = value.getAsNumber())
    return numberText(*number, ValueSpec());
  return std::nullopt;
}

static llvm::Expected<std::vector<std::string>>
textsOf(StringRef name, const json::Value &value) {
  std::vector<std::string> texts;
  json::Array one{value};
  const json::Array *array = value.getAsArray();
  for (const json::Value &item : array ? *array : one) {
    std::optional<std::string> text = textOf(item);
    if (!text)
      return llvm::createStringError(
          "'" + name + "' expects a value, or an array of values");
    texts.push_back(std::move(*text));
  }
  return texts;
}

llvm::Expected<SpaceText> sweep::readSpaceFile(StringRef text) {
  llvm::Expected<json::Value> root = parseJson(text);
  if (!root)
    return root.takeError();
  const json::Object *object = root->getAsObject();
  if (!object)
    return llvm::createStringError(
        "expected a JSON object with 'models' and 'settings'");
  SpaceText space;
  for (const auto &[key, value] : *object) {
    StringRef name = key;
    if (name == "models") {
      llvm::Expected<std::vector<std::string>> models = textsOf(name, value);
      if (!models)
        return models.takeError();
      space.models = std::move(*models);
    } else if (name != "settings" || !value.getAsObject()) {
      return llvm::createStringError("expected 'models' and an object "
                                     "'settings', but got '" +
                                     name + "'");
    }
  }
  const json::Object *settings = object->getObject("settings");
  if (!settings)
    return space;
  for (const auto &[key, value] : *settings) {
    llvm::Expected<std::vector<std::string>> texts =
        textsOf(StringRef(key), value);
    if (!texts)
      return texts.takeError();
    space.settings.push_back({key.str(), std::move(*texts)});
  }
  // The order of names: the first error is always the same.
  llvm::sort(space.settings, [](const AxisText &a, const AxisText &b) {
    return a.flag < b.flag;
  });
  return space;
}
