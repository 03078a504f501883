//===- DataTextTest.cpp - The parser of data files ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/CoefficientAttrs.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuAttrs.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "gpucost/Core/Bytes/RecordIo.h"
#include "gpucost/Core/Targets/CoefficientsWriter.h"
#include "gpucost/Core/Targets/TargetChoice.h"
#include "gpucost/Core/Targets/TargetData.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <thread>

using namespace gpucost;

/// The same file as MLIR reads it; nullopt when it does not.
static std::optional<DataFile> parseByMlir(std::string_view text) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<GpuCostDialect>();
  mlir::ScopedDiagnosticHandler handler(&context, [](mlir::Diagnostic &) {});
  auto module =
      mlir::parseSourceString<mlir::ModuleOp>(std::string(text), &context);
  if (!module)
    return std::nullopt;
  DataFile data;
  auto take = [&](llvm::StringRef name, std::string &to) {
    if (auto text = (*module)->getAttrOfType<mlir::StringAttr>(name))
      to = text.str();
  };
  if (auto gpu = (*module)->getAttrOfType<GpuAttr>(gpuAttrName))
    data.gpu = gpu.getValue();
  if (auto network =
          (*module)->getAttrOfType<RecordAttr<Network>>(networkAttrName))
    data.network = network.getValue();
  if (auto set =
          (*module)->getAttrOfType<CoefficientsAttr>(coefficientsAttrName))
    data.coefficients = set.getValue();
  if (auto list = (*module)->getAttrOfType<mlir::ArrayAttr>(aliasesAttrName))
    for (auto alias : list.getAsRange<mlir::StringAttr>())
      data.aliases.push_back(alias.str());
  take(assumedForAttrName, data.assumedFor);
  take(calibratedForAttrName, data.calibratedFor);
  take(coefficientsFromAttrName, data.coefficientsFrom);
  take(collectivesFromAttrName, data.collectivesFrom);
  take(transferredFromAttrName, data.transferredFrom);
  std::string format;
  take(defaultFormatAttrName, format);
  data.defaultFormat = symbolizeNumericFormat(format);
  return data;
}

static std::string messageOf(std::string_view text) {
  Expected<DataFile> data = parseDataFile(text, "f.mlir");
  return data ? "no error" : data.error().message;
}

/// A file with one group; `fields` are the fields after the group's first line.
static std::string withRuntime(const std::string &fields) {
  return "#r = #gpucost.runtime_fit<\n" + fields +
         ">\nmodule attributes {gpucost.coefficients = #gpucost.coefficients<"
         "provenance = \"here\", runtime = #r>} {}";
}

static constexpr char goodRuntime[] =
    "provenance = \"here\", kernel_gap_cycles = 1000, host_launch = 9 us, "
    "library_weight = 1.1, host_norm = 6";

/// All of targets/, networks/ and targets/coefficients/.
TEST(DataTextTest, EveryShippedFileIsWhatMlirReads) {
  size_t files = 0;
  for (Span<EmbeddedFile> list :
       {embeddedTargets(), embeddedNetworks(), embeddedCoefficients()})
    for (const EmbeddedFile &file : list) {
      Expected<DataFile> own = parseDataFile(file.content, file.name);
      ASSERT_TRUE(bool(own)) << own.error().message;
      std::optional<DataFile> other = parseByMlir(file.content);
      ASSERT_TRUE(other) << file.name;
      EXPECT_TRUE(*own == *other) << file.name;
      EXPECT_TRUE(own->gpu || own->network || own->coefficients) << file.name;
      ++files;
    }
  EXPECT_GE(files, 95u);
}

namespace {
/// The values of a record in order (Archive/RecordIo.h).
struct Values {
  std::vector<double> numbers;
  std::string texts;
  void number(std::string_view, double value) { numbers.push_back(value); }
  void integer(std::string_view, int64_t value) {
    numbers.push_back(static_cast<double>(value));
  }
  void count(std::string_view, size_t value) {
    numbers.push_back(static_cast<double>(value));
  }
  void text(std::string_view, std::string_view value) {
    texts.append(value) += '\n';
  }
};
} // namespace

/// A quantity is written in the unit that fits it: the last bit may differ.
TEST(DataTextTest, WrittenFilesReadBack) {
  for (const EmbeddedFile &file : embeddedCoefficients()) {
    Coefficients set = *findCompiledCoefficients(file.name);
    set.provenance = "a \"quoted\" text, \\ and \t";
    std::string text = printCoefficientsFile(set, "by a test\n\nof two parts");
    Expected<DataFile> back = parseDataFile(text, "f.mlir");
    ASSERT_TRUE(bool(back)) << back.error().message;
    Values before, after;
    writeRecord(before, set);
    writeRecord(after, *back->coefficients);
    EXPECT_EQ(before.texts, after.texts) << file.name;
    ASSERT_EQ(before.numbers.size(), after.numbers.size()) << file.name;
    for (size_t i = 0; i < before.numbers.size(); ++i)
      EXPECT_DOUBLE_EQ(before.numbers[i], after.numbers[i]) << file.name;
    std::optional<DataFile> other = parseByMlir(text);
    ASSERT_TRUE(other) << file.name;
    EXPECT_TRUE(*other == *back) << file.name;
  }
}

TEST(DataTextTest, ErrorsSayWhereAndWhat) {
  EXPECT_EQ(messageOf(withRuntime(goodRuntime)), "no error");
  EXPECT_EQ(messageOf(withRuntime("host_launch = 1 W")),
            "f.mlir:2:17: unknown unit 'W', expected one of ns, us, ms, s");
  EXPECT_EQ(messageOf(withRuntime("host_launch = 1")),
            "f.mlir:2:16: expected a unit, one of ns, us, ms, s");
  EXPECT_EQ(messageOf(withRuntime("host_lunch = 1 us")),
            "f.mlir:2:1: unknown field 'host_lunch' of runtime_fit; did you "
            "mean 'host_launch'?");
  EXPECT_EQ(messageOf(withRuntime("host_norm = 1,\n  host_norm = 2")),
            "f.mlir:3:3: duplicate field 'host_norm'");
  EXPECT_EQ(messageOf(withRuntime("provenance = \"here\"")),
            "f.mlir:1:26: missing field 'kernel_gap_cycles' of runtime_fit");
  EXPECT_EQ(messageOf(withRuntime(std::string(goodRuntime) + "e")),
            "f.mlir:2:103: expected ',' or '>'");
  EXPECT_EQ(messageOf(withRuntime("host_norm = many")),
            "f.mlir:2:13: expected a number");
  EXPECT_EQ(messageOf("#a = #gpucost.tile<m = 1.5, n = 2>"),
            "f.mlir:1:24: expected an integer");
  EXPECT_EQ(messageOf("#a = #gpucost.tile<m = 3000000000, n = 2>"),
            "f.mlir:1:24: expected an integer from -2147483648 to 2147483647, "
            "but got 3000000000");
  EXPECT_EQ(messageOf("#a = #gpucost.tile<m = 0, n = 2>"),
            "f.mlir:1:19: expected 'm' above 0, but got 0");
  EXPECT_EQ(messageOf("#a = #gpucost.interconnect<kind = bus>")
                .find("f.mlir:1:35: expected one of [pcie, nvlink, xgmi] for "),
            0u);
  EXPECT_EQ(messageOf("#a = #gpucost.tyle<m = 1>"),
            "f.mlir:1:6: unknown record '#gpucost.tyle'");
  EXPECT_EQ(messageOf("#a = 1\nmodule {}"),
            "f.mlir:1:6: expected a record, '#gpucost.gpu<...>' or another");
  EXPECT_EQ(messageOf("#a = #b\nmodule {}"), "f.mlir:1:6: unknown record '#b'");
  std::string tile = "#a = #gpucost.tile<m = 1, n = 2>\n";
  EXPECT_EQ(messageOf(tile + tile), "f.mlir:2:1: duplicate name '#a'");
  EXPECT_EQ(messageOf(tile + "module attributes {gpucost.gpu = #a} {}"),
            "f.mlir:2:34: expected a #gpucost.gpu, but got a #gpucost.tile");
  EXPECT_EQ(messageOf("module {} //\n x"),
            "f.mlir:2:2: expected the end of the file");
  EXPECT_EQ(messageOf("module attributes {gpucost.assumed_for = \"sm\n\"} {}"),
            "f.mlir:1:42: expected '\"' at the end of a string");
}

TEST(DataTextTest, OtherMlirIsRefused) {
  EXPECT_EQ(messageOf("module attributes {dlti.map = 1} {}"),
            "f.mlir:1:20: unknown field 'dlti.map' of a data file, which holds "
            "gpucost attributes and no other MLIR");
  EXPECT_EQ(messageOf("module {\n  func.func @f()\n}"),
            "f.mlir:2:3: expected '}': a target or coefficient file has no "
            "ops");
  EXPECT_EQ(messageOf("func.func @f()"),
            "f.mlir:1:1: expected 'module': a target or coefficient file is "
            "one module of gpucost attributes, without other MLIR");
}

/// Every prefix of a shipped file, and every file with one character changed:
/// an error or the same as MLIR reads, never a crash.
TEST(DataTextTest, DamagedFilesAreErrors) {
  std::string text(embeddedTargets().begin()->content);
  text.resize(text.rfind('}') + 1);
  for (size_t length = 0; length < text.size(); ++length)
    EXPECT_NE(messageOf(std::string_view(text).substr(0, length)), "no error")
        << length;
  size_t accepted = 0;
  for (size_t i = 0; i < text.size(); i += 29)
    for (char c : {'<', '"', '#', '9', '\0'}) {
      std::string damaged = text;
      damaged[i] = c;
      Expected<DataFile> own = parseDataFile(damaged, "f.mlir");
      if (!own)
        continue;
      ++accepted;
      std::optional<DataFile> other = parseByMlir(damaged);
      if (other) {
        EXPECT_TRUE(*own == *other) << i << c;
      }
    }
  EXPECT_GT(accepted, 0u);
}

TEST(DataTextTest, NamesCannotMultiplyWithoutLimit) {
  std::string all = "#a = #gpucost.tile<m = 1, n = 1>\n", items;
  for (int i = 0; i < 999; ++i)
    items += "#a, ";
  all += "#s = #gpucost.simt_conv<implicit_tiles = [";
  for (int i = 0; i < 999; ++i)
    all += items;
  EXPECT_NE(messageOf(all).find("more than a million values"),
            std::string::npos);
}

TEST(DataTextTest, ThreadsSeeTheSameSet) {
  std::vector<std::thread> threads;
  std::vector<const Coefficients *> seen(8);
  for (const Coefficients *&each : seen)
    threads.emplace_back(
        [&each] { each = findCompiledCoefficients("quadro-rtx6000"); });
  for (std::thread &thread : threads)
    thread.join();
  for (const Coefficients *each : seen)
    EXPECT_EQ(each, seen.front());
  ASSERT_TRUE(seen.front());
  EXPECT_EQ(findCompiledCoefficients("quadro"), nullptr);
}
