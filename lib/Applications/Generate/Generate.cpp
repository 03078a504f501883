//===- Generate.cpp - Evaluates a pipeline --------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Generate/Generate.h"
#include "gpucost/Compiler/Transforms/ContextCode.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include <cmath>

using namespace mlir;
using namespace gpucost;
using namespace gpucost::generate;

/// "x{gpus}.onnx" is a separate graph for each number of GPUs.
static std::string graphFor(const PipelineNetwork &network,
                            const ContextPlan &plan) {
  static constexpr llvm::StringLiteral mark = "{gpus}";
  std::string path = network.graph;
  if (size_t at = path.find(mark.data()); at != std::string::npos)
    path.replace(at, mark.size(), std::to_string(plan.gpus()));
  return path;
}

/// Whether a dimension of an input has no value in the file.
static bool isSymbolic(ModuleOp module) {
  bool symbolic = false;
  for (auto function : module.getOps<func::FuncOp>())
    symbolic |= llvm::any_of(function.getArgumentTypes(), [](Type type) {
      auto shaped = dyn_cast<ShapedType>(type);
      return shaped && !shaped.hasStaticShape();
    });
  return symbolic;
}

/// The settings of a call: its samples, and its tokens on the GPUs of `plan`.
static Scenario scenarioOf(const Scenario &stated,
                           const PipelineNetwork &network, int64_t samples,
                           const ContextPlan &plan) {
  Scenario scenario = stated;
  scenario.batch = samples;
  if (network.tokens)
    scenario.seq = network.tokens;
  if (network.tokens && !network.oneGpu && plan.gpus() > 1) {
    scenario.gpus = plan.gpus();
    scenario.parallel = Parallelism{};
    scenario.parallel->data = 1;
    scenario.parallel->context = plan.gpus();
    scenario.context = toText(plan);
  }
  return scenario;
}

Seconds Generator::collectiveTime(const IterationReport &report,
                                  int64_t ring) const {
  // Keys and values of one attention are two collectives.
  constexpr double tensorsOfStep = 2;
  Seconds time;
  for (const KernelRow &kernel : report.kernels) {
    llvm::StringRef shape = kernel.shape;
    auto count = static_cast<double>(kernel.count);
    if (kernel.family != KernelFamily::Collective)
      continue;
    if (shape.starts_with("all_to_all"))
      time += hostTimes.exchange.value_or(Seconds(0)) * count;
    // A gather brings the keys of all further parts.
    double parts = shape.starts_with("send_recv")    ? 1
                   : shape.starts_with("all_gather") ? ring - 1
                                                     : 0;
    time += hostTimes.ringStep.value_or(Seconds(0)) *
            (count / tensorsOfStep * parts);
  }
  return time;
}

llvm::Expected<const Generator::Call *>
Generator::call(const PipelineNetwork &network, int64_t samples,
                const ContextPlan &plan) {
  std::string path = graphFor(network, plan);
  bool shares = network.tokens && !network.oneGpu;
  int64_t heads = shares ? plan.heads : 1, ring = shares ? plan.ring : 1;
  Key key{path, samples, network.tokens, heads, ring, network.code};
  if (auto it = calls.find(key); it != calls.end())
    return &it->second;
  std::unique_ptr<LoadedModel> &model = models[path];
  if (!model && !(model = load(path)))
    return nullptr;
  Scenario scenario = scenarioOf(stated, network, samples, plan);
  ModuleOp module = *model->module();
  // A file with fixed shapes may be one output.
  if (samples == 1 && network.outputs == 1 && !isSymbolic(module))
    scenario.batch = std::nullopt;
  if (llvm::Error error = model->check(scenario))
    return std::move(error);
  setContextCode(module, network.code);
  FailureOr<Session::Prepared> prepared = model->session().prepare(scenario);
  if (failed(prepared))
    return nullptr;
  FailureOr<PlacedModel> placed = model->session().place(*prepared);
  if (failed(placed))
    return nullptr;
  IterationReport report = placed->evaluate();
  const MemoryPlan &memory = placed->memoryPlan();
  Call found{report.time,
             report.gpuBusy,
             report.host,
             report.energy,
             report.errorBars,
             placed->model().idlePower(report.clock),
             placed->prepared().memory.parameterBytes,
             memory.device,
             Bytes(static_cast<double>(memory.usable)),
             report.isLowerBound(),
             report.target,
             report.notes};
  found.host += collectiveTime(report, ring);
  if (Seconds wait = found.host - found.time; wait > Seconds(0)) {
    found.time += wait;
    found.energy += found.idle * wait;
  }
  if (found.target.empty())
    found.target = placed->model().gpu().name;
  return &(calls[key] = std::move(found));
}

static void addNotes(GenerationReport &report,
                     const std::vector<std::string> &notes) {
  for (const std::string &note : notes)
    if (!llvm::is_contained(report.notes, note))
      report.notes.push_back(note);
}

llvm::Expected<std::optional<GenerationReport>>
Generator::predict(int64_t batch, const ContextPlan &plan) {
  GenerationReport report;
  report.pipeline = pipeline.path;
  report.output = pipeline.output;
  report.steps = pipeline.steps;
  report.batch = batch;
  report.gpus = plan.gpus();
  report.context = toText(plan);
  IterationErrorBars widths;
  bool hasBars = true;
  int64_t working = 0;
  Watts idle;
  for (const PipelineNetwork &network : pipeline.networks) {
    GenerationPhase phase;
    int64_t outputs =
        network.outputs ? std::min(network.outputs, batch) : batch;
    phase.name = network.name;
    phase.samples =
        saturatingProduct(outputs, network.guided ? pipeline.guidance : 1);
    phase.calls =
        network.calls * static_cast<double>(network.copies) *
        static_cast<double>(network.eachStep ? pipeline.steps : 1) *
        std::ceil(static_cast<double>(batch) / static_cast<double>(outputs));
    if (network.host > Seconds(0)) {
      phase.gpus = plan.gpus();
      phase.time = phase.host = network.host * phase.calls;
      report.phases.push_back(std::move(phase));
      continue;
    }
    llvm::Expected<const Call *> found = call(network, phase.samples, plan);
    if (!found)
      return llvm::createStringError("network '" + network.name +
                                     "': " + llvm::toString(found.takeError()));
    if (!*found)
      return std::nullopt;
    const Call &one = **found;
    idle = one.idle;
    phase.gpus = network.oneGpu ? 1 : plan.gpus();
    phase.time = one.time * phase.calls;
    phase.busy = one.busy * phase.calls;
    phase.host = one.host * phase.calls;
    phase.energy =
        one.energy * phase.calls * static_cast<double>(phase.gpus) +
        one.idle * phase.time * static_cast<double>(plan.gpus() - phase.gpus);
    phase.isLowerBound = one.isLowerBound;
    phase.parameters = saturatingProduct(one.parameters, network.copies);
    phase.working = one.device - one.parameters;
    report.target = one.target;
    report.usable = one.usable;
    report.parameters = saturatingSum(report.parameters, phase.parameters);
    working = std::max(working, phase.working);
    hasBars &= one.errorBars.has_value();
    if (one.errorBars) {
      widths.time += one.errorBars->time * phase.time.value();
      widths.energy += one.errorBars->energy * phase.energy.value();
    }
    addNotes(report, one.notes);
    report.phases.push_back(std::move(phase));
  }
  for (auto [phase, network] : llvm::zip(report.phases, pipeline.networks)) {
    if (network.graph.empty())
      phase.energy = idle * phase.time * static_cast<double>(phase.gpus);
    report.latency += phase.time;
    report.energy += phase.energy;
  }
  report.memory = saturatingSum(report.parameters, working);
  if (hasBars && report.latency > Seconds(0)) {
    widths.time /= report.latency.value();
    widths.energy /= report.energy.value();
    report.errorBars = widths;
  }
  if ((plan.heads > 1 && !hostTimes.exchange) ||
      (plan.ring > 1 && !hostTimes.ringStep))
    report.notes.push_back("time of the host for collectives is not included; "
                           "state --host-exchange-us and --host-ring-us");
  if (static_cast<double>(report.memory) > report.usable.value())
    report.notes.push_back("all networks together do not fit the memory of "
                           "one GPU");
  return std::optional(std::move(report));
}
