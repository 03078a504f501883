//===- GpuCostBase.td - The gpucost dialect ----------------*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_GPUCOST_IR_GPUCOSTBASE_TD
#define GPUCOST_DIALECT_GPUCOST_IR_GPUCOSTBASE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"

def GpuCost_Dialect : Dialect {
  let name = "gpucost";
  let cppNamespace = "::gpucost";
  let summary = "cost annotations: work, tiling, time, power of GPU kernels";
  let description = [{
    The ops and attributes that the passes write and read. A `gpucost.kernel` op
    wraps the ops that one launched GPU kernel executes; each pass of the
    pipeline adds one typed attribute to it (`work`, `tiling`, `time`, `power`),
    and `gpucost-predict` writes `#gpucost.summary` on the module. The module
    attributes `gpucost.target` and `gpucost.coefficients` define the GPU.

    Example: `test/Transforms/analyze.mlir`.
  }];
  let useDefaultAttributePrinterParser = 0;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    // The records of the cost model, see RecordAttr.h.
    void registerKernelAttributes();
    void registerGpuAttributes();
    void registerCoefficientAttributes();

    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
    void printAttribute(::mlir::Attribute attr,
                        ::mlir::DialectAsmPrinter &printer) const override;
  }];
}

class GpuCost_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<GpuCost_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
  let assemblyFormat = "`<` struct(params) `>`";
}

/// An integer parameter that is not printed if it has its default.
class IntOr<int value> : DefaultValuedParameter<"int64_t", !cast<string>(value)>;
class BoolOr<string value> : DefaultValuedParameter<"bool", value>;

/// Physical quantities as attribute parameters, printed with their unit
/// (`2039 GBps`, `14.2 us`); see Support/QuantityText.h.
class QuantityParameter<string type, string desc>
    : AttrOrTypeParameter<"::gpucost::" # type, desc>;

/// An op attribute that contains a record, see RecordAttr.h.
class GpuCost_RecordAttr<string attr, string summary>
    : Attr<CPred<"::llvm::isa<::gpucost::" # attr # ">($_self)">, summary> {
  let storageType = "::gpucost::" # attr;
  let returnType = "::gpucost::" # attr;
  let convertFromStorage = "$_self";
}

#endif // GPUCOST_DIALECT_GPUCOST_IR_GPUCOSTBASE_TD
