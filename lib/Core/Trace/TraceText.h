//===- TraceText.h - Events of the trace event format -----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_CORE_TRACE_TRACETEXT_H
#define GPUCOST_LIB_CORE_TRACE_TRACETEXT_H

#include "gpucost/Core/Model/Gpu.h"
#include "gpucost/Core/Trace/TraceFile.h"
#include <string>

namespace gpucost {

/// All times of the format are in us; here they are whole ns.
int64_t inNs(Seconds time);

/// Buffers text into pieces of about a megabyte.
class TraceText {
public:
  explicit TraceText(const TextSink &sink) : sink(sink) {
    buffer.reserve(1 << 21);
  }
  ~TraceText() { sink(buffer); }
  TraceText &operator<<(std::string_view text) {
    buffer += text;
    return *this;
  }
  TraceText &operator<<(int64_t number);
  /// As microseconds.
  TraceText &us(int64_t ns);
  void pass() {
    if (buffer.size() < (1 << 20))
      return;
    sink(buffer);
    buffer.clear();
  }
  /// An event of metadata: the name of a process or thread.
  void name(std::string_view what, int process, int thread,
            std::string_view name);
  /// An event up to its arguments; `name` is JSON.
  void begin(std::string_view category, std::string_view name, int process,
             int thread, int64_t from, int64_t until);
  /// Flows begin and end inside the slices that they connect.
  void flow(char phase, std::string_view category, int64_t id, int process,
            int thread, int64_t at);

private:
  const TextSink &sink;
  std::string buffer;
};

/// The members of the document up to the first event of `traceEvents`.
std::string traceHead(const Gpu &gpu, std::string_view model, int64_t gpus);

} // namespace gpucost

#endif // GPUCOST_LIB_CORE_TRACE_TRACETEXT_H
