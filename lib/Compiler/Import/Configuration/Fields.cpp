//===- Fields.cpp - Fields of a configuration -----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fields.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <cmath>

using namespace gpucost::configuration;
using llvm::StringRef;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

/// `text`, short enough for a diagnostic.
static std::string shortened(std::string text) {
  constexpr size_t longest = 60;
  if (text.size() > longest)
    text = text.substr(0, longest) + "...";
  return text;
}

static std::string print(const json::Value &value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return shortened(text);
}

const json::Value *Fields::find(StringRef name) const {
  read.insert(name);
  const json::Value *value = object.get(name);
  if (value && value->kind() != json::Value::Null)
    return value;
  for (StringRef nested : {"rope_parameters", "rope_scaling"})
    if (name.starts_with("partial_rotary"))
      if (const json::Object *rope = object.getObject(nested))
        if (const json::Value *inner = rope->get(name))
          return inner;
  return nullptr;
}

void Fields::fail(const llvm::Twine &message) {
  if (fault.empty())
    fault = message.str();
}

llvm::Error Fields::takeError() const {
  return fault.empty() ? llvm::Error::success()
                       : llvm::createStringError(fault);
}

double Fields::number(StringRef name) {
  const json::Value *value = find(name);
  if (!value) {
    fail("field '" + name + "' is missing");
    return 1;
  }
  if (std::optional<bool> truth = value->getAsBoolean())
    return *truth ? 1 : 0;
  std::optional<double> number = value->getAsNumber();
  if (!number || !std::isfinite(*number) || *number < 0 ||
      *number > double(largestSize)) {
    fail("field '" + name + "': expected a number from 0 to " +
         llvm::Twine(largestSize) + ", but got " + print(*value));
    return 1;
  }
  return *number;
}

bool Fields::flag(StringRef name, bool initial) {
  const json::Value *value = find(name);
  if (!value)
    return initial;
  if (std::optional<bool> truth = value->getAsBoolean())
    return *truth;
  fail("field '" + name + "': expected true or false, but got " +
       print(*value));
  return initial;
}

std::string Fields::text(StringRef name, StringRef initial) {
  const json::Value *value = find(name);
  if (!value)
    return initial.str();
  if (std::optional<StringRef> text = value->getAsString())
    return text->str();
  fail("field '" + name + "': expected text, but got " + print(*value));
  return initial.str();
}

std::vector<std::string> Fields::list(StringRef name) {
  std::vector<std::string> words;
  const json::Value *value = find(name);
  if (!value)
    return words;
  const json::Array *array = value->getAsArray();
  if (!array) {
    fail("field '" + name + "': expected a list, but got " + print(*value));
    return words;
  }
  for (const json::Value &element : *array) {
    if (std::optional<StringRef> text = element.getAsString())
      words.push_back(text->str());
    else if (std::optional<int64_t> number = element.getAsInteger())
      words.push_back(std::to_string(*number));
    else
      fail("field '" + name + "': expected words or integers, but got " +
           print(element));
  }
  return words;
}

const json::Object *Fields::nested(StringRef name) {
  const json::Value *value = find(name);
  if (!value)
    return nullptr;
  if (const json::Object *object = value->getAsObject())
    return object;
  fail("field '" + name + "': expected an object, but got " + print(*value));
  return nullptr;
}

bool Fields::isText(StringRef name) const {
  const json::Value *value = find(name);
  return value && value->getAsString();
}

static bool isEmpty(const json::Value &value) {
  if (std::optional<bool> truth = value.getAsBoolean())
    return !*truth;
  if (std::optional<double> number = value.getAsNumber())
    return *number == 0;
  if (std::optional<StringRef> text = value.getAsString())
    return text->empty();
  if (const json::Array *array = value.getAsArray())
    return array->empty();
  if (const json::Object *object = value.getAsObject())
    return object->empty();
  return true;
}

bool Fields::isTruthy(StringRef name) const {
  const json::Value *value = find(name);
  return value && !isEmpty(*value);
}

std::vector<std::string> Fields::unread() const {
  std::vector<std::string> names;
  for (const auto &member : object)
    if (!read.contains(StringRef(member.first)) && !isEmpty(member.second))
      names.push_back(shortened(StringRef(member.first).str()));
  std::sort(names.begin(), names.end());
  return names;
}

//===----------------------------------------------------------------------===//
// Properties
//===----------------------------------------------------------------------===//

namespace {
struct FamilyRow {
  llvm::StringLiteral name, like, properties;
};
} // namespace

static constexpr FamilyRow families[] = {
#define MODEL_TYPE(name, like, properties) {name, like, properties},
#include "Families.def"
};

/// Levels of properties that refer to each other: a row with a cycle is ours.
[[maybe_unused]] static constexpr unsigned deepestProperty = 32;

static const FamilyRow *findFamily(StringRef name) {
  const auto *found = llvm::find_if(
      families, [&](const FamilyRow &row) { return row.name == name; });
  return found == std::end(families) ? nullptr : found;
}

static bool isRoot(StringRef name) {
  return name == "decoder" || name == "encoder";
}

std::vector<StringRef> gpucost::configuration::modelTypes() {
  std::vector<StringRef> names;
  for (const FamilyRow &row : families)
    if (!isRoot(row.name))
      names.push_back(row.name);
  llvm::sort(names);
  return names;
}

Properties::Properties(StringRef modelType, Fields &fields) : fields(fields) {
  const FamilyRow *row = isRoot(modelType) ? nullptr : findFamily(modelType);
  if (!row) {
    fields.fail("model type '" + llvm::Twine(shortened(modelType.str())) +
                "' is not supported; expected one of " +
                llvm::join(modelTypes(), ", "));
    row = findFamily("llama");
  }
  for (; row; row = findFamily(row->like)) {
    llvm::SmallVector<StringRef> words;
    row->properties.split(words, ' ', -1, /*KeepEmpty=*/false);
    for (StringRef word : words) {
      auto [name, value] = word.split('=');
      rows.try_emplace(name, value.str());
    }
  }
}

StringRef Properties::resolve(StringRef property) {
  auto it = rows.find(property);
  assert(it != rows.end() && "a property that no row states");
  StringRef text = it->second;
  while (text.consume_front("?")) {
    auto [condition, branches] = text.split(':');
    auto [yes, no] = branches.split(':');
    text = flag(condition) ? yes : no;
  }
  // A word may be another property, such as the order of falcon.
  if (text != property && rows.count(text))
    return resolve(text);
  return text;
}

std::string Properties::fieldOf(StringRef property) {
  llvm::SmallVector<StringRef> alternatives;
  resolve(property).split(alternatives, '|');
  for (StringRef field : alternatives)
    if (field.consume_front("@") && fields.has(field))
      return field.str();
  return "";
}

bool Properties::isGiven(StringRef product) const {
  llvm::SmallVector<StringRef> terms;
  llvm::SplitString(product, terms, "*/");
  return llvm::all_of(terms, [&](StringRef term) {
    return !term.consume_front("@") || fields.has(term);
  });
}

double Properties::evaluateTerm(StringRef term, bool isExact, unsigned depth) {
  if (term.consume_front("@"))
    return fields.number(term);
  double number = 0;
  if (llvm::to_float(term, number))
    return number;
  return evaluate(term, isExact, depth + 1);
}

double Properties::evaluate(StringRef property, bool isExact, unsigned depth) {
  assert(depth < deepestProperty && "properties refer to each other in a ring");
  StringRef text = rows.count(property) ? resolve(property) : property;
  llvm::SmallVector<StringRef> alternatives;
  text.split(alternatives, '|');
  StringRef chosen = alternatives.front();
  for (StringRef each : alternatives)
    if (isGiven(each)) {
      chosen = each;
      break;
    }
  size_t end = chosen.find_first_of("*/");
  double value = evaluateTerm(chosen.take_front(end), isExact, depth);
  while (end != StringRef::npos) {
    bool divides = chosen[end] == '/';
    chosen = chosen.drop_front(end + 1);
    end = chosen.find_first_of("*/");
    double next = evaluateTerm(chosen.take_front(end), isExact, depth);
    if (!divides) {
      value *= next;
      continue;
    }
    if (next == 0 || (isExact && std::fmod(value, next) != 0)) {
      fields.fail("'" + property +
                  "' cannot be computed: " + llvm::Twine(int64_t(value)) +
                  " is not a multiple of " + llvm::Twine(int64_t(next)));
      return 1;
    }
    value = std::floor(value / next);
  }
  return value;
}

int64_t Properties::size(StringRef property, int64_t least) {
  double value = evaluate(property, /*isExact=*/true);
  if (property == "rotary_dims")
    value = std::floor(value);
  if (value != std::floor(value) || value < double(least) ||
      value > double(largestSize)) {
    // The field itself, where the property is one.
    StringRef text = resolve(property);
    StringRef name = text.starts_with("@")
                         ? text.drop_front().take_until([](char c) {
                             return c == '|' || c == '*' || c == '/';
                           })
                         : property;
    if (fields.has(name) || name == property)
      fields.fail(
          (name == property ? "'" + name + "'" : "field '" + name + "'") +
          ": expected an integer from " + llvm::Twine(least) + " to " +
          llvm::Twine(largestSize) + ", but got " + print(json::Value(value)));
    return std::max<int64_t>(least, 1);
  }
  return int64_t(value);
}

bool Properties::flag(StringRef property) {
  return rows.count(property) && evaluate(property, /*isExact=*/false) != 0;
}

std::string Properties::word(StringRef property) {
  llvm::SmallVector<StringRef> alternatives;
  resolve(property).split(alternatives, '|');
  for (StringRef each : alternatives) {
    if (!each.consume_front("@"))
      return each.str();
    if (!fields.has(each))
      continue;
    if (property == "act")
      return fields.text(each);
    // A period, or one letter per layer of it: "LLLG".
    return std::to_string(fields.isText(each) ? fields.text(each).size()
                                              : int64_t(fields.number(each)));
  }
  return "";
}
