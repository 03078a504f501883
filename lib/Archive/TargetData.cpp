//===- TargetData.cpp - Targets without MLIR ------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Archive/TargetData.h"
#include "gpucost/Archive/ByteStream.h"
#include "gpucost/Archive/RecordIo.h"
#include "gpucost/Archive/Schema.h"
#include "gpucost/Archive/TargetNames.h"
#include "gpucost/Archive/ValueTable.h"
#include "gpucost/Model/Validation.h"
#include "gpucost/Support/Text.h"
#include <algorithm>
#include <map>

using namespace gpucost;

namespace {
struct CoefficientTable {
  std::string_view name, lines;
};
} // namespace

#include "CompiledTables.inc"

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

template <typename Sink>
static void writeTarget(Sink &sink, const CompiledTarget &target) {
  writeRecord(sink, target.gpu);
  writeField(sink, "default_format", target.defaultFormat);
  writeField(sink, "aliases", target.aliases);
  writeField(sink, "coefficients_from", target.coefficientsName);
  writeField(sink, "transferred_from", target.transferredFrom);
}

static CompiledTarget readTarget(std::string_view lines) {
  CompiledTarget target;
  TableReader source(lines);
  readRecord(source, target.gpu);
  readField(source, "default_format", target.defaultFormat);
  readField(source, "aliases", target.aliases);
  readField(source, "coefficients_from", target.coefficientsName);
  readField(source, "transferred_from", target.transferredFrom);
  assert(source.complete() && "tables and records differ: update_tables.py");
  return target;
}

const std::vector<CompiledTarget> &gpucost::compiledTargets() {
  static const std::vector<CompiledTarget> all = [] {
    std::vector<CompiledTarget> targets;
    for (std::string_view lines : targetTables)
      targets.push_back(readTarget(lines));
    return targets;
  }();
  return all;
}

const std::vector<std::string> &gpucost::compiledCoefficientNames() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> names;
    for (const CoefficientTable &table : coefficientTables)
      names.emplace_back(table.name);
    return names;
  }();
  return all;
}

static Coefficients readCoefficients(const CoefficientTable &table) {
  Coefficients set;
  TableReader source(table.lines);
  readRecord(source, set);
  assert(source.complete() && "tables and records differ: update_tables.py");
  return set;
}

static const Coefficients &sharedCoefficients() {
  static const Coefficients shared = [] {
    for (const CoefficientTable &table : coefficientTables)
      if (table.name == "shared")
        return readCoefficients(table);
    return Coefficients();
  }();
  return shared;
}

void gpucost::completeCoefficients(Coefficients &coefficients) {
  completeWith(coefficients, sharedCoefficients());
}

bool gpucost::isComplete(const Coefficients &coefficients) {
  static const GroupSet needed = presentGroups(sharedCoefficients());
  return (needed & ~presentGroups(coefficients)).none();
}

const Coefficients *gpucost::findCompiledCoefficients(std::string_view name) {
  static const std::map<std::string_view, Coefficients> all = [] {
    std::map<std::string_view, Coefficients> sets;
    for (const CoefficientTable &table : coefficientTables)
      completeCoefficients(sets[table.name] = readCoefficients(table));
    return sets;
  }();
  auto found = all.find(name);
  return found == all.end() ? nullptr : &found->second;
}

std::optional<Coefficients>
gpucost::coefficientsOf(const CompiledTarget &target) {
  const Coefficients *set = findCompiledCoefficients(target.coefficientsName);
  if (!set)
    return std::nullopt;
  if (target.transferredFrom.empty())
    return *set;
  const std::vector<CompiledTarget> &all = compiledTargets();
  auto measured =
      std::find_if(all.begin(), all.end(), [&](const CompiledTarget &other) {
        return other.gpu.name == target.coefficientsName;
      });
  if (measured == all.end())
    return std::nullopt;
  return transferTo(target.gpu, measured->gpu, *set, target.transferredFrom);
}

uint64_t gpucost::compiledDataHash() {
  uint64_t hash = stableHash({});
  for (std::string_view lines : targetTables)
    hash = stableHash(lines, hash);
  for (const CoefficientTable &table : coefficientTables)
    hash = stableHash(table.lines, stableHash(table.name, hash));
  return hash;
}

Expected<std::pair<size_t, NumericFormat>>
gpucost::findCompiledTarget(std::string_view spec) {
  std::vector<TargetNames> names;
  for (const CompiledTarget &target : compiledTargets())
    names.push_back(
        {target.gpu.name, {target.aliases.begin(), target.aliases.end()}});
  auto match = matchTarget(names, spec);
  if (!match)
    return fail(match.error());
  const CompiledTarget &target = compiledTargets()[match->index];
  bool isKnown = match->formatName.empty() || match->format;
  if (!isKnown || (match->format && !target.gpu.find(*match->format)))
    return fail(unknownFormat(target.gpu, match->formatName));
  return std::pair(match->index, match->format.value_or(target.defaultFormat));
}

static std::string rawString(std::string_view lines) {
  return concat("R\"table(", lines, ")table\"");
}

std::string gpucost::writeTables(
    const std::vector<CompiledTarget> &targets,
    const std::vector<std::pair<std::string, Coefficients>> &sets) {
  std::string text =
      "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"
      "// Generated by utils/update_tables.py from targets/ and\n"
      "// calibration/coefficients/; do not edit. One value a line, in the "
      "order of\n"
      "// Model/Gpu.def and Model/Coefficients.def.\n\n"
      "static constexpr std::string_view targetTables[] = {\n";
  for (const CompiledTarget &target : targets) {
    TableWriter sink;
    writeTarget(sink, target);
    text += rawString(sink.lines()) + ",\n";
  }
  text += "};\n\nstatic constexpr CoefficientTable coefficientTables[] = {\n";
  for (const auto &[name, set] : sets) {
    TableWriter sink;
    writeRecord(sink, set);
    text += concat("{\"", name, "\", ", rawString(sink.lines()), "},\n");
  }
  return text + "};\n";
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

static Envelope targetEnvelope() {
  static const uint32_t version =
      archiveVersion(1, schemaOf<Gpu>() + schemaOf<Coefficients>());
  return {"GCT\n", "target of gpu-cost-opt in bytes", version};
}

std::string gpucost::encodeTarget(const TargetData &target) {
  ByteWriter sink;
  writeField(sink, "gpu", target.gpu);
  writeField(sink, "default_format", target.defaultFormat);
  writeField(sink, "aliases", target.aliases);
  writeField(sink, "coefficients_from", target.coefficientsName);
  writeRecord(sink, target.coefficients);
  return seal(targetEnvelope(), sink.bytes());
}

Expected<TargetData> gpucost::decodeTarget(std::string_view bytes) {
  Expected<std::string_view> payload = unseal(targetEnvelope(), bytes);
  if (!payload)
    return fail(payload.error());
  TargetData target;
  ByteReader source(*payload);
  readField(source, "gpu", target.gpu);
  readField(source, "default_format", target.defaultFormat);
  readField(source, "aliases", target.aliases);
  readField(source, "coefficients_from", target.coefficientsName);
  readRecord(source, target.coefficients);
  if (!source.complete())
    return fail(concat("a target in bytes whose '",
                       source.good() ? "end" : source.faultyKeyword(),
                       "' is wrong"));
  std::string fault = target.gpu ? findFault(*target.gpu) : std::string();
  if (fault.empty())
    fault = findFault(target.coefficients);
  if (fault.empty() && target.gpu && !target.gpu->find(target.defaultFormat))
    fault = unknownFormat(*target.gpu,
                          stringifyNumericFormat(target.defaultFormat));
  if (!fault.empty())
    return fail(fault);
  return target;
}
