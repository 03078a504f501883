//===- TraceText.cpp - Events of the trace event format -------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TraceText.h"
#include "KernelText.h"
#include "gpucost/Core/Support/JsonStream.h"
#include <charconv>
#include <cmath>

using namespace gpucost;

int64_t gpucost::inNs(Seconds time) {
  return static_cast<int64_t>(std::llround(time.value() * 1e9));
}

TraceText &TraceText::operator<<(int64_t number) {
  char digits[24];
  buffer.append(digits, std::to_chars(digits, digits + 24, number).ptr);
  return *this;
}

TraceText &TraceText::us(int64_t ns) {
  char digits[4] = {'.', char('0' + ns / 100 % 10), char('0' + ns / 10 % 10),
                    char('0' + ns % 10)};
  *this << ns / 1000;
  buffer.append(digits, 4);
  return *this;
}

void TraceText::name(std::string_view what, int process, int thread,
                     std::string_view name) {
  *this << ",\n{\"ph\":\"M\",\"name\":\"" << what
        << "\",\"pid\":" << int64_t(process) << ",\"tid\":" << int64_t(thread)
        << ",\"ts\":0,\"args\":{\"name\":" << jsonText(name) << "}}";
}

void TraceText::begin(std::string_view category, std::string_view name,
                      int process, int thread, int64_t from, int64_t until) {
  *this << ",\n{\"ph\":\"X\",\"cat\":\"" << category << "\",\"name\":" << name
        << ",\"pid\":" << int64_t(process) << ",\"tid\":" << int64_t(thread)
        << ",\"ts\":";
  us(from) << ",\"dur\":";
  us(until - from) << ",\"args\":{";
}

void TraceText::flow(char phase, std::string_view category, int64_t id,
                     int process, int thread, int64_t at) {
  *this << ",\n{\"ph\":\"" << std::string_view(&phase, 1) << "\",\"cat\":\""
        << category << "\",\"name\":\"" << category << "\",\"id\":" << id
        << ",\"pid\":" << int64_t(process) << ",\"tid\":" << int64_t(thread)
        << ",\"ts\":";
  us(at) << (phase == 'f' ? ",\"bp\":\"e\"}" : "}");
}

std::string gpucost::traceHead(const Gpu &gpu, std::string_view model,
                               int64_t gpus) {
  std::string head;
  JsonStream json(head, /*indented=*/false);
  json.object([&] {
    json.attribute("schemaVersion", 1);
    json.attribute("displayTimeUnit", "ms");
    json.attribute("traceName", model);
    json.attributeArray("deviceProperties", [&] {
      json.object([&] {
        json.attribute("id", 0);
        json.attribute("name", gpu.name);
        json.number("totalGlobalMem", gpu.totalMemory().value());
        json.attribute("numSms", gpu.smCount);
      });
    });
    json.attributeObject("distributedInfo", [&] {
      json.attribute("backend", "nccl");
      json.attribute("rank", 0);
      json.attribute("world_size", gpus);
    });
    json.attributeObject("otherData", [&] {
      json.attribute("producer", "gpu-cost-opt");
      json.attribute("content", "a prediction, not a measurement");
    });
  });
  head.pop_back();
  return head + ",\"traceEvents\":[\n";
}
