//===- CollectiveTests.cpp - Output of nccl-tests and rccl-tests ----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A run prints its flags, a line for each rank, the names of the columns and a
// line for each size. The name of the collective is only in the output of new
// releases; otherwise it follows from the file's name, or from the ratio of the
// two bandwidths, which is 2(n - 1)/n for an all-reduce alone.

#include "CollectiveTests.h"
#include "gpucost/Compiler/Support/Errors.h"
#include "gpucost/Core/Query/KernelQueriesWork.h"
#include "gpucost/Core/Support/InputFile.h"
#include "gpucost/Core/Targets/TargetData.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <cmath>

using namespace gpucost;
using namespace gpucost::calibration;
using llvm::StringRef;

/// Below this bus bandwidth its printed digits say nothing about the ratio.
static constexpr double leastBandwidth = 20; // GB/s
static constexpr double ratioTolerance = 0.02;

namespace {

struct Row {
  size_t line = 0;
  llvm::SmallVector<StringRef, 16> cells;
  int64_t bytes = 0;
  double algorithmBandwidth = 0, busBandwidth = 0; ///< GB/s, out of place

  double ratio() const { return busBandwidth / algorithmBandwidth; }
  bool isClear() const { return busBandwidth >= leastBandwidth; }
};

/// What the head of a run says, and its rows.
struct Run {
  llvm::StringMap<int64_t> gpusOfHost;
  llvm::StringSet<> ranks;
  std::string collective; ///< "all_reduce"; empty: not said
  bool hasRoot = false;
  bool hasColumns = false;
  std::vector<Row> rows;

  /// The column of the time out of place.
  size_t firstTime() const { return hasRoot ? 5 : 4; }
  int64_t gpus() const { return static_cast<int64_t>(ranks.size()); }
  int64_t nodes() const { return static_cast<int64_t>(gpusOfHost.size()); }
};

class TestReader {
public:
  TestReader(StringRef path, const Gpu &gpu, CalibrationInput &input)
      : path(path), gpu(gpu), input(input) {}

  llvm::Error read(StringRef text);

private:
  llvm::Error readComment(StringRef line);
  llvm::Error readRank(StringRef line);
  llvm::Error checkDevice(StringRef device);
  llvm::Error readRow(llvm::ArrayRef<StringRef> cells);
  llvm::Expected<double> timeOf(llvm::ArrayRef<StringRef> cells, size_t first);
  llvm::Expected<std::optional<CollectiveKind>> kindOfRun();
  llvm::Error addRow(const Row &row, std::optional<CollectiveKind> kind);
  llvm::Error finishRun();
  llvm::Error fail(const llvm::Twine &message) const {
    return llvm::createStringError(path + ":" + llvm::Twine(line) + ": " +
                                   message);
  }

  StringRef path;
  const Gpu &gpu;
  CalibrationInput &input;
  Run run;
  size_t line = 0;
  bool hasRows = false;
};

} // namespace

/// The name within "all_reduce_perf", "rs/reduce-scatter.txt", ...
static std::string collectiveIn(StringRef text) {
  std::string word = text.lower();
  llvm::erase_if(word, [](char c) { return !llvm::isAlpha(c); });
  for (StringRef name : {"allreduce", "allgather", "reducescatter", "alltoall",
                         "broadcast", "sendrecv"})
    if (StringRef(word).contains(name))
      return name.str();
  return "";
}

static std::optional<CollectiveKind> kindNamed(StringRef name) {
  for (const auto &kind : EnumTraits<CollectiveKind>::cases)
    if (collectiveIn(kind.name) == name)
      return kind.value;
  return std::nullopt;
}

/// Bus bandwidth over algorithm bandwidth, as the tests define it.
static double ratioOf(CollectiveKind kind, int64_t gpus) {
  auto n = static_cast<double>(gpus);
  switch (kind) {
  case CollectiveKind::AllReduce:
    return 2 * (n - 1) / n;
  case CollectiveKind::AllGather:
  case CollectiveKind::ReduceScatter:
  case CollectiveKind::AllToAll:
    return (n - 1) / n;
  case CollectiveKind::Broadcast:
  case CollectiveKind::SendRecv:
  case CollectiveKind::ToHost:
  case CollectiveKind::FromHost:
    return 1;
  }
  return 1;
}

llvm::Error TestReader::checkDevice(StringRef device) {
  input.devices.insert(device.str());
  auto named = findCompiledTarget(device.str());
  auto target = findCompiledTarget(gpu.name);
  // Boards of a target file, and names that no target lists, are not compared.
  if (!named || !target || named->first == target->first)
    return llvm::Error::success();
  return fail("measured on '" + device + "', which is not the target '" +
              gpu.name + "'; give its target");
}

/// Rank  0 Group  0 Pid  123 on  host device  0 [0x1b] NVIDIA H100 80GB HBM3
llvm::Error TestReader::readRank(StringRef text) {
  llvm::SmallVector<StringRef> words;
  llvm::SplitString(text, words);
  const auto *on = llvm::find(words, "on");
  size_t host = on - words.begin() + 1;
  size_t bus = host + 3;
  if (bus >= words.size() || words[host + 1] != "device" ||
      !words[bus].starts_with("["))
    return fail("expected 'Rank N ... on HOST device N [BUS] NAME', but got '" +
                text + "'");
  if (!run.ranks.insert(words[1]).second)
    return fail("rank " + words[1] +
                " appears twice: each process ran its own test; build the "
                "tests with MPI=1");
  ++run.gpusOfHost[words[host]];
  StringRef device = text.substr(text.find(']') + 1).trim();
  return checkDevice(device);
}

llvm::Error TestReader::readComment(StringRef text) {
  bool isHead = text.starts_with("nThread ") ||
                text.starts_with("Collective test starting:") ||
                text.starts_with("Rank ");
  if (isHead && run.hasColumns)
    if (llvm::Error error = finishRun())
      return error;
  if (text.starts_with("Rank "))
    return readRank(text);
  if (text.consume_front("Collective test starting:")) {
    run.collective = collectiveIn(text);
    if (run.collective.empty())
      run.collective = text.trim().str();
  }
  llvm::SmallVector<StringRef> words;
  llvm::SplitString(text, words);
  if (words.size() > 3 && words[0] == "size" && words[1] == "count") {
    run.hasColumns = true;
    run.hasRoot = llvm::is_contained(words, "root");
    if (run.ranks.empty())
      return fail("expected lines 'Rank N ... on HOST device N' before the "
                  "columns: keep the whole output of the test");
    int64_t first = run.gpusOfHost.begin()->second;
    for (const auto &[host, gpus] : run.gpusOfHost)
      if (gpus != first)
        return fail("expected equally many GPUs on each host, but got " +
                    llvm::Twine(first) + " and " + llvm::Twine(gpus));
  }
  return llvm::Error::success();
}

/// The collective of the run, if its rows agree with it.
llvm::Expected<std::optional<CollectiveKind>> TestReader::kindOfRun() {
  std::string name = run.collective;
  if (name.empty())
    name = collectiveIn(llvm::sys::path::filename(path));
  auto has = [&](const Row &row, CollectiveKind kind) {
    return std::abs(row.ratio() / ratioOf(kind, run.gpus()) - 1) <
           ratioTolerance;
  };
  // With two GPUs an all-reduce has the ratio of a reduce.
  if (name.empty() && run.gpus() > 2 &&
      llvm::any_of(run.rows, [&](const Row &row) {
        return row.isClear() && row.cells[3] == "sum" &&
               has(row, CollectiveKind::AllReduce);
      }))
    name = "allreduce";
  line = run.rows.front().line;
  if (name.empty())
    return fail("unknown collective: expected its name in the file's name "
                "(all_reduce, all_gather, reduce_scatter, alltoall)");
  std::optional<CollectiveKind> kind = kindNamed(name);
  for (const Row &row : run.rows)
    if (kind && row.isClear() && !has(row, *kind)) {
      line = row.line;
      return fail(llvm::formatv(
          "expected a bus bandwidth of {0:f2} times the algorithm bandwidth "
          "for '{1}' on {2} GPUs, but got {3:f2}",
          ratioOf(*kind, run.gpus()), stringifyCollectiveKind(*kind),
          run.gpus(), row.ratio()));
    }
  return kind;
}

llvm::Error TestReader::finishRun() {
  if (!run.rows.empty() && run.gpus() == 1) {
    input.skipped["collectives of one GPU"] += run.rows.size();
  } else if (!run.rows.empty()) {
    auto kind = kindOfRun();
    if (!kind)
      return kind.takeError();
    for (const Row &row : run.rows) {
      line = row.line;
      if (llvm::Error error = addRow(row, *kind))
        return error;
    }
  }
  run = Run();
  return llvm::Error::success();
}

/// Time, two bandwidths and the check of the result. 0 if it did not run.
llvm::Expected<double> TestReader::timeOf(llvm::ArrayRef<StringRef> cells,
                                          size_t first) {
  if (first + 3 >= cells.size())
    return 0;
  double time = 0, wrong = 0;
  if (cells[first].getAsDouble(time) || !std::isfinite(time) || time <= 0)
    return fail("expected a time above 0 us, but got '" + cells[first] + "'");
  // The number of wrong values; before release 2.11 the largest error.
  StringRef check = cells[first + 3];
  if (run.hasRoot && check != "N/A" && !check.getAsDouble(wrong) && wrong != 0)
    return fail("the test found " + check + " wrong values");
  return time;
}

llvm::Error TestReader::readRow(llvm::ArrayRef<StringRef> cells) {
  if (!run.hasColumns)
    return fail("expected the names of the columns before the first row");
  Row row;
  row.line = line;
  llvm::append_range(row.cells, cells);
  size_t head = run.firstTime();
  if (cells.size() < head + 4 || cells[0].getAsInteger(10, row.bytes) ||
      cells[head + 1].getAsDouble(row.algorithmBandwidth) ||
      cells[head + 2].getAsDouble(row.busBandwidth) || row.bytes < 0)
    return fail("expected size, count, type, redop, time and bandwidths");
  run.rows.push_back(std::move(row));
  ++input.rows;
  hasRows = true;
  return llvm::Error::success();
}

llvm::Error TestReader::addRow(const Row &measured,
                               std::optional<CollectiveKind> kind) {
  llvm::Expected<double> outOfPlace = timeOf(measured.cells, run.firstTime());
  if (!outOfPlace)
    return outOfPlace.takeError();
  llvm::Expected<double> inPlace = timeOf(measured.cells, run.firstTime() + 4);
  if (!inPlace)
    return inPlace.takeError();
  if (measured.bytes == 0) {
    ++input.skipped["messages without bytes"];
    return llvm::Error::success();
  }
  if (!kind || *kind == CollectiveKind::Broadcast ||
      *kind == CollectiveKind::SendRecv || isHostCopy(*kind)) {
    ++input.skipped["collectives without a fit: expected all_reduce, "
                    "all_gather, reduce_scatter or all_to_all"];
    return llvm::Error::success();
  }
  CollectiveProblem problem;
  problem.kind = *kind;
  problem.bytes = measured.bytes;
  problem.worldSize = run.gpus();
  problem.nodes = run.nodes();
  std::optional<KernelWork> work = collectiveWork(problem);
  if (!work)
    return fail("expected a smaller message than " + measured.cells[0] +
                " bytes");
  TimedKernel row;
  row.work = *work;
  row.time = Seconds(
      (*inPlace > 0 ? std::sqrt(*outOfPlace * *inPlace) : *outOfPlace) * 1e-6);
  row.family = llvm::formatv(
      "{0} {1}{2} GPUs", stringifyCollectiveKind(*kind),
      run.nodes() > 1 ? std::to_string(run.nodes()) + " x " : std::string(),
      run.gpus() / run.nodes());
  row.shape = (row.family + " " + measured.cells[0]).str();
  row.file = llvm::sys::path::filename(path).str();
  row.line = measured.line;
  input.measurements.collectives.push_back(std::move(row));
  return llvm::Error::success();
}

llvm::Error TestReader::read(StringRef text) {
  while (!text.empty()) {
    auto [current, rest] = text.split('\n');
    text = rest;
    ++line;
    StringRef trimmed = current.trim();
    if (trimmed.consume_front("#")) {
      if (llvm::Error error = readComment(trimmed.trim()))
        return error;
      continue;
    }
    llvm::SmallVector<StringRef> cells;
    llvm::SplitString(trimmed, cells);
    // Other lines are the job's: MPI's, the scheduler's, NCCL's log.
    uint64_t size = 0;
    if (cells.size() >= 8 && !cells[0].getAsInteger(10, size) &&
        !cells[1].getAsInteger(10, size))
      if (llvm::Error error = readRow(cells))
        return error;
  }
  if (llvm::Error error = finishRun())
    return error;
  if (!hasRows)
    return llvm::createStringError(
        path + ": expected the output of nccl-tests or rccl-tests "
               "(all_reduce_perf, ...), but found no row of sizes and times");
  return llvm::Error::success();
}

llvm::Error calibration::readCollectiveTests(StringRef path, const Gpu &gpu,
                                             CalibrationInput &input) {
  Expected<std::string> text = readInput(path.str(), mostBytesOfData);
  if (!text)
    return toLLVMError(text.error());
  return TestReader(path, gpu, input).read(*text);
}
