//===- OnnxAttributes.cpp - Declared attributes of onnx ops ---------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxAttributes.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxDialect.h"
#include "gpucost/Core/Support/Text.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::onnx;

//===----------------------------------------------------------------------===//
// Kinds
//===----------------------------------------------------------------------===//

namespace {
struct KindText {
  StringLiteral name;
  StringLiteral syntax; ///< in MLIR
};
} // namespace

/// In the order of AttrKind.
static constexpr KindText kindTexts[] = {{"int", "1 : i64"},
                                         {"float", "1.0 : f32"},
                                         {"string", "\"text\""},
                                         {"tensor", "dense<1.0> : tensor<f32>"},
                                         {"graph", ""},
                                         {"sparse", "{shape, type}"},
                                         {"type", "tensor<f32>"},
                                         {"ints", "array<i64: 1, 2>"},
                                         {"floats", "array<f32: 1.0, 2.0>"},
                                         {"strings", "[\"a\", \"b\"]"},
                                         {"tensors", ""},
                                         {"graphs", ""},
                                         {"sparses", ""},
                                         {"types", ""},
                                         {"flag", "unit"}};

StringRef gpucost::onnx::stringifyAttrKind(AttrKind kind) {
  return kindTexts[static_cast<unsigned>(kind)].name;
}

/// The names of `kinds`, each followed by the string that `suffix` returns.
static std::string
joinKinds(unsigned kinds, function_ref<std::string(const KindText &)> suffix) {
  std::string text;
  for (auto [i, kind] : llvm::enumerate(kindTexts))
    if (kinds >> i & 1)
      text += (text.empty() ? "" : " or ") + kind.name.str() + suffix(kind);
  return text;
}

std::string gpucost::onnx::describeKinds(unsigned kinds) {
  return joinKinds(kinds, [](const KindText &) { return ""; });
}

static bool isOfKind(Attribute attribute, AttrKind kind) {
  switch (kind) {
  case AttrKind::Int: {
    auto integer = dyn_cast<IntegerAttr>(attribute);
    return integer && integer.getType().isSignlessInteger(64);
  }
  case AttrKind::Float:
    return isa<FloatAttr>(attribute);
  case AttrKind::String:
    return isa<StringAttr>(attribute);
  case AttrKind::Tensor:
    return isa<ElementsAttr, DictionaryAttr>(attribute);
  case AttrKind::Sparse:
    return isa<DictionaryAttr>(attribute);
  case AttrKind::Type:
    return isa<TypeAttr>(attribute);
  case AttrKind::Ints:
    return isa<DenseI64ArrayAttr>(attribute);
  case AttrKind::Floats:
    return isa<DenseF32ArrayAttr>(attribute);
  case AttrKind::Strings: {
    auto array = dyn_cast<ArrayAttr>(attribute);
    return array && llvm::all_of(array, llvm::IsaPred<StringAttr>);
  }
  case AttrKind::Tensors:
  case AttrKind::Sparses:
  case AttrKind::Types:
    return isa<ArrayAttr>(attribute);
  case AttrKind::Flag:
    return isa<UnitAttr>(attribute);
  case AttrKind::Graph:
  case AttrKind::Graphs:
    return false;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

ArrayRef<AttrInfo> gpucost::onnx::getForms(const OpInfo &info, StringRef name) {
  ArrayRef<AttrInfo> forms = info.attributes.drop_until(
      [&](const AttrInfo &form) { return form.name == name; });
  return forms.take_while(
      [&](const AttrInfo &form) { return form.name == name; });
}

std::string gpucost::onnx::describeUnknown(const OpInfo &info, StringRef name) {
  if (info.allowsOtherAttributes || name.starts_with("__") ||
      !getForms(info, name).empty())
    return "";
  std::string text = "unknown attribute '" + name.str() + "'";
  size_t least = std::min<size_t>(name.size(), 4);
  StringRef nearest;
  for (const AttrInfo &form : info.attributes)
    if (size_t edits = editDistance(name, form.name); edits < least) {
      least = edits;
      nearest = form.name;
    }
  return nearest.empty() ? text
                         : text + "; did you mean '" + nearest.str() + "'?";
}

unsigned gpucost::onnx::getKinds(ArrayRef<AttrInfo> forms, int64_t opset) {
  unsigned kinds = 0;
  for (const AttrInfo &form : forms)
    if (form.isIn(opset))
      kinds |= form.kinds;
  return kinds || opset == 0 ? kinds : getKinds(forms);
}

/// Whether every opset, including the newest one, requires the attribute.
static bool isAlwaysRequired(ArrayRef<AttrInfo> forms) {
  return llvm::all_of(forms,
                      [](const AttrInfo &form) { return form.isRequired; }) &&
         llvm::any_of(forms,
                      [](const AttrInfo &form) { return form.lastOpset == 0; });
}

const AttrInfo *gpucost::onnx::findMissing(const OpInfo &info, int64_t opset,
                                           function_ref<bool(StringRef)> has) {
  for (const AttrInfo &form : info.attributes)
    if (form.isRequired && form.isIn(opset) && !has(form.name) &&
        (opset != 0 || isAlwaysRequired(getForms(info, form.name))))
      return &form;
  return nullptr;
}

LogicalResult gpucost::onnx::verifyAttributes(Operation *op,
                                              const OpInfo &info) {
  for (NamedAttribute attribute : op->getAttrs()) {
    StringRef name = attribute.getName();
    if (name.contains('.'))
      continue;
    ArrayRef<AttrInfo> forms = getForms(info, name);
    if (forms.empty()) {
      std::string problem = describeUnknown(info, name);
      if (!problem.empty())
        return op->emitOpError() << problem;
      continue;
    }
    unsigned kinds = getKinds(forms);
    bool fits = false;
    for (unsigned i = 0; i < std::size(kindTexts) && !fits; ++i)
      fits = kinds >> i & 1 &&
             isOfKind(attribute.getValue(), static_cast<AttrKind>(i));
    if (!fits)
      return op->emitOpError()
             << "attribute '" << name << "': expected "
             << joinKinds(kinds,
                          [](const KindText &kind) {
                            return kind.syntax.empty()
                                       ? std::string()
                                       : " (" + kind.syntax.str() + ")";
                          })
             << ", found " << attribute.getValue();
  }
  // Ops created by passes have result types and may omit attributes that only
  // inference reads. Graph attributes are regions.
  if (op->getNumResults() == 0 || !isa<UnknownType>(op->getResult(0).getType()))
    return success();
  if (const AttrInfo *missing = findMissing(
          info, 0, [&](StringRef name) { return op->hasAttr(name); });
      missing && missing->kinds != getBit(AttrKind::Graph))
    return op->emitOpError()
           << "required attribute '" << missing->name << "' is missing";
  return success();
}

SmallVector<NamedAttribute>
gpucost::onnx::getAttributesFor(const OpInfo &target, Operation *op) {
  return llvm::filter_to_vector(op->getAttrs(), [&](NamedAttribute attribute) {
    StringRef name = attribute.getName();
    return name.contains('.') ? !name.starts_with("onnx.")
                              : !getForms(target, name).empty();
  });
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// The newest form with a default; null if there is none.
static const AttrInfo *findDefault(Operation *op, StringRef name) {
  const OpInfo *info = getOpInfo(op);
  if (!info)
    return nullptr;
  for (const AttrInfo &form : llvm::reverse(getForms(*info, name)))
    if (form.hasDefault)
      return &form;
  return nullptr;
}

/// Whether a value is the default of an attribute; 0 and "" if it has none.
static bool isDefault(const AttrInfo *form, Attribute value) {
  double number = form ? form->number : 0;
  if (auto integer = dyn_cast<IntegerAttr>(value))
    return integer.getValue().isSignedIntN(64) &&
           static_cast<double>(integer.getInt()) == number;
  if (auto real = dyn_cast<FloatAttr>(value))
    return real.getValueAsDouble() == number;
  auto text = dyn_cast<StringAttr>(value);
  return text && text.getValue() == (form ? StringRef(form->text) : "");
}

SmallVector<StringRef> gpucost::onnx::findUncounted(Operation *op) {
  SmallVector<StringRef> names;
  const OpInfo *info = getOpInfo(op);
  for (const AttrInfo &form : info ? info->attributes : ArrayRef<AttrInfo>())
    if (Attribute value =
            form.isUncounted ? op->getAttr(form.name) : Attribute();
        value && !llvm::is_contained(names, form.name) &&
        !isDefault(findDefault(op, form.name), value))
      names.push_back(form.name);
  return names;
}

std::optional<int64_t> gpucost::onnx::findInt(Operation *op, StringRef name) {
  auto attribute = op->getAttrOfType<IntegerAttr>(name);
  if (attribute && attribute.getValue().isSignedIntN(64))
    return attribute.getValue().getSExtValue();
  const AttrInfo *form = findDefault(op, name);
  return form ? std::optional(static_cast<int64_t>(form->number))
              : std::nullopt;
}

int64_t gpucost::onnx::getInt(Operation *op, StringRef name) {
  return findInt(op, name).value_or(0);
}

std::optional<double> gpucost::onnx::findFloat(Operation *op, StringRef name) {
  if (auto attribute = op->getAttrOfType<FloatAttr>(name))
    return attribute.getValueAsDouble();
  const AttrInfo *form = findDefault(op, name);
  return form ? std::optional(form->number) : std::nullopt;
}

double gpucost::onnx::getFloat(Operation *op, StringRef name) {
  return findFloat(op, name).value_or(0);
}

StringRef gpucost::onnx::getString(Operation *op, StringRef name) {
  if (auto attribute = op->getAttrOfType<StringAttr>(name))
    return attribute.getValue();
  const AttrInfo *form = findDefault(op, name);
  return form ? StringRef(form->text) : "";
}

std::optional<ArrayRef<int64_t>> gpucost::onnx::findInts(Operation *op,
                                                         StringRef name) {
  auto attribute = op->getAttrOfType<DenseI64ArrayAttr>(name);
  return attribute ? std::optional(attribute.asArrayRef()) : std::nullopt;
}
