//===- ExpectTime.cpp - Tests of predicted times --------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TransformAnswers.h"
#include "gpucost/Compiler/Support/QuantityParser.h"
#include "gpucost/Compiler/TransformOps/TransformOps.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace gpucost;
using transform::ExpectTimeOp;

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

static ParseResult parseTime(OpAsmParser &parser, double &seconds) {
  FailureOr<Seconds> time = FieldParser<Seconds>::parse(parser);
  if (succeeded(time))
    seconds = time->value();
  return LogicalResult(time);
}

static ParseResult parseNumber(OpAsmParser &parser, double &number) {
  SMLoc loc = parser.getCurrentLocation();
  Attribute value;
  if (parser.parseAttribute(value))
    return failure();
  if (auto whole = dyn_cast<IntegerAttr>(value))
    number = static_cast<double>(whole.getInt());
  else if (auto real = dyn_cast<FloatAttr>(value))
    number = real.getValueAsDouble();
  else
    return parser.emitError(loc, "expected a number");
  return success();
}

ParseResult
gpucost::parseExpectation(OpAsmParser &parser,
                          std::optional<OpAsmParser::UnresolvedOperand> &base,
                          FloatAttr &reference, DenseF64ArrayAttr &range) {
  Builder &builder = parser.getBuilder();
  double low = 0, high = 0, time = 0;
  auto parseEnds = [&](auto parseEnd) {
    return failed(parser.parseLSquare()) || failed(parseEnd(parser, low)) ||
           failed(parser.parseComma()) || failed(parseEnd(parser, high)) ||
           failed(parser.parseRSquare());
  };
  if (succeeded(parser.parseOptionalKeyword("relative"))) {
    base.emplace();
    if (parser.parseKeyword("to") || parser.parseOperand(*base) ||
        parser.parseKeyword("by") || parseEnds(parseNumber) ||
        parser.parseKeyword("percent"))
      return failure();
  } else if (failed(parser.parseOptionalKeyword("within"))) {
    return parser.emitError(parser.getCurrentLocation(),
                            "expected 'within [30 us, 40 us]', 'within 5 "
                            "percent of 33 us' or 'relative to %base by [-30, "
                            "-10] percent'");
  } else if (succeeded(parser.parseOptionalLSquare())) {
    if (parseTime(parser, low) || parser.parseComma() ||
        parseTime(parser, high) || parser.parseRSquare())
      return failure();
  } else {
    if (parseNumber(parser, high) || parser.parseKeyword("percent") ||
        parser.parseKeyword("of") || parseTime(parser, time))
      return failure();
    low = -high;
    reference = builder.getF64FloatAttr(time);
  }
  range = builder.getDenseF64ArrayAttr({low, high});
  return success();
}

void gpucost::printExpectation(OpAsmPrinter &printer, Operation *, Value base,
                               FloatAttr reference, DenseF64ArrayAttr range) {
  double low = range[0], high = range[1];
  if (base)
    printer << "relative to " << base << " by [" << shortestDouble(low) << ", "
            << shortestDouble(high) << "] percent";
  else if (reference)
    printer << "within " << shortestDouble(high) << " percent of "
            << toText(Seconds(reference.getValueAsDouble()));
  else
    printer << "within [" << toText(Seconds(low)) << ", "
            << toText(Seconds(high)) << "]";
}

LogicalResult ExpectTimeOp::verify() {
  ArrayRef<double> range = getRange();
  if (range.size() != 2 || !(range[0] <= range[1]) ||
      !std::isfinite(range[0]) || !std::isfinite(range[1]))
    return emitOpError("expected a low and a high end, in this order");
  if (getBase() && getReference())
    return emitOpError("expected a reference time or a base, but got both");
  if (getReference() &&
      (!(getReference()->convertToDouble() > 0) || range[0] != -range[1]))
    return emitOpError("expected a tolerance of a positive time");
  bool isPercent = getBase() || getReference();
  if (isPercent ? range[0] < -100 : range[0] < 0)
    return emitOpError("expected a range of times of at least 0");
  return success();
}

//===----------------------------------------------------------------------===//
// Check
//===----------------------------------------------------------------------===//

void ExpectTimeOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::onlyReadsHandle(getTargetMutable(), effects);
  transform::onlyReadsHandle(getBaseMutable(), effects);
  transform::onlyReadsPayload(effects);
}

DiagnosedSilenceableFailure
ExpectTimeOp::apply(transform::TransformRewriter &,
                    transform::TransformResults &,
                    transform::TransformState &state) {
  SmallVector<Operation *> ops = llvm::to_vector(
                               state.getPayloadOps(getTarget())),
                           baseOps;
  if (getBase())
    baseOps = llvm::to_vector(state.getPayloadOps(getBase()));
  if (ops.empty() || (getBase() && baseOps.empty()))
    return emitSilenceableError() << "expected ops to predict the time of";
  CostAnalysis analysis(ops.front());
  Cost cost =
      getAsKernel() ? analysis.getCostAsKernel(ops) : analysis.getCost(ops);
  Cost base;
  if (getBase())
    base = analysis.getCost(baseOps);
  for (auto [each, op] :
       {std::pair(&cost, ops.front()),
        std::pair(&base, getBase() ? baseOps.front() : nullptr)})
    if (each->status != CostStatus::Exact)
      return refuse(
          *this, "expected a predicted time, but got " + describe(*each), op);

  double time = cost.time.value();
  double low = getRange()[0], high = getRange()[1];
  if (!getBase() && !getReference()) {
    if (time >= low && time <= high)
      return DiagnosedSilenceableFailure::success();
    return refuse(*this,
                  llvm::formatv("expected {0} to {1}, but the predicted time "
                                "is {2}",
                                roundedText(Seconds(low)),
                                roundedText(Seconds(high)), describe(cost))
                      .str(),
                  ops.front());
  }
  double reference =
      getBase() ? base.time.value() : getReference()->convertToDouble();
  if (!(reference > 0))
    return refuse(*this, "expected a base that launches kernels",
                  baseOps.front());
  double change = (time / reference - 1) * 100;
  if (change >= low && change <= high)
    return DiagnosedSilenceableFailure::success();
  return refuse(*this,
                llvm::formatv("expected a time {0} % to {1} % from {2}, but "
                              "the predicted time is {3}, {4}{5:f2} %",
                              shortestDouble(low), shortestDouble(high),
                              getBase() ? describe(base)
                                        : roundedText(Seconds(reference)),
                              describe(cost), change < 0 ? "" : "+", change)
                    .str(),
                ops.front());
}
