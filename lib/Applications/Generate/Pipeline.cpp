//===- Pipeline.cpp - Pipeline files --------------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Compare/JsonInput.h"
#include "gpucost/Applications/Generate/Generate.h"
#include "gpucost/Core/Scenario/Parallelism.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace gpucost;
using namespace gpucost::generate;
using compare::JsonObjectInput;
using llvm::StringRef;

/// Larger than any count of a pipeline.
static constexpr int64_t mostOfPipeline = 1'000'000;

static constexpr StringRef pipelineMembers[] = {"output", "steps", "guidance",
                                                "networks"};
static constexpr StringRef networkMembers[] = {
    "name",   "graph",     "calls",  "per",
    "copies", "guided",    "tokens", "outputs_per_call",
    "gpus",   "attention", "host_ms"};

static void checkMembers(const JsonObjectInput &input,
                         llvm::ArrayRef<StringRef> known, std::string &error) {
  for (const auto &[name, value] : input.get())
    if (error.empty() && !llvm::is_contained(known, StringRef(name)))
      error = "unknown member '" + input.pathOf(name) + "'; expected one of " +
              llvm::join(known, ", ");
}

static int64_t countOf(const JsonObjectInput &input, StringRef key,
                       int64_t initial) {
  if (!input.number(key))
    return initial;
  int64_t count = input.requiredCount(key);
  if (count < 1 || count > mostOfPipeline)
    input.fail(key, "a count from 1 to 1000000");
  return count;
}

static std::string choiceOf(const JsonObjectInput &input, StringRef key,
                            StringRef first, StringRef second) {
  std::string text = input.text(key);
  if (!text.empty() && text != first && text != second)
    input.fail(key, ("\"" + first + "\" or \"" + second + "\"").str());
  return text;
}

static PipelineNetwork readNetwork(const JsonObjectInput &input,
                                   StringRef folder, std::string &error) {
  checkMembers(input, networkMembers, error);
  PipelineNetwork network;
  network.name = input.requiredText("name");
  if (auto time = input.number("host_ms")) {
    constexpr double milli = 1e-3;
    if (!(*time > 0) || *time > mostOfPipeline)
      input.fail("host_ms", "a time above 0");
    network.host = Seconds(*time * milli);
    if (input.get().get("graph"))
      input.fail("graph", "none beside \"host_ms\"");
  } else {
    network.graph = input.requiredText("graph");
  }
  if (!network.graph.empty() && !llvm::sys::path::is_absolute(network.graph) &&
      !folder.empty()) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, network.graph);
    network.graph = path.str().str();
  }
  network.calls = input.number("calls").value_or(1);
  if (!(network.calls > 0) || network.calls > mostOfPipeline)
    input.fail("calls", "a number above 0");
  network.eachStep = choiceOf(input, "per", "output", "step") == "step";
  network.oneGpu = choiceOf(input, "gpus", "all", "one") == "one";
  if (choiceOf(input, "attention", "long-context", "usp") == "usp")
    network.code = ContextCode::Usp;
  network.copies = countOf(input, "copies", 1);
  network.tokens = countOf(input, "tokens", 0);
  network.outputs = countOf(input, "outputs_per_call", 0);
  if (std::optional<bool> guided = input.get().getBoolean("guided"))
    network.guided = *guided;
  else if (input.get().get("guided"))
    input.fail("guided", "true or false");
  return network;
}

llvm::Expected<Pipeline> generate::readPipeline(StringRef text,
                                                StringRef path) {
  auto object =
      compare::parseJsonObject(text, path, "expected the object of a pipeline");
  if (!object)
    return object.takeError();
  std::string error;
  JsonObjectInput input(*object, "", error);
  checkMembers(input, pipelineMembers, error);
  Pipeline pipeline;
  pipeline.path = path.str();
  pipeline.output = input.text("output");
  if (pipeline.output.empty())
    pipeline.output = "output";
  pipeline.steps = countOf(input, "steps", 1);
  pipeline.guidance = countOf(input, "guidance", 1);
  const llvm::json::Array *list = input.list("networks");
  if (!list || list->empty())
    input.fail("networks", "a list of networks");
  else
    for (size_t i = 0; i < list->size(); ++i) {
      std::string place = "networks[" + std::to_string(i) + "]";
      if (const llvm::json::Object *each = (*list)[i].getAsObject())
        pipeline.networks.push_back(
            readNetwork(JsonObjectInput(*each, place, error),
                        llvm::sys::path::parent_path(path), error));
      else if (error.empty())
        error = "'" + place + "' expects an object";
    }
  if (error.empty() &&
      llvm::all_of(pipeline.networks, [](const PipelineNetwork &network) {
        return network.graph.empty();
      }))
    input.fail("networks", "at least one with a graph");
  if (!error.empty())
    return compare::refuseFile(path, error);
  return pipeline;
}
