//===- Prepared.cpp - Prepared models of the C interface ------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CopyReport.h"
#include "gpucost/Core/Iteration/Details.h"
#include "gpucost/Core/Iteration/Restate.h"
#include "gpucost/Core/Report/Groups.h"
#include "gpucost/Core/Report/Page.h"
#include "gpucost/Core/Report/ReportJson.h"
#include "gpucost/Core/Scenario/ScenarioFaults.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include <cerrno>
#include <cstdio>

using namespace gpucost;
using namespace gpucost::capi;

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static Result load(std::string bytes, gpucostPrepared **prepared) {
  auto file = decodePrepared(bytes);
  if (!file)
    return error(GPUCOST_BAD_DATA, file.error().message);
  *prepared = new gpucostPrepared{std::move(bytes), std::move(*file)};
  return ok();
}

gpucostStatus gpucostPreparedLoad(const void *bytes, size_t size,
                                  gpucostPrepared **prepared) {
  return guard([&] {
    if (!bytes || !prepared)
      return invalid(bytes ? "the place for the prepared model is"
                           : "the bytes are",
                     " NULL");
    return load({static_cast<const char *>(bytes), size}, prepared);
  });
}

static Result readFile(const char *path, std::string &bytes) {
  auto refuse = [&] {
    return error(GPUCOST_IO, "cannot read '", path,
                 "': ", std::strerror(errno));
  };
  std::unique_ptr<std::FILE, int (*)(std::FILE *)> file(std::fopen(path, "rb"),
                                                        std::fclose);
  if (!file)
    return refuse();
  char buffer[1 << 16];
  while (size_t count = std::fread(buffer, 1, sizeof(buffer), file.get()))
    bytes.append(buffer, count);
  return std::ferror(file.get()) ? refuse() : ok();
}

gpucostStatus gpucostPreparedLoadFile(const char *path,
                                      gpucostPrepared **prepared) {
  return guard([&] {
    if (!path || !prepared)
      return invalid(path ? "the place for the prepared model is"
                          : "the path is",
                     " NULL");
    std::string bytes;
    if (Result result = readFile(path, bytes); result.failed())
      return result;
    Result result = load(std::move(bytes), prepared);
    return result.failed()
               ? error(result.status, "'", path, "': ", result.message)
               : result;
  });
}

void gpucostPreparedFree(gpucostPrepared *prepared) { delete prepared; }

gpucostStatus gpucostPreparedBytes(const gpucostPrepared *prepared,
                                   const void **bytes, size_t *size) {
  return guard([&] {
    if (!prepared || !bytes || !size)
      return invalid("an argument is NULL");
    *bytes = prepared->bytes.data();
    *size = prepared->bytes.size();
    return ok();
  });
}

gpucostStatus gpucostPreparedGetInfo(const gpucostPrepared *prepared,
                                     gpucostPreparedInfo *info) {
  return guard([&] {
    if (!prepared)
      return invalid("the prepared model is NULL");
    if (Result result = checkSize(info, "gpucostPreparedInfo"); result.failed())
      return result;
    const PreparedModel &model = prepared->file.model;
    gpucostPreparedInfo out{};
    out.format = toC(model.format);
    out.model = prepared->file.name.c_str();
    out.precision = model.precision.c_str();
    out.training = model.settings.trains();
    out.world_size = static_cast<uint32_t>(model.settings.gpus);
    out.kernels = static_cast<int64_t>(model.kinds.size());
    for (const Launch &launch : model.launches)
      addSaturating(out.launches, launch.count, 1);
    out.samples = model.samples;
    out.tokens = model.tokens;
    out.parameter_count = model.memory.parameterCount;
    out.parameter_bytes = model.memory.parameterBytes;
    writeStruct(info, out);
    return ok();
  });
}

//===----------------------------------------------------------------------===//
// On a GPU
//===----------------------------------------------------------------------===//

Expected<std::shared_ptr<const PreparedModel>>
capi::restateFor(const gpucostModel &model, const ScenarioTarget &from,
                 PreparedModel prepared) {
  // The device of the model replaces the one that it was prepared for.
  prepared.given.targetFile.reset();
  prepared.given.coefficients.reset();
  prepared.given.interconnect.reset();
  prepared.given.network.reset();
  return restate(prepared, from, model.settings,
                 getScenarioTarget(model.model.gpu(), model.format));
}

Expected<CostModel> capi::costModelOf(const gpucostModel &model,
                                      Software software) {
  if (software == model.model.software())
    return model.model;
  return CostModel::create(model.model.gpu(), model.coefficients, software);
}

gpucostStatus gpucostPlace(const gpucostPrepared *prepared,
                           const gpucostModel *model, gpucostPlaced **placed) {
  return guard([&] {
    if (!prepared || !model || !placed)
      return invalid("an argument is NULL");
    const PreparedFile &file = prepared->file;
    auto changed = restateFor(*model, file.target, file.model);
    if (!changed)
      return error(GPUCOST_UNSUPPORTED, changed.error().message);
    auto costs = costModelOf(*model, file.model.settings.software);
    if (!costs)
      return error(GPUCOST_UNSUPPORTED, costs.error().message);
    auto made = PlacedModel::create(*changed, *costs);
    if (!made)
      return error(GPUCOST_UNSUPPORTED, made.error().message);
    ScenarioTarget target =
        getScenarioTarget(model->model.gpu(), model->format);
    *placed = new gpucostPlaced{std::move(*made), file.name, target};
    return ok();
  });
}

void gpucostPlacedFree(gpucostPlaced *placed) { delete placed; }

static Result readRun(const gpucostPlaced &placed, const gpucostRun &in,
                      IterationOptions &options) {
  const PreparedModel &model = placed.placed.prepared();
  Scenario changes;
  if (in.runtime) {
    changes.runtime = static_cast<Runtime>(in.runtime - 1);
    if (stringifyEnum(*changes.runtime).empty())
      return invalid("'runtime' of gpucostRun is ", in.runtime,
                     ", which is no such value");
    // Compiled code launches other kernels.
    bool compiled = model.settings.runtime == Runtime::Compiled;
    if ((*changes.runtime == Runtime::Compiled) != compiled)
      return error(GPUCOST_UNSUPPORTED,
                   compiled ? "the model is prepared as compiled code; prepare "
                              "it with another runtime"
                            : "the model is not prepared as compiled code; "
                              "prepare it with the runtime 'compiled'");
  }
  if (in.clock != 0)
    changes.clock = Hertz(in.clock);
  if (in.power_limit != 0)
    changes.powerLimit = Watts(in.power_limit);
  if (in.host_launch != 0)
    changes.hostLaunch = Seconds(in.host_launch < 0 ? 0 : in.host_launch);
  if (in.step_gap != 0)
    changes.stepGap = Seconds(in.step_gap < 0 ? 0 : in.step_gap);
  if (std::string fault = faultOfValues(changes, placed.target); !fault.empty())
    return invalid("gpucostRun: ", fault);
  options = IterationOptions::of(model.settings, changes);
  return ok();
}

/// The report of the run `given`, or of the prepared one for NULL.
static Result evaluate(const gpucostPlaced &placed, const gpucostRun *given,
                       IterationReport &report) {
  gpucostRun in;
  IterationOptions options;
  if (Result result = readOptional(given, in, "gpucostRun"); result.failed())
    return result;
  if (Result result = readRun(placed, in, options); result.failed())
    return result;
  report = placed.placed.evaluate(options);
  report.model = placed.name;
  return ok();
}

gpucostStatus gpucostEvaluate(const gpucostPlaced *placed,
                              const gpucostRun *given, gpucostReport **report) {
  return guard([&] {
    if (!placed || !report)
      return invalid(placed ? "the place for the report is"
                            : "the placed model is",
                     " NULL");
    IterationReport found;
    Result result = evaluate(*placed, given, found);
    if (!result.failed())
      *report = new gpucostReport{std::move(found)};
    return result;
  });
}

void gpucostReportFree(gpucostReport *report) { delete report; }

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

static gpucostTotals totalsOf(const IterationReport &report) {
  gpucostTotals out{};
  out.size = sizeof(out);
  copyTo(out, report);
  return out;
}

gpucostStatus gpucostReportTotals(const gpucostReport *report,
                                  gpucostTotals *totals) {
  return guard([&] {
    if (!report)
      return invalid("the report is NULL");
    Result result = checkSize(totals, "gpucostTotals");
    if (!result.failed())
      writeStruct(totals, totalsOf(report->report));
    return result;
  });
}

/// Copies element `index` of a list of the report.
template <typename Record, typename Struct>
static Result copyRow(const gpucostReport *report,
                      std::vector<Record> IterationReport::*list, size_t index,
                      const char *kind, const char *name, Struct *to) {
  if (!report)
    return invalid("the report is NULL");
  if (Result result = checkSize(to, name); result.failed())
    return result;
  const std::vector<Record> &rows = report->report.*list;
  if (index >= rows.size())
    return error(GPUCOST_NOT_FOUND, "the report has ", rows.size(), " ", kind);
  Struct out{};
  copyTo(out, rows[index]);
  if constexpr (std::is_same_v<Record, KernelRow>) {
    out.cost.throttled = report->report.throttled;
    out.cost.limit_unreachable = report->report.limitUnreachable;
  }
  writeStruct(to, out);
  return ok();
}

gpucostStatus gpucostReportPhase(const gpucostReport *report, size_t index,
                                 gpucostPhaseTotals *phase) {
  return guard([&] {
    return copyRow(report, &IterationReport::phases, index, "phases",
                   "gpucostPhaseTotals", phase);
  });
}

gpucostStatus gpucostReportKernel(const gpucostReport *report, size_t index,
                                  gpucostKernelRow *row) {
  return guard([&] {
    return copyRow(report, &IterationReport::kernels, index, "kernels",
                   "gpucostKernelRow", row);
  });
}

const char *gpucostReportNote(const gpucostReport *report, size_t index) {
  return report && index < report->report.notes.size()
             ? report->report.notes[index].c_str()
             : nullptr;
}

gpucostStatus gpucostReportJson(const gpucostReport *report,
                                const char *groupBy, char **text,
                                size_t *size) {
  return guard([&] {
    if (!report)
      return invalid("the report is NULL");
    std::optional<GroupBy> group = groupByOf(groupBy ? groupBy : "");
    if (!group)
      return invalid("unknown group '", groupBy,
                     "', expected op, layer or "
                     "scope");
    ReportOptions options;
    options.groupBy = *group;
    return copyText(reportJson(report->report, options), text, size);
  });
}

static Result copyPage(PageKind kind, std::string_view title,
                       std::string_view json, char **text, size_t *size) {
  auto page = makePage(kind, title, json);
  return page ? copyText(*page, text, size)
              : error(GPUCOST_UNSUPPORTED, page.error().message);
}

gpucostStatus gpucostEvaluatePage(const gpucostPlaced *placed,
                                  const gpucostRun *given, char **text,
                                  size_t *size) {
  return guard([&] {
    if (!placed)
      return invalid("the placed model is NULL");
    IterationReport report;
    if (Result result = evaluate(*placed, given, report); result.failed())
      return result;
    report.details = explainIteration(placed->placed, report);
    return copyPage(PageKind::Report, report.model + " on " + report.target,
                    reportJson(report, ReportOptions()), text, size);
  });
}

gpucostStatus gpucostMakePage(const char *kind, const char *title,
                              const char *json, size_t jsonSize, char **text,
                              size_t *size) {
  return guard([&] {
    std::optional<PageKind> found = pageKindOf(kind ? kind : "");
    if (!found)
      return invalid("unknown kind of page '", kind ? kind : "",
                     "', expected report, sweep, comparison or optimum");
    if (!json)
      return invalid("the JSON is NULL");
    return copyPage(*found, title ? title : "", {json, jsonSize}, text, size);
  });
}

gpucostStatus gpucostEvaluateMany(const gpucostPlaced *placed,
                                  const gpucostRun *runs, size_t runStride,
                                  size_t count, gpucostTotals *totals,
                                  size_t totalsStride) {
  return guard([&] {
    if (!placed)
      return invalid("the placed model is NULL");
    StructArray<const gpucostRun> inputs;
    StructArray<gpucostTotals> outputs;
    if (Result result = StructArray<const gpucostRun>::create(
            runs, runStride, count, "gpucostRun", inputs);
        result.failed())
      return result;
    if (Result result = StructArray<gpucostTotals>::create(
            totals, totalsStride, count, "gpucostTotals", outputs);
        result.failed())
      return result;
    std::vector<IterationOptions> options(count);
    for (size_t i = 0; i < count; ++i) {
      gpucostRun in;
      Result result = readStruct(inputs.at(i), in, "gpucostRun");
      if (!result.failed())
        result = readRun(*placed, in, options[i]);
      if (result.failed())
        return error(result.status, "run ", i, ": ", result.message);
    }
    const PlacedModel &model = placed->placed;
    std::optional<IterationReport> report;
    for (size_t i = 0; i < count; ++i) {
      IterationSummary summary = model.summarize(options[i]);
      // What does not depend on the run is counted once.
      if (report)
        model.restateTotals(*report, summary, options[i]);
      else
        report = model.report(summary, options[i]);
      writeStruct(outputs.prepare(i), totalsOf(*report));
    }
    return ok();
  });
}
