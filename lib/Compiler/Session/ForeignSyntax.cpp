//===- ForeignSyntax.cpp - Custom syntax of foreign dialects --------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// torch-mlir prints ops such as
//   tm_tensor.sort dimension(1) outs(%a, %b : tensor<..>, tensor<..>) {
//     ^bb0(...): ... tm_tensor.yield %c : i1
//   } -> tensor<..>, tensor<..>
// Every op of the dialect has this form: groups of operands, named attributes,
// a body, and the types of the results.

#include "FrontEnd.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;

/// `(a, b : type, type)`.
static ParseResult parseOperandGroup(OpAsmParser &parser,
                                     OperationState &state) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> types;
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLParen())
    return failure();
  if (succeeded(parser.parseOptionalRParen()))
    return success();
  return failure(parser.parseOperandList(operands) ||
                 parser.parseColonTypeList(types) || parser.parseRParen() ||
                 parser.resolveOperands(operands, types, loc, state.operands));
}

/// `name(value)`.
static ParseResult parseNamedValue(OpAsmParser &parser, StringRef name,
                                   OperationState &state) {
  Attribute value;
  if (parser.parseLParen() || parser.parseAttribute(value) ||
      parser.parseRParen())
    return failure();
  state.addAttribute(name, value);
  return success();
}

static ParseResult parseResultTypes(OpAsmParser &parser,
                                    OperationState &state) {
  if (failed(parser.parseOptionalArrow()))
    return success();
  if (succeeded(parser.parseOptionalLParen()))
    return failure(parser.parseTypeList(state.types) || parser.parseRParen());
  return parser.parseTypeList(state.types);
}

/// Ops that end a body: operands and their types.
static ParseResult parseYield(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> types;
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperandList(operands) ||
      parser.parseOptionalAttrDict(state.attributes))
    return failure();
  if (operands.empty())
    return success();
  return failure(parser.parseColonTypeList(types) ||
                 parser.resolveOperands(operands, types, loc, state.operands));
}

static ParseResult parseStructured(OpAsmParser &parser, OperationState &state) {
  if (parser.parseOptionalAttrDict(state.attributes))
    return failure();
  StringRef keyword;
  while (succeeded(parser.parseOptionalKeyword(&keyword))) {
    bool isGroup = keyword == "ins" || keyword == "outs";
    if (failed(isGroup ? parseOperandGroup(parser, state)
                       : parseNamedValue(parser, keyword, state)))
      return failure();
  }
  auto body = std::make_unique<Region>();
  OptionalParseResult parsed = parser.parseOptionalRegion(*body);
  if (parsed.has_value()) {
    if (failed(*parsed))
      return failure();
    state.addRegion(std::move(body));
  }
  return parseResultTypes(parser, state);
}

namespace {
class TmTensorDialect : public Dialect {
public:
  explicit TmTensorDialect(MLIRContext *context)
      : Dialect(getDialectNamespace(), context,
                TypeID::get<TmTensorDialect>()) {
    allowUnknownOperations();
  }
  static StringRef getDialectNamespace() { return "tm_tensor"; }

  std::optional<ParseOpHook>
  getParseOperationHook(StringRef name) const override {
    return name == "tm_tensor.yield" ? parseYield : parseStructured;
  }

  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TmTensorDialect)
};
} // namespace

void gpucost::registerForeignSyntax(DialectRegistry &registry) {
  registry.insert<TmTensorDialect>();
}
