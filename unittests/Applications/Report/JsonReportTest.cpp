//===- JsonReportTest.cpp - JSON against its schema -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SampleReport.h"
#include "gpucost/Core/Report/RecordShape.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "gtest/gtest.h"
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

using namespace gpucost;
namespace json = llvm::json;

/// Field path -> kind: "iteration.time_ms" -> "number".
using Fields = std::map<std::string, std::string>;

static std::string kindOf(const json::Value &value) {
  switch (value.kind()) {
  case json::Value::Null:
    return "null";
  case json::Value::Boolean:
    return "boolean";
  case json::Value::Number:
    return "number";
  case json::Value::String:
    return "string";
  case json::Value::Array:
    return "array";
  case json::Value::Object:
    return "object";
  }
  return "";
}

/// Keys of these objects are data.
static bool isMap(llvm::StringRef path) {
  return path == "bindings" || path == "coverage" ||
         path.ends_with("_fractions");
}

static void collect(const json::Value &value, const std::string &path,
                    Fields &fields) {
  if (!path.empty() && kindOf(value) != "null")
    fields[path] = kindOf(value);
  if (const json::Object *object = value.getAsObject())
    for (const auto &[key, inner] : *object) {
      std::string name = isMap(path) ? "*" : llvm::StringRef(key).str();
      // The values of settings are in docs/Settings.md.
      if (path == "settings" && name != "given")
        continue;
      collect(inner, path.empty() ? name : path + "." + name, fields);
    }
  if (const json::Array *array = value.getAsArray())
    for (const json::Value &inner : *array)
      collect(inner, path + "[]", fields);
}

static json::Value parse(llvm::StringRef text) {
  llvm::Expected<json::Value> value = json::parse(text);
  EXPECT_TRUE(static_cast<bool>(value)) << text.str();
  if (!value) {
    llvm::consumeError(value.takeError());
    return nullptr;
  }
  return *value;
}

static json::Value readSchema() {
  return parse(printSchema(shapeOfReport(), "report"));
}

/// The kind that is not null.
static std::string kindOf(const json::Object &node) {
  llvm::StringRef kind = node.getString("type").value_or("");
  if (const json::Array *kinds = node.getArray("type"))
    kind = *kinds->front().getAsString();
  return kind == "integer" ? "number" : kind.str();
}

/// The required fields below `node`, as `collect` names them.
static void collectSchema(const json::Object &node, const std::string &path,
                          Fields &fields) {
  if (!path.empty())
    fields[path] = kindOf(node);
  if (const json::Object *inner = node.getObject("items"))
    collectSchema(*inner, path + "[]", fields);
  // The values of settings are in docs/Settings.md.
  if (const json::Object *inner = node.getObject("additionalProperties");
      inner && path != "settings")
    collectSchema(*inner, path + ".*", fields);
  const json::Object *properties = node.getObject("properties");
  if (!properties)
    return;
  for (const json::Value &name : *node.getArray("required")) {
    std::string field = name.getAsString()->str();
    collectSchema(*properties->getObject(field),
                  path.empty() ? field : path + "." + field, fields);
  }
}

/// Every list has an entry and no optional part is missing.
static IterationReport fullReport() {
  IterationReport report = sample::report();
  CoverageEntry entry;
  entry.op = "com.example::Foo";
  entry.count = 2;
  entry.reason = "no cost rule";
  report.fallback = {2, 0.1, 0.2, {entry}};
  report.unmodelled = report.assumed = report.fallback;
  report.given.batch = 16;
  RunCost cost{Seconds(3600), Joules(3.6e6), 2.5, 400.0};
  report.cost = {cost, cost * 0.5, cost * 2};
  report.runIterations = 10;
  report.samples = 16;
  report.tokens = 2048;
  report.hint =
      OperatingHint{Hertz(1200e6), Watts(300), Seconds(1.7e-3), Joules(0.4)};
  MeasuredRows measured;
  measured.published = true;
  measured.timeError = measured.powerError = measured.energyError = 4;
  report.accuracy.nearest = {measured};
  report.sensitivities.push_back(
      {"sms", "108", /*isFact=*/true, -0.5, 0.1, 1.4, 3.0, Hertz(1200e6)});
  return report;
}

TEST(JsonReport, SchemaAndPrintedFieldsAgree) {
  Fields printed, required;
  collect(parse(sample::write("json", fullReport())), "", printed);
  json::Value schema = readSchema();
  collectSchema(*schema.getAsObject(), "", required);
  // The maps are too long for gtest to print.
  for (const auto &[field, kind] : printed)
    EXPECT_EQ(required[field], kind) << field << " is printed";
  for (const auto &[field, kind] : required)
    EXPECT_EQ(printed[field], kind) << field << " is required";
  EXPECT_GT(printed.size(), 80u);
}

// 10 iterations of an hour, 1 kWh, 2.5 money and 400 g, half to twice of that.
TEST(JsonReport, RunsAreMultiplesOfIterations) {
  json::Value root = parse(sample::write("json", fullReport()));
  const json::Object *run = root.getAsObject()->getObject("run");
  EXPECT_EQ(*run->getNumber("iterations"), 10);
  const json::Object *total = run->getObject("total");
  EXPECT_EQ(*total->getNumber("hours"), 10);
  EXPECT_EQ(*total->getNumber("energy_kwh"), 10);
  EXPECT_EQ(*total->getNumber("money"), 25);
  EXPECT_EQ(*total->getNumber("co2e_kg"), 4);
  EXPECT_EQ(*total->getNumber("hours_low"), 5);
  EXPECT_EQ(*total->getNumber("co2e_kg_high"), 8);
  // 16 samples and 2048 tokens an iteration.
  EXPECT_EQ(*run->getObject("per_million_samples")->getNumber("hours"),
            1e6 / 16);
  EXPECT_NEAR(*run->getObject("per_million_tokens")->getNumber("money"),
              2.5e6 / 2048, 1e-3);
}

// Unknown values are null, never 0.
TEST(JsonReport, LowerBounds) {
  IterationReport report = fullReport();
  auto iteration = [&] {
    json::Value value = parse(sample::write("json", report));
    return *value.getAsObject()->getObject("iteration");
  };
  EXPECT_EQ(iteration().getBoolean("time_is_lower_bound"), true);
  EXPECT_EQ(iteration().getNumber("time_ms"), 1.6);
  report.kernels.clear();
  for (const char *name : {"time_ms", "gpu_busy_ms", "host_ms", "energy_j",
                           "avg_power_w", "mfu", "samples_per_s"})
    EXPECT_TRUE(iteration().getNull(name)) << name;
  report.unmodelled = report.fallback = CoverageTotals();
  EXPECT_EQ(iteration().getBoolean("time_is_lower_bound"), false);
}

TEST(JsonReport, SchemaStatesTypesAndCases) {
  json::Value schema = readSchema();
  const json::Object *properties =
      schema.getAsObject()->getObject("properties");
  const json::Object *iteration =
      properties->getObject("iteration")->getObject("properties");
  EXPECT_EQ(
      *iteration->getObject("bound"),
      (json::Object{
          {"description", "resource with the largest part of the time"},
          {"type", "string"},
          {"enum", json::Array{"unknown", "tensor", "fp32", "issue", "dram",
                               "l2", "latency", "power", "host", "network"}}}));
  EXPECT_EQ(*iteration->getObject("host_ms"),
            (json::Object{{"description",
                           "ms, time that the host needs to launch the "
                           "kernels; it overlaps with the GPU"},
                          {"type", json::Array{"number", "null"}},
                          {"minimum", 0}}));
  const json::Object *fractions = iteration->getObject("family_fractions");
  EXPECT_EQ(fractions->getObject("propertyNames")->getArray("enum")->size(),
            getMaxEnumValForKernelFamily() + 1u);
  EXPECT_EQ(*fractions->getObject("additionalProperties"),
            (json::Object{{"type", "number"}, {"minimum", 0}, {"maximum", 1}}));
}

// What C, Python and the reference are made from.
TEST(JsonReport, ListOfFields) {
  json::Value all =
      parse(listReportFields({{"report", "Report", shapeOfReport}}));
  const json::Array &records = *all.getAsObject()->getArray("report");
  std::vector<std::string> names;
  const json::Object *totals = nullptr;
  for (const json::Value &record : records) {
    names.push_back(record.getAsObject()->getString("record")->str());
    if (names.back() == "Iteration")
      totals = record.getAsObject();
  }
  // Each once, those that others contain first.
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(),
            names.size());
  EXPECT_EQ(names.back(), "ReportFields");
  ASSERT_TRUE(totals);
  EXPECT_EQ(totals->getString("c_struct"), "gpucostTotals");
  EXPECT_EQ(
      *totals->getArray("fields")->front().getAsObject()->getObject("c"),
      (json::Object{{"position", 2}, {"type", "double"}, {"name", "time"}}));
}

// A key ends with the unit of its field.
TEST(JsonReport, KeysEndWithTheirUnit) {
  json::Value all =
      parse(listReportFields({{"report", "Report", shapeOfReport}}));
  size_t checked = 0;
  for (const json::Value &record : *all.getAsObject()->getArray("report"))
    for (const json::Value &each : *record.getAsObject()->getArray("fields")) {
      const json::Object &field = *each.getAsObject();
      llvm::StringRef key = *field.getString("key");
      std::string unit = field.getString("unit")->lower();
      if (unit == "ms" || unit == "us" || unit == "w" || unit == "j" ||
          unit == "mhz") {
        EXPECT_NE(key.find("_" + unit), llvm::StringRef::npos) << key.str();
        ++checked;
      }
    }
  EXPECT_GT(checked, 50u);
}

TEST(JsonReport, Values) {
  json::Value value = parse(sample::write("json", sample::report()));
  const json::Object &root = *value.getAsObject();
  EXPECT_EQ(root.getInteger("schema"), 2);
  EXPECT_EQ(root.getString("target"), "a100-sxm-80gb");
  EXPECT_EQ(root.getObject("bindings")->getInteger("seq"), 128);
  const json::Object &iteration = *root.getObject("iteration");
  EXPECT_EQ(iteration.getNumber("time_ms"), 1.6);
  EXPECT_EQ(iteration.getBoolean("throttled"), true);
  EXPECT_EQ(iteration.getInteger("flops"), 206158430208 + 26 * 15728640);
  EXPECT_EQ(iteration.getString("bound"), "tensor");
  EXPECT_EQ(iteration.getBoolean("fits_in_memory"), true);
  EXPECT_EQ(iteration.getInteger("reserved_bytes"), 314572800);
  EXPECT_EQ(iteration.getInteger("device_bytes"), 943718400);
  const json::Array &peak = *iteration.getArray("peak_tensors");
  ASSERT_EQ(peak.size(), 1u);
  EXPECT_EQ(peak.front().getAsObject()->getString("kernel"), "add");
  EXPECT_EQ(peak.front().getAsObject()->getInteger("bytes"), 52428800);
  const json::Object &matmul = *root.getArray("kernels")->front().getAsObject();
  EXPECT_EQ(matmul.getString("tile"), "128x256");
  EXPECT_EQ(matmul.getNumber("total_us"), 1200);
  const json::Object &gelu = *root.getArray("kernels")->back().getAsObject();
  EXPECT_TRUE(gelu.getNull("tile").has_value());
  EXPECT_TRUE(gelu.getNull("waves").has_value());
}

TEST(JsonReport, NumbersThatAreNotFiniteAreNull) {
  IterationReport report = fullReport();
  report.time = Seconds(std::numeric_limits<double>::infinity());
  report.mfu = std::numeric_limits<double>::quiet_NaN();
  report.kernels[0].power = Watts(-std::numeric_limits<double>::infinity());
  std::string text = sample::write("json", report);
  json::Value value = parse(text);
  const json::Object &iteration = *value.getAsObject()->getObject("iteration");
  EXPECT_TRUE(iteration.getNull("time_ms").has_value());
  EXPECT_TRUE(iteration.getNull("mfu").has_value());
  EXPECT_EQ(text.find(": inf"), std::string::npos);
  EXPECT_EQ(text.find(": nan"), std::string::npos);
}

TEST(JsonReport, NamesThatAreNotUtf8) {
  IterationReport report = sample::report();
  report.model = "\xFF\"quoted\"\n";
  report.bindings = {{"\xFE", 1}};
  json::Value value = parse(sample::write("json", report));
  EXPECT_EQ(value.getAsObject()->getString("model"),
            "\xEF\xBF\xBD\"quoted\"\n");
}

TEST(JsonReport, FlopsSaturate) {
  IterationReport report;
  report.matrixFlops = report.otherFlops = INT64_MAX;
  json::Value value = parse(sample::write("json", report));
  EXPECT_EQ(value.getAsObject()->getObject("iteration")->getInteger("flops"),
            INT64_MAX);
}
