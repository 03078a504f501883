//===- JsonReportTest.cpp - JSON against its documentation ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SampleReport.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <limits>
#include <map>

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
  return path == "bindings" || path == "coverage" || path.ends_with("_shares");
}

static void collect(const json::Value &value, const std::string &path,
                    Fields &fields) {
  if (!path.empty() && kindOf(value) != "null")
    fields[path] = kindOf(value);
  if (const json::Object *object = value.getAsObject())
    for (const auto &[key, inner] : *object) {
      std::string name = isMap(path) ? "*" : llvm::StringRef(key).str();
      collect(inner, path.empty() ? name : path + "." + name, fields);
    }
  if (const json::Array *array = value.getAsArray())
    for (const json::Value &inner : *array)
      collect(inner, path + "[]", fields);
}

/// First two columns of the tables of docs/JsonSchema.md.
static Fields documentedFields() {
  Fields fields;
  auto file = llvm::MemoryBuffer::getFile(GPUCOST_DOCS "/JsonSchema.md");
  EXPECT_TRUE(static_cast<bool>(file));
  if (!file)
    return fields;
  llvm::SmallVector<llvm::StringRef> lines, cells;
  (*file)->getBuffer().split(lines, '\n');
  for (llvm::StringRef line : lines) {
    if (!line.starts_with("| `"))
      continue;
    cells.clear();
    line.split(cells, '|');
    std::string kind = cells[2].trim().split(' ').first.str();
    fields[cells[1].trim().trim('`').str()] =
        kind == "integer" ? "number" : kind;
  }
  return fields;
}

/// Every list has an entry and no optional part is missing.
static IterationReport fullReport() {
  IterationReport report = sample::report();
  LedgerEntry entry;
  entry.op = "com.example::Foo";
  entry.count = 2;
  entry.reason = "no cost rule";
  report.fallback = {2, 0.1, 0.2, {entry}};
  report.unmodelled = report.fallback;
  return report;
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

TEST(JsonReport, DocumentedAndPrintedFieldsAgree) {
  Fields printed;
  collect(parse(sample::write("json", fullReport())), "", printed);
  Fields documented = documentedFields();
  EXPECT_EQ(printed, documented);
  EXPECT_GT(printed.size(), 80u);
}

TEST(JsonReport, Values) {
  json::Value value = parse(sample::write("json", sample::report()));
  const json::Object &root = *value.getAsObject();
  EXPECT_EQ(root.getInteger("schema_version"), 1);
  EXPECT_EQ(root.getString("target"), "a100-sxm-80gb");
  EXPECT_EQ(root.getObject("bindings")->getInteger("seq"), 128);
  const json::Object &iteration = *root.getObject("iteration");
  EXPECT_EQ(iteration.getNumber("time_ms"), 1.6);
  EXPECT_EQ(iteration.getBoolean("throttled"), true);
  EXPECT_EQ(iteration.getInteger("flops"), 206158430208 + 26 * 15728640);
  EXPECT_EQ(iteration.getString("bound"), "tensor");
  EXPECT_EQ(iteration.getBoolean("fits_in_memory"), true);
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
