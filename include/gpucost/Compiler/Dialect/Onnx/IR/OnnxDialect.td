//===- OnnxDialect.td - Dialect and types of onnx ----------*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXDIALECT_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXDIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Onnx_Dialect : Dialect {
  let name = "onnx";
  let cppNamespace = "::gpucost::onnx";
  let summary = "ONNX operators, with all properties that affect their cost";
  let description = [{
    One op per ONNX operator, named after it: `onnx.MatMul`. All ops have the
    same form: variadic operands in ONNX order (a missing optional input is
    `onnx.None`), variadic results, and the ONNX attributes under their ONNX
    names as discardable attributes (ints are `i64`, floats `f32`, lists dense
    arrays). An operator without a dedicated op is `onnx.Custom`, which keeps
    `domain` and `op_type`. Weights are `onnx.Parameter`: typed, without a
    value.

    Operators of com.microsoft share the names of this dialect; operators with
    other semantics than the standard operator of that name are `onnx.Custom`.

    Before `gpucost-fix-shapes` results have the type `!onnx.unknown`; after it
    they are ranked tensors with static shapes.
  }];
  let useDefaultTypePrinterParser = 1;
  // All ops but `onnx.Yield` are rows of one table (OnnxBase.td), which
  // implements their interfaces.
  let hasOperationInterfaceFallback = 1;
  let extraClassDeclaration = [{
    void registerTypes();

    /// Op attribute: the names of the ONNX values an op defines, in order.
    static constexpr ::llvm::StringLiteral valueNamesAttrName = "onnx.values";
    /// Function attribute: the names of the ONNX graph outputs, in order.
    static constexpr ::llvm::StringLiteral outputNamesAttrName =
        "onnx.output_names";
    /// Function argument attribute: name of the ONNX graph input.
    static constexpr ::llvm::StringLiteral inputNameAttrName = "onnx.name";
    /// Function argument attribute: array of strings, the `dim_param` of each
    /// dimension, "" if the dimension is fixed or unnamed.
    static constexpr ::llvm::StringLiteral dimNamesAttrName = "onnx.dims";
    /// Module attribute: dictionary domain -> opset version.
    static constexpr ::llvm::StringLiteral opsetsAttrName = "onnx.opsets";
    /// Op attribute: types that the file declares for the results; used only if
    /// inference does not find a type.
    static constexpr ::llvm::StringLiteral declaredTypesAttrName =
        "onnx.declared";
    /// Op attribute: the dimension names of each declared type.
    static constexpr ::llvm::StringLiteral declaredDimsAttrName =
        "onnx.declared_dims";
    /// Op attribute: the op depends only on parameters and constants; it is
    /// weight preprocessing and launches nothing in an iteration.
    static constexpr ::llvm::StringLiteral constantAttrName = "onnx.constant";
  }];
}

class Onnx_Type<string name, string typeMnemonic> : TypeDef<Onnx_Dialect, name> {
  let mnemonic = typeMnemonic;
}
def Onnx_UnknownType : Onnx_Type<"Unknown", "unknown"> {
  let summary = "a value whose type has not been inferred yet";
}
def Onnx_NoneType : Onnx_Type<"None", "none"> {
  let summary = "a missing optional input or output";
}
def Onnx_StringType : Onnx_Type<"String", "string"> {
  let summary = "element type of string tensors";
}
class Onnx_ContainerType<string name, string typeMnemonic>
    : Onnx_Type<name, typeMnemonic> {
  let parameters = (ins OptionalParameter<"::mlir::Type">:$elementType);
  let assemblyFormat = "(`<` $elementType^ `>`)?";
}
def Onnx_SequenceType : Onnx_ContainerType<"Sequence", "sequence"> {
  let summary = "a list of values, with their common type if known";
}
def Onnx_OptionalType : Onnx_ContainerType<"Optional", "optional"> {
  let summary = "a value that may be missing, with its type if known";
}

def Onnx_YieldOp : Op<Onnx_Dialect, "Yield", [Pure, Terminator]> {
  let summary = "results of a subgraph";
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXDIALECT_TD
