//===- TraceFile.h - A timeline in the trace event format -------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The JSON trace event format, which Perfetto and chrome://tracing open, with
// the categories and arguments of PyTorch profiler traces, so that profiler
// tools can also read predictions. docs/Trace.md lists the events.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_TRACE_TRACEFILE_H
#define GPUCOST_CORE_TRACE_TRACEFILE_H

#include "gpucost/Core/Trace/Timeline.h"
#include <functional>
#include <string_view>

namespace gpucost {

/// Receives consecutive pieces of a text.
using TextSink = std::function<void(std::string_view)>;

/// Writes the `timeline` of `totals`. `model` is the displayed name of the
/// model.
void writeTrace(const PlacedModel &placed, const IterationTotals &totals,
                const Timeline &timeline, std::string_view model,
                const TextSink &sink);

/// Writes the passes of all ranks; `totals` are those of a pipeline.
void writePipelineTrace(const PlacedModel &placed,
                        const IterationTotals &totals, std::string_view model,
                        const TextSink &sink);

} // namespace gpucost

#endif // GPUCOST_CORE_TRACE_TRACEFILE_H
