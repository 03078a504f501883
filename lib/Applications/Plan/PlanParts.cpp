//===- PlanParts.cpp - Parts of a search ----------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanParts.h"
#include "gpucost/Compiler/Support/Json.h"
#include "gpucost/Core/Scenario/SettingRow.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace gpucost;
using namespace gpucost::plan;
using namespace gpucost::sweep;
namespace json = llvm::json;

std::string plan::digestOf(const Space &space) {
  std::string text = flagsOf(space.common());
  for (const Axis &axis : space.axes())
    text += "\n" + axis.flag + "=" + llvm::join(axis.texts, ";");
  return llvm::utohexstr(llvm::xxh3_64bits(text));
}

namespace {

/// Visits the members of a plan in the order in which a row has them.
template <typename Result, typename Terms, typename Visit>
void visitMembers(Result &r, Terms &terms, Visit visit) {
  visit(r.point), visit(r.status), visit(r.reason), visit(r.gpu);
  visit(r.format), visit(r.time), visit(r.energy), visit(r.power);
  visit(r.errorBars), visit(r.isLowerBound), visit(r.correlation);
  visit(r.clock), visit(r.throttled), visit(r.mfu), visit(r.peakBytes);
  visit(r.deviceBytes), visit(r.memoryVerdict), visit(r.gpus);
  visit(r.samples), visit(r.tokens), visit(r.cost.time), visit(r.cost.energy);
  visit(r.cost.money), visit(r.cost.carbon), visit(r.iterations);
  visit(terms.computation), visit(terms.communication), visit(terms.waiting);
  visit(terms.transfers), visit(terms.update);
}

class RowWriter {
public:
  explicit RowWriter(json::Array &row) : row(row) {}

  void operator()(int64_t value) const { row.push_back(value); }
  void operator()(bool value) const { row.push_back(value); }
  void operator()(double value) const { row.push_back(value); }
  void operator()(const std::string &value) const { row.push_back(value); }
  template <typename Tag> void operator()(Quantity<Tag> value) const {
    row.push_back(value.value());
  }
  template <typename Enum, std::enable_if_t<std::is_enum_v<Enum>, int> = 0>
  void operator()(Enum value) const {
    row.push_back(std::string(stringifyEnum(value)));
  }
  template <typename T> void operator()(const std::optional<T> &value) const {
    if (value)
      (*this)(*value);
    else
      row.push_back(nullptr);
  }
  void operator()(const IterationErrorBars &bars) const {
    row.push_back(json::Array{bars.time, bars.power, bars.energy});
  }

private:
  json::Array &row;
};

/// Reads a row; `failed` once a value has another type.
class RowReader {
public:
  explicit RowReader(const json::Array &row) : row(row) {}

  void operator()(int64_t &value) { read(next().getAsInteger(), value); }
  void operator()(bool &value) { read(next().getAsBoolean(), value); }
  void operator()(double &value) { read(next().getAsNumber(), value); }
  void operator()(std::string &value) {
    if (std::optional<llvm::StringRef> text = next().getAsString())
      value = text->str();
    else
      failed = true;
  }
  template <typename Tag> void operator()(Quantity<Tag> &value) {
    double number = 0;
    (*this)(number);
    value = Quantity<Tag>(number);
  }
  template <typename Enum, std::enable_if_t<std::is_enum_v<Enum>, int> = 0>
  void operator()(Enum &value) {
    std::string name;
    (*this)(name);
    for (const EnumCase<Enum> &each : EnumTraits<Enum>::cases)
      if (each.name == name) {
        value = each.value;
        return;
      }
    failed = true;
  }
  template <typename T> void operator()(std::optional<T> &value) {
    if (position < row.size() && row[position].getAsNull()) {
      ++position;
      value.reset();
      return;
    }
    (*this)(value.emplace());
  }
  void operator()(IterationErrorBars &bars) {
    const json::Array *list = next().getAsArray();
    if (!list || list->size() != 3) {
      failed = true;
      return;
    }
    RowReader inner(*list);
    inner(bars.time), inner(bars.power), inner(bars.energy);
    failed |= inner.failed;
  }

  bool isComplete() const { return !failed && position == row.size(); }

private:
  const json::Value &next() {
    static const json::Value none(nullptr);
    if (position < row.size())
      return row[position++];
    failed = true;
    return none;
  }
  template <typename T> void read(std::optional<T> found, T &value) {
    failed |= !found;
    value = found.value_or(T());
  }

  const json::Array &row;
  size_t position = 0;
  bool failed = false;
};

} // namespace

std::string plan::writePart(llvm::StringRef digest, const PlanPart &part,
                            llvm::ArrayRef<PlanCost> costs) {
  std::string text;
  llvm::raw_string_ostream os(text);
  json::OStream j(os);
  j.object([&] {
    j.attribute("plan_part", part.index);
    j.attribute("parts", part.count);
    j.attribute("search", digest);
    j.attributeArray("plans", [&] {
      for (const PlanCost &cost : costs) {
        json::Array row;
        visitMembers(cost.result, cost.terms, RowWriter(row));
        j.value(json::Value(std::move(row)));
      }
    });
  });
  os << '\n';
  return text;
}

llvm::Expected<std::vector<PlanCost>>
plan::readParts(const Space &space, llvm::ArrayRef<std::string> texts) {
  std::string digest = digestOf(space);
  std::vector<PlanCost> costs;
  std::vector<bool> known(texts.size());
  for (const std::string &text : texts) {
    llvm::Expected<json::Value> value = parseJson(text);
    if (!value)
      return value.takeError();
    const json::Object *object = value->getAsObject();
    const json::Array *plans = object ? object->getArray("plans") : nullptr;
    std::optional<int64_t> index, count;
    if (object) {
      index = object->getInteger("plan_part");
      count = object->getInteger("parts");
    }
    if (!plans || !index || !count)
      return llvm::createStringError(
          "--parts expects files that plan --shard wrote");
    if (object->getString("search") != digest)
      return llvm::createStringError(
          "--parts: part " + llvm::Twine(*index) +
          " is of another search; state the same settings");
    if (*count != static_cast<int64_t>(texts.size()) || *index < 1 ||
        *index > *count || known[static_cast<size_t>(*index - 1)])
      return llvm::createStringError(
          "--parts expects each part of a search once: got " +
          llvm::Twine(texts.size()) + " files, and part " +
          llvm::Twine(*index) + " of " + llvm::Twine(*count));
    known[static_cast<size_t>(*index - 1)] = true;
    for (const json::Value &row : *plans) {
      PlanCost cost;
      const json::Array *list = row.getAsArray();
      static const json::Array none;
      RowReader reader(list ? *list : none);
      visitMembers(cost.result, cost.terms,
                   [&](auto &member) { reader(member); });
      const PointResult &result = cost.result;
      bool isPlan = result.point >= 0 && result.point < space.size() &&
                    result.gpus > 0 &&
                    (!result.isFeasible() || result.time > Seconds(0));
      if (!reader.isComplete() || !isPlan)
        return llvm::createStringError(
            "--parts: part " + llvm::Twine(*index) +
            " is damaged, or of another version of the tool");
      costs.push_back(std::move(cost));
    }
  }
  llvm::sort(costs, [](const PlanCost &a, const PlanCost &b) {
    return a.result.point < b.result.point;
  });
  return costs;
}
