//===- TargetData.cpp - Targets without MLIR ------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Targets/TargetData.h"
#include "gpucost/Core/Bytes/ByteStream.h"
#include "gpucost/Core/Bytes/RecordIo.h"
#include "gpucost/Core/Bytes/Schema.h"
#include "gpucost/Core/Model/Validation.h"
#include "gpucost/Core/Support/Text.h"
#include "gpucost/Core/Targets/TargetNames.h"
#include "gpucost/Core/Vocabulary/Vendors.h"
#include <algorithm>
#include <atomic>
#include <cassert>
#include <iterator>
#include <memory>
#include <mutex>

using namespace gpucost;

//===----------------------------------------------------------------------===//
// Compiled-in files
//===----------------------------------------------------------------------===//

/// The set that supplies groups missing from other sets.
static constexpr std::string_view shared = "shared";

/// The set in `data`, with the groups that only the set of
/// `gpucost.coefficients_from` has, as they transfer to the board.
static Expected<Coefficients> ownSet(const DataFile &data,
                                     std::string_view file);

namespace {
/// The contents of embedded files, each parsed once.
class ParsedFiles {
public:
  ParsedFiles(Span<EmbeddedFile> files, std::string_view folder)
      : files(files), folder(folder), entries(new Entry[files.size()]) {}

  const DataFile &get(size_t index) {
    Entry &entry = entries[index];
    std::call_once(entry.isParsed, [&] {
      const EmbeddedFile &file = files.begin()[index];
      entry.data = cantFail(
          parseDataFile(file.content, concat(folder, "/", file.name, ".mlir")));
    });
    return entry.data;
  }
  /// The number of files if none has that name.
  size_t find(std::string_view name) const {
    return static_cast<size_t>(std::find_if(files.begin(), files.end(),
                                            [&](const EmbeddedFile &file) {
                                              return file.name == name;
                                            }) -
                               files.begin());
  }
  size_t size() const { return files.size(); }

private:
  struct Entry {
    std::once_flag isParsed;
    DataFile data;
  };
  Span<EmbeddedFile> files;
  std::string_view folder;
  std::unique_ptr<Entry[]> entries;
};

/// The complete sets of coefficients, each read once: from bytes, or from its
/// text in the program that makes the bytes.
class LoadedSets {
public:
  const Coefficients &get(size_t index) {
    Entry &entry = entries[index];
    std::call_once(entry.isRead, [&] {
      const EmbeddedFile &file = embeddedCoefficients().begin()[index];
      entry.set = compiledSets().empty()
                      ? parse(file)
                      : decode(compiledSets().begin()[index]);
      if (file.name != shared)
        completeCoefficients(entry.set);
      entry.isLoaded.store(true, std::memory_order_release);
    });
    return entry.set;
  }
  /// The set as bytes, without the groups of `shared`.
  static std::string encode(const EmbeddedFile &file) {
    ByteWriter sink;
    writeRecord(sink, parse(file));
    return sink.bytes();
  }
  /// Null if none that was read is equal to `coefficients`.
  const CompiledSet *findEqual(const Coefficients &coefficients) const {
    for (size_t i = 0; i < compiledSets().size(); ++i)
      if (entries[i].isLoaded.load(std::memory_order_acquire) &&
          entries[i].set == coefficients)
        return compiledSets().begin() + i;
    return nullptr;
  }

private:
  static Coefficients parse(const EmbeddedFile &file) {
    DataFile data = cantFail(parseDataFile(
        file.content, concat("targets/coefficients/", file.name, ".mlir")));
    return cantFail(ownSet(data, file.name));
  }
  static Coefficients decode(const CompiledSet &compiled) {
    Coefficients set;
    ByteReader source(compiled.bytes);
    readRecord(source, set);
    assert(source.complete() && "the build made other bytes");
    return set;
  }

  struct Entry {
    std::once_flag isRead;
    std::atomic<bool> isLoaded = false;
    Coefficients set;
  };
  std::unique_ptr<Entry[]> entries{new Entry[embeddedCoefficients().size()]};
};
} // namespace

static ParsedFiles &targetFiles() {
  static ParsedFiles files(embeddedTargets(), "targets");
  return files;
}
static ParsedFiles &networkFiles() {
  static ParsedFiles files(embeddedNetworks(), "networks");
  return files;
}
static LoadedSets &loadedSets() {
  static LoadedSets sets;
  return sets;
}

const DataFile &gpucost::compiledTarget(size_t index) {
  return targetFiles().get(index);
}

const DataFile &gpucost::compiledNetwork(size_t index) {
  return networkFiles().get(index);
}

Expected<const DataFile *> gpucost::findCompiledNetwork(std::string_view name) {
  std::vector<std::string_view> names;
  for (size_t i = 0; i < embeddedNetworks().size(); ++i) {
    const EmbeddedFile &file = embeddedNetworks().begin()[i];
    std::vector<std::string_view> own = scanAliases(file.content);
    own.insert(own.begin(), file.name);
    for (std::string_view each : own)
      if (isSameWord(each, name))
        return &compiledNetwork(i);
    names.insert(names.end(), own.begin(), own.end());
  }
  return fail(concat("unknown network '", name, "'; ",
                     suggestNames(names, toLower(name)),
                     "'--list-networks' shows all"));
}

const Coefficients *gpucost::findCompiledCoefficients(std::string_view name) {
  for (size_t i = 0; i < embeddedCoefficients().size(); ++i)
    if (embeddedCoefficients().begin()[i].name == name)
      return &loadedSets().get(i);
  return nullptr;
}

const CompiledSet *gpucost::findCompiledSet(const Coefficients &coefficients) {
  return loadedSets().findEqual(coefficients);
}

std::string gpucost::encodeCompiledSet(const EmbeddedFile &file) {
  return LoadedSets::encode(file);
}

void gpucost::completeCoefficients(Coefficients &coefficients) {
  completeWith(coefficients, *findCompiledCoefficients(shared));
}

bool gpucost::addLargeNodes(std::string_view name,
                            CollectiveCoefficients &links) {
  auto isLarge = [](const CollectiveFit &fit) { return fit.above > 0; };
  links.fits.erase(
      std::remove_if(links.fits.begin(), links.fits.end(), isLarge),
      links.fits.end());
  const Coefficients *named = findCompiledCoefficients(name);
  if (!named || !named->collectives)
    return false;
  std::copy_if(named->collectives->fits.begin(), named->collectives->fits.end(),
               std::back_inserter(links.fits), isLarge);
  return true;
}

bool gpucost::isComplete(const Coefficients &coefficients) {
  GroupSet needed = presentGroups(*findCompiledCoefficients(shared));
  return (needed & ~presentGroups(coefficients)).none();
}

/// The set that `data` names, as it transfers to `gpu` if the file states so.
static Expected<Coefficients>
namedCoefficients(const DataFile &data, const Gpu *gpu, std::string_view file) {
  const std::string &name = data.coefficientsFrom;
  const Coefficients *set = findCompiledCoefficients(name);
  if (!set)
    return fail(concat(file, ": unknown coefficient set '", name, "'"));
  if (data.transferredFrom.empty())
    return *set;
  size_t board = targetFiles().find(name);
  if (board == targetFiles().size() || !gpu)
    return fail(concat(file,
                       ": 'gpucost.transferred_from' needs a GPU, and a set of "
                       "coefficients that has the name of its board"));
  const Gpu &measured = *compiledTarget(board).gpu;
  const auto &own = gpu->interconnect, &other = measured.interconnect;
  bool isSameVendor =
      vendorOf(gpu->architecture) == vendorOf(measured.architecture);
  if (own && other && own->kind != other->kind && isSameVendor)
    return fail(concat(file, ": expected the set of a board with ",
                       stringifyInterconnectKind(own->kind), ", but '", name,
                       "' has ", stringifyInterconnectKind(other->kind)));
  return transferTo(*gpu, measured, *set, data.transferredFrom);
}

static Expected<Coefficients> ownSet(const DataFile &data,
                                     std::string_view file) {
  Coefficients own = *data.coefficients;
  if (data.coefficientsFrom.empty())
    return own;
  const Gpu *gpu = data.gpu ? &*data.gpu : nullptr;
  if (size_t board = targetFiles().find(data.calibratedFor);
      !gpu && board != targetFiles().size())
    gpu = &*compiledTarget(board).gpu;
  Expected<Coefficients> base = namedCoefficients(data, gpu, file);
  if (!base)
    return fail(base.error());
  completeWith(own, *base);
  return own;
}

/// The set of `data` without fits for larger nodes.
static Expected<Coefficients> ownOrNamedSet(const DataFile &data,
                                            std::string_view file) {
  if (data.coefficients) {
    Expected<Coefficients> own = ownSet(data, file);
    if (own)
      completeCoefficients(*own);
    return own;
  }
  if (data.coefficientsFrom.empty())
    return fail(concat(file,
                       ": expected 'gpucost.coefficients' or the name of a set "
                       "in 'gpucost.coefficients_from'"));
  return namedCoefficients(data, data.gpu ? &*data.gpu : nullptr, file);
}

Expected<Coefficients> gpucost::coefficientsOf(const DataFile &data,
                                               std::string_view file) {
  Expected<Coefficients> set = ownOrNamedSet(data, file);
  if (!set || data.collectivesFrom.empty())
    return set;
  if (!set->collectives ||
      !addLargeNodes(data.collectivesFrom, *set->collectives))
    return fail(concat(file, ": unknown set of links '", data.collectivesFrom,
                       "' in 'gpucost.collectives_from'"));
  return set;
}

uint64_t gpucost::compiledDataHash() {
  uint64_t hash = stableHash({});
  for (Span<EmbeddedFile> files :
       {embeddedTargets(), embeddedNetworks(), embeddedCoefficients()})
    for (const EmbeddedFile &file : files)
      hash = stableHash(file.content, stableHash(file.name, hash));
  return hash;
}

Expected<std::pair<size_t, NumericFormat>>
gpucost::findCompiledTarget(std::string_view spec, bool *isDefault) {
  std::vector<TargetNames> names;
  for (const EmbeddedFile &file : embeddedTargets())
    names.push_back({file.name, scanAliases(file.content)});
  auto match = matchTarget(names, spec);
  if (!match)
    return fail(match.error());
  const DataFile &target = compiledTarget(match->index);
  if (isFormatAlias(match->formatName))
    match->format = formatOfAlias(match->formatName, *target.gpu);
  bool isKnown = match->formatName.empty() || match->format;
  if (!isKnown || (match->format && !target.gpu->find(*match->format)))
    return fail(unknownFormat(*target.gpu, match->formatName));
  if (isDefault)
    *isDefault = !match->format;
  return std::pair(match->index,
                   match->format.value_or(defaultFormatOf(target)));
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
  return sealTarget(sink.bytes());
}

std::string gpucost::sealTarget(std::string_view payload) {
  return seal(targetEnvelope(), payload);
}

Expected<std::string> gpucost::compileTarget(std::string_view text,
                                             std::string_view name) {
  Expected<DataFile> data = parseDataFile(text, name);
  if (!data)
    return fail(data.error());
  if (!data->gpu && !data->coefficients)
    return fail(
        concat(name, ": expected 'gpucost.gpu' or 'gpucost.coefficients'"));
  Expected<Coefficients> coefficients = coefficientsOf(*data, name);
  if (!coefficients)
    return fail(coefficients.error());
  TargetData target;
  target.gpu = data->gpu;
  if (data->gpu)
    target.defaultFormat = defaultFormatOf(*data);
  target.aliases = data->aliases;
  if (!data->coefficients && data->transferredFrom.empty())
    target.coefficientsName = data->coefficientsFrom;
  target.coefficients = *coefficients;
  return encodeTarget(target);
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
