//===- Launch.cpp - Arguments of training frameworks ----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Names of Megatron-LM (megatron/training/arguments.py), NeMo 2 (recipes) and
// torchtitan (config/job_config.py).

#include "gpucost/Applications/Plan/Plan.h"
#include "gpucost/Core/Scenario/PipelineLayout.h"
#include <fmt/format.h>

using namespace gpucost;
using namespace gpucost::plan;

namespace {

/// The numbers of a plan that all frameworks take.
struct LaunchPlan {
  explicit LaunchPlan(const Settings &settings)
      : settings(settings), plan(settings.plan()), layout(layoutOf(settings)),
        recompute(toText(settings.recompute)) {}

  const Settings &settings;
  const Parallelism plan;
  const PipelineLayout layout;
  const std::string recompute;

  bool hasVirtualStages() const { return layout.perRank > 1; }
  /// cp_comm_type of Megatron; "" for its default, a ring.
  std::string_view contextKind() const {
    ContextPlan context = settings.contextPlan();
    if (context.heads > 1)
      return context.ring > 1 ? "a2a+p2p" : "a2a";
    return context.gathers ? "all_gather" : "";
  }
  int64_t batch() const { return settings.batch.value_or(1); }
};

using Arguments = std::vector<std::string>;

template <typename... Ts>
void add(Arguments &arguments, fmt::format_string<Ts...> format,
         Ts &&...values) {
  arguments.push_back(fmt::format(format, std::forward<Ts>(values)...));
}

} // namespace

static Arguments megatronArguments(const LaunchPlan &launch) {
  const Parallelism &plan = launch.plan;
  Arguments arguments;
  add(arguments, "--tensor-model-parallel-size {}", plan.tensor);
  add(arguments, "--pipeline-model-parallel-size {}", plan.pipeline);
  if (launch.hasVirtualStages())
    add(arguments, "--num-virtual-stages-per-pipeline-rank {}",
        launch.layout.perRank);
  if (plan.context > 1)
    add(arguments, "--context-parallel-size {}", plan.context);
  if (std::string_view kind = launch.contextKind(); !kind.empty())
    add(arguments, "--cp-comm-type {}", kind);
  if (ContextPlan context = launch.settings.contextPlan();
      context.heads > 1 && context.ring > 1)
    add(arguments, "--hierarchical-context-parallel-sizes {} {}", context.heads,
        context.ring);
  if (plan.expertGpus() > 1)
    add(arguments, "--expert-model-parallel-size {}", plan.expertGpus());
  if (launch.settings.sequenceParallel)
    arguments.push_back("--sequence-parallel");
  if (plan.stage == 1)
    arguments.push_back("--use-distributed-optimizer");
  else if (plan.isSharded() && plan.shards)
    for (const char *argument :
         {"--use-megatron-fsdp",
          "--data-parallel-sharding-strategy optim_grads_params"})
      arguments.push_back(argument);
  else if (plan.isSharded())
    arguments.push_back("--use-torch-fsdp2");
  if (plan.shards)
    add(arguments, "--num-distributed-optimizer-instances {}", plan.copies());
  add(arguments, "--micro-batch-size {}", launch.batch());
  add(arguments, "--global-batch-size {}",
      launch.settings.globalBatch.value_or(launch.batch()));
  if (launch.settings.seq)
    add(arguments, "--seq-length {}", *launch.settings.seq);
  if (launch.recompute == "full")
    for (const char *argument :
         {"--recompute-granularity full", "--recompute-method uniform",
          "--recompute-num-layers 1"})
      arguments.push_back(argument);
  else if (launch.recompute == "selective")
    arguments.push_back("--recompute-granularity selective");
  return arguments;
}

static Arguments nemoArguments(const LaunchPlan &launch) {
  const Parallelism &plan = launch.plan;
  Arguments arguments;
  add(arguments, "trainer.strategy.tensor_model_parallel_size={}", plan.tensor);
  add(arguments, "trainer.strategy.pipeline_model_parallel_size={}",
      plan.pipeline);
  if (launch.hasVirtualStages())
    add(arguments, "trainer.strategy.virtual_pipeline_model_parallel_size={}",
        launch.layout.perRank);
  add(arguments, "trainer.strategy.context_parallel_size={}", plan.context);
  if (std::string_view kind = launch.contextKind(); !kind.empty())
    add(arguments, "model.config.cp_comm_type={}", kind);
  if (plan.expertGpus() > 1)
    add(arguments, "trainer.strategy.expert_model_parallel_size={}",
        plan.expertGpus());
  add(arguments, "trainer.strategy.sequence_parallel={}",
      launch.settings.sequenceParallel ? "True" : "False");
  add(arguments, "trainer.strategy.ddp.use_distributed_optimizer={}",
      plan.stage == 1 ? "True" : "False");
  if (plan.shards)
    add(arguments,
        "trainer.strategy.ddp.num_distributed_optimizer_instances={}",
        plan.copies());
  add(arguments, "data.micro_batch_size={}", launch.batch());
  add(arguments, "data.global_batch_size={}",
      launch.settings.globalBatch.value_or(launch.batch()));
  if (launch.settings.seq)
    add(arguments, "data.seq_length={}", *launch.settings.seq);
  if (launch.recompute == "full")
    for (const char *argument : {"model.config.recompute_granularity=full",
                                 "model.config.recompute_method=uniform",
                                 "model.config.recompute_num_layers=1"})
      arguments.push_back(argument);
  else if (launch.recompute == "selective")
    arguments.push_back("model.config.recompute_granularity=selective");
  return arguments;
}

static Arguments torchtitanArguments(const LaunchPlan &launch) {
  const Parallelism &plan = launch.plan;
  Arguments arguments;
  int64_t copies = plan.stage > 0 ? plan.copies() : plan.data;
  add(arguments, "--parallelism.data_parallel_shard_degree {}",
      plan.data / copies);
  add(arguments, "--parallelism.data_parallel_replicate_degree {}", copies);
  add(arguments, "--parallelism.tensor_parallel_degree {}", plan.tensor);
  add(arguments, "--parallelism.context_parallel_degree {}", plan.context);
  if (plan.expertGpus() > 1)
    add(arguments, "--parallelism.expert_parallel_degree {}",
        plan.expertGpus());
  add(arguments, "--parallelism.pipeline_parallel_degree {}", plan.pipeline);
  if (plan.pipeline > 1)
    add(arguments, "--parallelism.pipeline_parallel_schedule {}",
        launch.hasVirtualStages() ? "Interleaved1F1B" : "1F1B");
  // A rank gets the micro-batches of a step as one batch.
  add(arguments, "--training.local_batch_size {}",
      launch.batch() *
          (plan.pipeline > 1 ? launch.settings.microBatches() : 1));
  if (plan.pipeline > 1)
    add(arguments, "--parallelism.pipeline_parallel_microbatch_size {}",
        launch.batch());
  add(arguments, "--training.global_batch_size {}",
      launch.settings.globalBatch.value_or(launch.batch()));
  if (launch.settings.seq)
    add(arguments, "--training.seq_len {}", *launch.settings.seq);
  add(arguments, "--activation_checkpoint.mode {}", launch.recompute);
  return arguments;
}

namespace {
struct Launcher {
  std::string_view name;
  Arguments (*arguments)(const LaunchPlan &launch);
};
} // namespace

static constexpr Launcher allLaunchers[] = {
    {"megatron", megatronArguments},
    {"nemo", nemoArguments},
    {"torchtitan", torchtitanArguments}};

std::vector<std::string_view> plan::launchers() {
  std::vector<std::string_view> names;
  for (const Launcher &launcher : allLaunchers)
    names.push_back(launcher.name);
  return names;
}

std::vector<std::string> plan::launchArguments(llvm::StringRef name,
                                               const Settings &settings) {
  for (const Launcher &launcher : allLaunchers)
    if (llvm::StringRef(launcher.name) == name)
      return launcher.arguments(LaunchPlan(settings));
  return {};
}
