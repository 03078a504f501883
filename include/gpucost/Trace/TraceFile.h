//===- TraceFile.h - A timeline in the trace event format -------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The JSON trace event format, which Perfetto and chrome://tracing open, with
// the categories and arguments of traces of the PyTorch profiler, so that tools
// for these read a prediction, too. docs/Trace.md lists the events.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_TRACE_TRACEFILE_H
#define GPUCOST_TRACE_TRACEFILE_H

#include "gpucost/Trace/Timeline.h"
#include <functional>
#include <string_view>

namespace gpucost {

/// Takes the pieces of a text one after another.
using TextSink = std::function<void(std::string_view)>;

/// Writes `timeline`, which is that of `totals`. `model` is the name of the
/// model for people.
void writeTrace(const PlacedModel &placed, const IterationTotals &totals,
                const Timeline &timeline, std::string_view model,
                const TextSink &sink);

} // namespace gpucost

#endif // GPUCOST_TRACE_TRACEFILE_H
