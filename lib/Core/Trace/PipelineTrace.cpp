//===- PipelineTrace.cpp - All ranks of a pipeline as a trace -------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A process for each rank with its passes, the messages that it sends, and the
// micro-batches whose activations it keeps. Flows lead from a pass to the one
// that reads its result.

#include "KernelText.h"
#include "TraceText.h"
#include "gpucost/Core/Iteration/Pipeline.h"
#include <map>
#include <tuple>

using namespace gpucost;

/// Tracks of a rank.
static constexpr int passes = 1, activations = 2, gradients = 3;

namespace {

/// (kind, stage, micro-batch).
using PassKey = std::tuple<PassKind, int64_t, int64_t>;

class PipelineWriter {
public:
  PipelineWriter(const PlacedModel &placed, const PipelineRun &run,
                 const TextSink &sink)
      : placed(placed), run(run),
        lastStage(static_cast<int64_t>(run.stages.size()) - 1), text(sink) {}

  void write(std::string_view model);

private:
  void writeRank(size_t rank);
  void writePass(int process, const PlacedPass &pass);
  void writeFlow(int process, const PlacedPass &pass);
  void writeTail(size_t rank, Seconds start);
  void slice(std::string_view category, std::string_view name, int process,
             int thread, Seconds from, Seconds until, const PipelinePass &pass);
  void count(int process, int64_t at, int64_t value);
  static std::string nameOf(const PipelinePass &pass);

  const PlacedModel &placed;
  const PipelineRun &run;
  int64_t lastStage;
  TraceText text;
  /// Where the result of a pass leaves.
  struct Sender {
    int process, thread;
    Seconds start;
  };
  std::map<PassKey, Sender> senders;
  int64_t flows = 0;
};

} // namespace

std::string PipelineWriter::nameOf(const PipelinePass &pass) {
  std::string_view kind = pass.kind == PassKind::Forward    ? "forward"
                          : pass.kind == PassKind::Backward ? "backward"
                                                            : "weights";
  return std::string(kind) + " stage " + std::to_string(pass.stage) +
         ", micro-batch " + std::to_string(pass.microBatch);
}

void PipelineWriter::count(int process, int64_t at, int64_t value) {
  text << ",\n{\"ph\":\"C\",\"pid\":" << int64_t(process)
       << ",\"tid\":0,\"name\":\"micro-batches with activations\",\"ts\":";
  text.us(at) << ",\"args\":{\"micro-batches\":" << value << "}}";
}

void PipelineWriter::slice(std::string_view category, std::string_view name,
                           int process, int thread, Seconds from, Seconds until,
                           const PipelinePass &pass) {
  text.begin(category, jsonText(name), process, thread, inNs(from),
             inNs(until));
  text << "\"stage\":" << pass.stage << ",\"micro_batch\":" << pass.microBatch
       << "}}";
}

void PipelineWriter::writePass(int process, const PlacedPass &pass) {
  slice("pass", nameOf(pass), process, passes, pass.start, pass.end, pass);
  Sender sender{process, passes, pass.start};
  if (pass.sent > pass.end) {
    const StageTimes &times = run.stages[static_cast<size_t>(pass.stage)];
    bool isForward = pass.kind == PassKind::Forward;
    Seconds start =
        pass.sent - (isForward ? times.sendForward : times.sendBackward);
    sender = {process, isForward ? activations : gradients, start};
    slice("message", isForward ? "send activations" : "send gradients", process,
          sender.thread, start, pass.sent, pass);
  }
  senders[{pass.kind, pass.stage, pass.microBatch}] = sender;
}

/// From the message that brings the input of `pass`, else the pass that made
/// it.
void PipelineWriter::writeFlow(int process, const PlacedPass &pass) {
  int64_t maker = pass.kind == PassKind::Forward    ? pass.stage - 1
                  : pass.kind == PassKind::Backward ? pass.stage + 1
                                                    : -1;
  auto found = senders.find({pass.kind, maker, pass.microBatch});
  if (found == senders.end())
    return;
  const Sender &sender = found->second;
  text.flow('s', "p2p", ++flows, sender.process, sender.thread,
            inNs(sender.start));
  text.flow('f', "p2p", flows, process, passes, inNs(pass.start));
}

void PipelineWriter::writeTail(size_t rank, Seconds start) {
  Seconds tail;
  for (size_t stage = 0; stage < run.stages.size(); ++stage)
    if (run.layout.rankOf(static_cast<int64_t>(stage)) ==
        static_cast<int64_t>(rank))
      tail += run.stages[stage].tail;
  if (tail <= Seconds(0))
    return;
  text.begin("pass", "\"gradient reduction and optimizer\"",
             static_cast<int>(rank), passes, inNs(start), inNs(start + tail));
  text << "}}";
}

void PipelineWriter::writeRank(size_t rank) {
  auto process = static_cast<int>(rank);
  std::string stages;
  for (int64_t stage = 0; stage <= lastStage; ++stage)
    if (run.layout.rankOf(stage) == process)
      stages += (stages.empty() ? "" : ", ") + std::to_string(stage);
  text.name("process_name", process, 0,
            "rank " + std::to_string(process) + ": stages " + stages +
                " (predicted)");
  text.name("thread_name", process, passes, "passes");
  text.name("thread_name", process, activations, "to the next stage");
  text.name("thread_name", process, gradients, "to the previous stage");
  text.begin("gpu_user_annotation", "\"ProfilerStep#0\"", process, passes, 0,
             inNs(run.timeline.time));
  text << "}}";
  int64_t kept = 0;
  Seconds end;
  for (const PlacedPass &pass : run.timeline.passes[rank]) {
    writePass(process, pass);
    end = run.layout.sendsBlock() ? pass.sent : pass.end;
    bool splits = run.layout.splitsBackward();
    if (pass.kind == PassKind::Forward)
      count(process, inNs(pass.start), ++kept);
    else if (pass.kind == (splits ? PassKind::Weights : PassKind::Backward))
      count(process, inNs(pass.end), --kept);
    text.pass();
  }
  writeTail(rank, end);
}

void PipelineWriter::write(std::string_view model) {
  const Gpu &gpu = placed.model().gpu();
  text << traceHead(gpu, model, placed.prepared().settings.gpus)
       << "{\"ph\":\"M\",\"name\":\"process_sort_index\",\"pid\":0,\"tid\":0,"
          "\"ts\":0,\"args\":{\"sort_index\":0}}";
  for (size_t rank = 0; rank < run.timeline.passes.size(); ++rank)
    writeRank(rank);
  for (size_t rank = 0; rank < run.timeline.passes.size(); ++rank)
    for (const PlacedPass &pass : run.timeline.passes[rank]) {
      writeFlow(static_cast<int>(rank), pass);
      text.pass();
    }
  text << "\n]}\n";
}

void gpucost::writePipelineTrace(const PlacedModel &placed,
                                 const IterationTotals &totals,
                                 std::string_view model, const TextSink &sink) {
  PipelineWriter(placed, *totals.pipeline, sink).write(model);
}
