//===- KernelQueries.cpp - Predictions of single kernels ------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Query/KernelQueries.h"
#include "KernelQueriesPrint.h"
#include "KernelQueriesSchedule.h"
#include "gpucost/Applications/Query/KernelQueriesRow.h"
#include "gpucost/Compiler/Support/Errors.h"
#include "gpucost/Core/Model/AllReduce.h"
#include "gpucost/Core/Model/KernelCache.h"
#include "gpucost/Core/Model/ServingKernels.h"
#include "gpucost/Core/Query/KernelQueriesWork.h"
#include "gpucost/Core/Support/InputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include <cmath>
#include <memory>

using namespace gpucost;

/// Caches for different queries (clock, toggle rate, ...) of one file. A file
/// with more of them is a sweep, whose rows do not repeat.
static constexpr size_t largestCacheCount = 32;

bool gpucost::isSame(const KernelQuery &a, const KernelQuery &b) {
  auto fields = [](const KernelQuery &q) {
    BenchmarkProtocol benchmark = q.benchmark.value_or(BenchmarkProtocol());
    return std::make_tuple(q.clock, q.powerLimit, q.reuseBytesA, q.reuseBytesB,
                           q.keptShare, q.bestTile, q.implementation,
                           q.benchmark.has_value(), benchmark.toggleRate,
                           benchmark.burst, benchmark.warmUp,
                           benchmark.cacheShare, benchmark.writesCache);
  };
  return fields(a) == fields(b);
}

namespace {

/// Binds columns, reads rows and queries the model.
class QueryRunner {
public:
  QueryRunner(const CostModel &model, const QueryDefaults &defaults)
      : model(model), defaults(defaults), schedules(model) {
    all.gpu = &model.gpu();
    all.software = model.software();
    all.allReduce = describeAllReduce(model);
  }

  llvm::Error runFile(llvm::StringRef text);
  llvm::Error runText(llvm::StringRef text);

  KernelAnswers all;

private:
  llvm::Error bindColumns(llvm::ArrayRef<CsvCell> header);
  llvm::Error addRow(const QueryCells &cells, TextPosition row);
  llvm::Error addAnswer(KernelAnswer answer, const KernelQuery &query,
                        TextPosition row);
  llvm::Error addSchedules(const QueriedKernel &kernel, TextPosition row);
  Expected<KernelCost> estimate(const QueriedKernel &kernel);

  struct QueryCache {
    KernelQuery query;
    KernelCache cache;
  };

  const CostModel &model;
  QueryDefaults defaults;
  /// Per column of the file: its meaning, or none.
  llvm::SmallVector<std::optional<QueryColumn>, 32> bound;
  std::vector<std::unique_ptr<QueryCache>> caches;
  ScheduleAnswers schedules;
};

} // namespace

llvm::Error QueryRunner::bindColumns(llvm::ArrayRef<CsvCell> header) {
  llvm::StringSet<> seen;
  for (const CsvCell &cell : header)
    if (auto column = findColumn(llvm::StringRef(cell.value()).trim()))
      all.hasSchedules |= asksForSchedule(*column);
  for (const CsvCell &cell : header) {
    std::string name = llvm::StringRef(cell.value()).trim().str();
    std::optional<QueryColumn> column = findColumn(name);
    if (!seen.insert(column ? columnName(*column) : llvm::StringRef(name))
             .second)
      return errorAt(defaults.source, cell.at,
                     "expected different column names, but got '" + name +
                         "' twice");
    // Every column is echoed; one with the name of a result (such as a measured
    // power_w) is renamed.
    bool isResult =
        llvm::is_contained(resultColumns(), std::string_view(name)) ||
        (all.hasSchedules &&
         llvm::is_contained(scheduleResultColumns(), llvm::StringRef(name)));
    all.echoedNames.push_back(isResult ? "input_" + name : cell.raw.str());
    bound.push_back(column);
  }
  if (llvm::is_contained(bound, QueryColumn::Family))
    return llvm::Error::success();
  std::string hint;
  for (const CsvCell &cell : header)
    if (hint.empty() && !findColumn(cell.text.trim()))
      hint = suggestNearest(cell.text.trim(), columnNames()).find("'family'") ==
                     std::string::npos
                 ? ""
                 : "; '" + cell.text.trim().str() + "' is not known";
  return errorAt(defaults.source, header.front().at,
                 "missing column 'family': expected a header such as "
                 "family,m,n,k" +
                     hint);
}

Expected<KernelCost> QueryRunner::estimate(const QueriedKernel &kernel) {
  for (size_t i = 0; i < caches.size(); ++i)
    if (isSame(caches[i]->query, kernel.query))
      return caches[i]->cache.estimate(kernel.work);
  if (caches.size() == largestCacheCount)
    return model.estimate(kernel.work, kernel.query);
  caches.push_back(std::make_unique<QueryCache>(
      QueryCache{kernel.query, KernelCache(model, kernel.query)}));
  return caches.back()->cache.estimate(kernel.work);
}

llvm::Error QueryRunner::addRow(const QueryCells &cells, TextPosition row) {
  QueriedKernel kernel;
  if (llvm::Error error = readKernel(cells, row, model.gpu(), defaults, kernel))
    return error;
  if (kernel.request)
    return addSchedules(kernel, row);
  Expected<KernelCost> cost = estimate(kernel);
  if (!cost)
    return errorAt(defaults.source, row, cost.error().message);
  return addAnswer({kernel.work, *cost, std::nullopt, "", "", ""}, kernel.query,
                   row);
}

/// Whose kernels stand in for those of the software; else "".
static std::string describeStack(const CostModel &model,
                                 const KernelWork &work) {
  const std::string &gpu = model.gpu().name;
  if (std::string own = describeServingKernel(model, work); !own.empty())
    return own;
  if (work.is<MatmulProblem>()) {
    const auto *kernels = findLowPrecision(model.coefficients(), work.format);
    return kernels ? describeLowPrecision(*kernels, model.software(), gpu) : "";
  }
  const auto *p = work.getIf<AttentionProblem>();
  if (!p)
    return "";
  if (const auto *kernels = findEightBitAttention(model.coefficients(), work))
    return describeEightBit(*kernels, work, model.software(), gpu);
  if (model.software() == Software::PyTorch)
    return "";
  const AttentionOrigin &origin = model.attentionOrigin();
  return describeStandIn("attention kernels", model.software(),
                         runsDecodeKernel(model, work) ? origin.decode
                         : p->causal                   ? origin.causal
                                                       : origin.full,
                         gpu);
}

llvm::Error QueryRunner::addAnswer(KernelAnswer answer,
                                   const KernelQuery &query, TextPosition row) {
  if (!std::isfinite(answer.cost.time.total.value()) ||
      !std::isfinite(answer.cost.energy.value()))
    return errorAt(defaults.source, row,
                   "expected a kernel with finite time and energy; this one is "
                   "outside the range of the model");
  const KernelCost &cost = answer.cost;
  answer.brokenLimit = model.describeBrokenLimit(
      query.powerLimit, {cost.clock, cost.throttled, cost.limitUnreachable},
      cost.power);
  // The clock of a benchmark is a mean.
  if (!query.benchmark)
    answer.otherClock = model.describeClock(query.clock);
  answer.stack = describeStack(model, answer.work);
  all.answers.push_back(std::move(answer));
  return llvm::Error::success();
}

/// One answer for each schedule; all of them echo the row's cells.
llvm::Error QueryRunner::addSchedules(const QueriedKernel &kernel,
                                      TextPosition row) {
  all.hasSchedules = true;
  Expected<std::vector<KernelAnswer>> found = schedules.ask(kernel);
  if (!found)
    return errorAt(defaults.source, row, found.error().message);
  size_t cells = all.echoedNames.size(), first = all.echoed.size() - cells;
  for (size_t i = 0; i < found->size(); ++i) {
    for (size_t cell = 0; i > 0 && cell < cells; ++cell)
      all.echoed.push_back(llvm::StringRef(all.echoed[first + cell]));
    if (llvm::Error error =
            addAnswer(std::move((*found)[i]), kernel.query, row))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error QueryRunner::runFile(llvm::StringRef text) {
  CsvReader reader(text);
  llvm::SmallVector<CsvCell, 32> row;
  auto next = [&]() -> llvm::Expected<bool> {
    switch (reader.next(row)) {
    case CsvReader::Status::Record:
      return true;
    case CsvReader::Status::End:
      return false;
    case CsvReader::Status::Error:
      break;
    }
    return errorAt(defaults.source, reader.position, reader.message);
  };
  llvm::Expected<bool> hasHeader = next();
  if (!hasHeader)
    return hasHeader.takeError();
  if (!*hasHeader)
    return llvm::createStringError(
        defaults.source +
        ": expected a header such as family,m,n,k, but the file is empty");
  if (llvm::Error error = bindColumns(row))
    return error;
  QueryCells cells = {};
  while (true) {
    llvm::Expected<bool> more = next();
    if (!more)
      return more.takeError();
    if (!*more)
      return llvm::Error::success();
    if (row.size() != bound.size())
      return errorAt(defaults.source, row.front().at,
                     "expected " + llvm::Twine(bound.size()) +
                         " cells as in the header, but got " +
                         llvm::Twine(row.size()));
    TextPosition at = row.front().at;
    for (size_t i = 0; i < row.size(); ++i) {
      if (bound[i])
        cells[static_cast<size_t>(*bound[i])] = &row[i];
      all.echoed.push_back(row[i].raw);
    }
    if (llvm::Error error = addRow(cells, at))
      return error;
  }
}

/// "matmul m=4096 n=4096 k=4096": the family, then name=value.
llvm::Error QueryRunner::runText(llvm::StringRef text) {
  all.single = true;
  std::array<CsvCell, numQueryColumns> storage;
  QueryCells cells = {};
  auto store = [&](QueryColumn column, llvm::StringRef value) -> llvm::Error {
    size_t index = static_cast<size_t>(column);
    TextPosition at;
    at.column = static_cast<uint32_t>(value.data() - text.data()) + 1;
    if (cells[index])
      return errorAt(defaults.source, at,
                     "expected one '" + columnName(column) + "', but got two");
    storage[index].text = storage[index].raw = value;
    storage[index].at = at;
    cells[index] = &storage[index];
    return llvm::Error::success();
  };
  llvm::SmallVector<llvm::StringRef, 16> words;
  llvm::SplitString(text, words, " \t\n");
  if (words.empty())
    return llvm::createStringError(
        "expected a kernel such as 'matmul m=4096 n=4096 k=4096'");
  for (auto [i, word] : llvm::enumerate(words)) {
    auto [name, value] = word.split('=');
    std::optional<QueryColumn> column = findColumn(name);
    if (i == 0 && !word.contains('=')) {
      column = QueryColumn::Family;
      value = word;
    }
    TextPosition at;
    at.column = static_cast<uint32_t>(word.data() - text.data()) + 1;
    if (!column)
      return errorAt(defaults.source, at,
                     "unknown field '" + name + "'" +
                         suggestNearest(name, columnNames()));
    if (value.data() == nullptr || value.empty())
      return errorAt(defaults.source, at,
                     "expected '" + name + "=value', but got '" + word + "'");
    if (llvm::Error error = store(*column, value))
      return error;
  }
  return addRow(cells, {});
}

llvm::Error gpucost::runKernelQueries(const CostModel &model,
                                      NumericFormat defaultFormat,
                                      const KernelQueryOptions &options,
                                      llvm::raw_ostream &os) {
  using Printer = void (*)(const KernelAnswers &, llvm::raw_ostream &);
  constexpr std::pair<llvm::StringRef, Printer> printers[] = {
      {"table", printAnswersTable},
      {"json", printAnswersJson},
      {"csv", printAnswersCsv}};
  const auto *printer = llvm::find_if(
      printers, [&](const auto &each) { return each.first == options.report; });
  if (printer == std::end(printers))
    return llvm::createStringError(
        "unknown report format '" + options.report + "', expected one of " +
        llvm::join(llvm::make_first_range(printers), ", "));
  QueryDefaults defaults;
  defaults.source = "--kernel";
  defaults.format = defaultFormat;
  defaults.nodes = queryNodes(model, options.nodes);
  if (options.clockMHz > 0)
    defaults.clock = Hertz(options.clockMHz * 1e6);
  if (options.powerLimitW > 0)
    defaults.powerLimit = Watts(options.powerLimitW);

  std::optional<std::string> table;
  if (!options.file.empty()) {
    Expected<std::string> file = readInput(options.file, mostBytesOfData);
    if (!file)
      return toLLVMError(file.error());
    table = std::move(*file);
    defaults.source = options.file;
    if (options.file == "-")
      defaults.source = "<stdin>";
  }
  QueryRunner runner(model, defaults);
  if (llvm::Error error =
          table ? runner.runFile(*table) : runner.runText(options.text))
    return error;
  printer->second(runner.all, os);
  return llvm::Error::success();
}
