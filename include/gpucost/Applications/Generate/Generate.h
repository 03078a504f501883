//===- Generate.h - Pipelines of image and video models ---------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_GENERATE_GENERATE_H
#define GPUCOST_APPLICATIONS_GENERATE_GENERATE_H

#include "gpucost/Compiler/Session/LoadedModel.h"
#include "gpucost/Compiler/Transforms/ContextCode.h"
#include "gpucost/Core/Report/RecordShape.h"
#include "gpucost/Core/Report/ReportField.h"
#include "llvm/ADT/FunctionExtras.h"
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace gpucost::generate {

/// One network of a pipeline file. docs/Generation.md describes the members.
struct PipelineNetwork {
  std::string name, graph;
  double calls = 1;
  bool eachStep = false;
  int64_t copies = 1;
  bool guided = false;
  /// Outputs of one call; 0: the whole batch.
  int64_t outputs = 0;
  /// Tokens of an output that GPUs share; 0: every GPU computes all.
  int64_t tokens = 0;
  bool oneGpu = false;
  /// Code of attention on several GPUs.
  ContextCode code = ContextCode::LongContext;
  /// Time of a call that runs on the host, without a graph.
  Seconds host;
};

struct Pipeline {
  std::string path, output;
  int64_t steps = 1;
  /// Samples of a guided network for each output.
  int64_t guidance = 1;
  std::vector<PipelineNetwork> networks;
};

/// Reads a pipeline file, the contents of which are `text`.
llvm::Expected<Pipeline> readPipeline(llvm::StringRef text,
                                      llvm::StringRef path);

/// Time of the host for communication of attention, where it is known.
struct HostTimes {
  std::optional<Seconds> exchange; ///< one all-to-all
  std::optional<Seconds> ringStep; ///< attention on keys that were passed on
};
#define GPUCOST_REPORT "gpucost/Applications/Generate/GenerationReport.def"
#include "gpucost/Core/Report/DefineReport.inc"
using GenerationReport = GenerationFields;

/// Loads `path`, or returns null after a diagnostic.
using LoadNetwork =
    llvm::unique_function<std::unique_ptr<LoadedModel>(const std::string &)>;

/// Evaluates a pipeline for any number of batches and plans.
class Generator {
public:
  Generator(Pipeline pipeline, Scenario stated, HostTimes hostTimes,
            LoadNetwork load)
      : pipeline(std::move(pipeline)), stated(std::move(stated)),
        hostTimes(hostTimes), load(std::move(load)) {}

  /// Errors name the network; nullopt after a diagnostic.
  llvm::Expected<std::optional<GenerationReport>>
  predict(int64_t batch, const ContextPlan &plan);

private:
  /// One call on one GPU.
  struct Call {
    Seconds time, busy, host;
    Joules energy;
    std::optional<IterationErrorBars> errorBars;
    Watts idle;
    int64_t parameters = 0, device = 0;
    Bytes usable;
    bool isLowerBound = false;
    std::string target;
    std::vector<std::string> notes;
  };
  using Key =
      std::tuple<std::string, int64_t, int64_t, int64_t, int64_t, ContextCode>;

  llvm::Expected<const Call *> call(const PipelineNetwork &network,
                                    int64_t samples, const ContextPlan &plan);
  /// (X23) Time of the host for the collectives of `report`.
  Seconds collectiveTime(const IterationReport &report, int64_t ring) const;

  Pipeline pipeline;
  Scenario stated;
  HostTimes hostTimes;
  LoadNetwork load;
  std::map<std::string, std::unique_ptr<LoadedModel>> models;
  std::map<Key, Call> calls;
};

void printGeneration(const GenerationReport &report, llvm::raw_ostream &os);
/// Indented for one report, else one line.
void printGenerationJson(const GenerationReport &report, bool indented,
                         llvm::raw_ostream &os);
/// The data of a page: {"reports": [...]}.
void printGenerationPage(llvm::ArrayRef<GenerationReport> reports,
                         llvm::raw_ostream &os);
/// The fields of a report in JSON.
RecordShape shapeOfGeneration();

} // namespace gpucost::generate

#endif // GPUCOST_APPLICATIONS_GENERATE_GENERATE_H
