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
#include "gpucost/Core/Support/InputFile.h"
#include <cerrno>
#include <cstdio>

using namespace gpucost;
using namespace gpucost::capi;

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static gpucostPrepared *load(std::string bytes) {
  PreparedFile file = valueOf(decodePrepared(bytes), GPUCOST_BAD_DATA);
  return new gpucostPrepared{std::move(bytes), std::move(file)};
}

gpucostStatus gpucostPreparedLoad(const void *bytes, size_t size,
                                  gpucostPrepared **prepared) {
  return guard([&] {
    require(bytes, "the bytes are NULL");
    require(prepared, "the place for the prepared model is NULL");
    *prepared = load({static_cast<const char *>(bytes), size});
  });
}

gpucostStatus gpucostPreparedLoadFile(const char *path,
                                      gpucostPrepared **prepared) {
  return guard([&] {
    require(path, "the path is NULL");
    require(prepared, "the place for the prepared model is NULL");
    std::string bytes = valueOf(readInput(path, mostBytesOfData), GPUCOST_IO);
    try {
      *prepared = load(std::move(bytes));
    } catch (const Failure &failure) {
      refuse(failure.status, "'", path, "': ", failure.message);
    }
  });
}

void gpucostPreparedFree(gpucostPrepared *prepared) { delete prepared; }

gpucostStatus gpucostPreparedBytes(const gpucostPrepared *prepared,
                                   const void **bytes, size_t *size) {
  return guard([&] {
    require(prepared && bytes && size, "an argument is NULL");
    *bytes = prepared->bytes.data();
    *size = prepared->bytes.size();
  });
}

gpucostStatus gpucostPreparedGetInfo(const gpucostPrepared *prepared,
                                     gpucostPreparedInfo *info) {
  return guard([&] {
    require(prepared, "the prepared model is NULL");
    checkSize(info, "gpucostPreparedInfo");
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
  });
}

//===----------------------------------------------------------------------===//
// On a GPU
//===----------------------------------------------------------------------===//

std::shared_ptr<const PreparedModel>
capi::restateFor(const gpucostModel &model, const ScenarioTarget &from,
                 PreparedModel prepared) {
  // The device of the model replaces the one that it was prepared for.
  prepared.given.targetFile.reset();
  prepared.given.coefficients.reset();
  prepared.given.interconnect.reset();
  prepared.given.network.reset();
  return valueOf(restate(prepared, from, model.settings,
                         getScenarioTarget(model.model, model.format)));
}

CostModel capi::costModelOf(const gpucostModel &model,
                            const Settings &settings) {
  if (settings.kernels() == model.model.choice())
    return model.model;
  return valueOf(CostModel::create(model.model.gpu(), model.coefficients,
                                   settings.kernels()));
}

gpucostStatus gpucostPlace(const gpucostPrepared *prepared,
                           const gpucostModel *model, gpucostPlaced **placed) {
  return guard([&] {
    require(prepared && model && placed, "an argument is NULL");
    const PreparedFile &file = prepared->file;
    auto changed = restateFor(*model, file.target, file.model);
    CostModel costs = costModelOf(*model, file.model.settings);
    *placed = new gpucostPlaced{valueOf(PlacedModel::create(changed, costs)),
                                file.name,
                                getScenarioTarget(model->model, model->format)};
  });
}

void gpucostPlacedFree(gpucostPlaced *placed) { delete placed; }

static Settings readRun(const gpucostPlaced &placed, const gpucostRun &in) {
  const PreparedModel &model = placed.placed.prepared();
  Scenario changes;
  if (in.runtime) {
    if (stringifyEnum(static_cast<Runtime>(in.runtime - 1)).empty())
      invalid("'runtime' of gpucostRun is ", in.runtime,
              ", which is not a valid value");
    changes.runtime = static_cast<Runtime>(in.runtime - 1);
    // Eager execution and CUDA graphs launch the same kernels, apart from the
    // optimizer's, which stay those of the preparation.
    auto isEager = [](Runtime runtime) {
      return runtime == Runtime::Eager || runtime == Runtime::CudaGraph;
    };
    Runtime own = model.settings.runtime, other = *changes.runtime;
    if (own != other && !(isEager(own) && isEager(other)))
      refuse(GPUCOST_UNSUPPORTED, "the model is prepared for the runtime '",
             stringifyRuntime(own), "'; prepare it with the runtime '",
             stringifyRuntime(other), "'");
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
    invalid("gpucostRun: ", fault);
  Settings run = model.settings;
  apply(changes, run);
  return run;
}

/// The report of the run `given`, or the prepared run for NULL.
static IterationReport evaluate(const gpucostPlaced &placed,
                                const gpucostRun *given) {
  IterationReport report = placed.placed.evaluate(
      readRun(placed, readOptional(given, "gpucostRun")));
  report.model = placed.name;
  return report;
}

gpucostStatus gpucostEvaluate(const gpucostPlaced *placed,
                              const gpucostRun *given, gpucostReport **report) {
  return guard([&] {
    require(placed, "the placed model is NULL");
    require(report, "the place for the report is NULL");
    *report = new gpucostReport{evaluate(*placed, given)};
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
    require(report, "the report is NULL");
    checkSize(totals, "gpucostTotals");
    writeStruct(totals, totalsOf(report->report));
  });
}

/// Copies element `index` of a report list.
template <typename Record, typename Struct>
static gpucostStatus
copyRow(const gpucostReport *report, std::vector<Record> IterationReport::*list,
        size_t index, const char *kind, const char *name, Struct *to) {
  return guard([&] {
    require(report, "the report is NULL");
    checkSize(to, name);
    const std::vector<Record> &rows = report->report.*list;
    if (index >= rows.size())
      refuse(GPUCOST_NOT_FOUND, "the report has ", rows.size(), " ", kind);
    Struct out{};
    copyTo(out, rows[index]);
    if constexpr (std::is_same_v<Record, KernelRow>) {
      out.cost.throttled = report->report.throttled;
      out.cost.limit_unreachable = report->report.limitUnreachable;
    }
    writeStruct(to, out);
  });
}

gpucostStatus gpucostReportPhase(const gpucostReport *report, size_t index,
                                 gpucostPhaseTotals *phase) {
  return copyRow(report, &IterationReport::phases, index, "phases",
                 "gpucostPhaseTotals", phase);
}

gpucostStatus gpucostReportKernel(const gpucostReport *report, size_t index,
                                  gpucostKernelRow *row) {
  return copyRow(report, &IterationReport::kernels, index, "kernels",
                 "gpucostKernelRow", row);
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
    require(report, "the report is NULL");
    ReportOptions options;
    options.groupBy = readGroup(groupBy);
    copyText(reportJson(report->report, options), text, size);
  });
}

gpucostStatus gpucostEvaluatePage(const gpucostPlaced *placed,
                                  const gpucostRun *given, char **text,
                                  size_t *size) {
  return guard([&] {
    require(placed, "the placed model is NULL");
    IterationReport report = evaluate(*placed, given);
    report.details = explainIteration(placed->placed, report);
    copyText(valueOf(makePage(PageKind::Report,
                              report.model + " on " + report.target,
                              reportJson(report, ReportOptions()))),
             text, size);
  });
}

gpucostStatus gpucostMakePage(const char *kind, const char *title,
                              const char *json, size_t jsonSize, char **text,
                              size_t *size) {
  return guard([&] {
    std::optional<PageKind> found = pageKindOf(kind ? kind : "");
    if (!found)
      invalid("unknown kind of page '", kind ? kind : "",
              "', expected report, sweep, comparison or optimum");
    require(json, "the JSON is NULL");
    copyText(valueOf(makePage(*found, title ? title : "", {json, jsonSize})),
             text, size);
  });
}

gpucostStatus gpucostEvaluateMany(const gpucostPlaced *placed,
                                  const gpucostRun *runs, size_t runStride,
                                  size_t count, gpucostTotals *totals,
                                  size_t totalsStride) {
  return guard([&] {
    require(placed, "the placed model is NULL");
    StructArray<const gpucostRun> inputs(runs, runStride, count, "gpucostRun");
    StructArray<gpucostTotals> outputs(totals, totalsStride, count,
                                       "gpucostTotals");
    auto options = readEach(count, "run", [&](size_t i) {
      return readRun(*placed, readStruct(inputs.at(i), "gpucostRun"));
    });
    const PlacedModel &model = placed->placed;
    std::optional<IterationReport> report;
    for (size_t i = 0; i < count; ++i) {
      IterationSummary summary = model.summarize(options[i]);
      // Parts that do not depend on the run are counted once.
      if (report)
        model.restateTotals(*report, summary, options[i]);
      else
        report = model.report(summary, options[i]);
      writeStruct(outputs.prepare(i), totalsOf(*report));
    }
  });
}
