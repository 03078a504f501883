//===- RecordSyntax.h - Records as attribute text ---------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parser, printer, storage and registration of RecordAttr. The syntax is that
// of MLIR's `struct(params)`: `<keyword = value, ...>` in any order; what has
// its default is left out. A record inside of a record is `<...>` or a whole
// attribute, so that it may be an alias. One .cpp file instantiates this for a
// group of records.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_DIALECT_GPUCOST_IR_RECORDSYNTAX_H
#define GPUCOST_LIB_DIALECT_GPUCOST_IR_RECORDSYNTAX_H

#include "gpucost/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "gpucost/LLVMSupport/QuantityParser.h"
#include "gpucost/Model/Validation.h"
#include "mlir/IR/AttributeSupport.h"
#include "mlir/IR/DialectImplementation.h"
#include <variant>

namespace gpucost {

namespace detail {
template <typename Record> struct RecordStorage : mlir::AttributeStorage {
  using KeyTy = Record;
  explicit RecordStorage(const Record &value) : value(value) {}
  bool operator==(const Record &other) const { return value == other; }
  static llvm::hash_code hashKey(const Record &value) {
    return hashField(value);
  }
  static RecordStorage *construct(mlir::AttributeStorageAllocator &allocator,
                                  const Record &value) {
    return new (allocator.allocate<RecordStorage>()) RecordStorage(value);
  }
  Record value;
};
} // namespace detail

//===----------------------------------------------------------------------===//
// Fields without their types
//===----------------------------------------------------------------------===//

/// What the parser and printer need of a field's type.
struct FieldSyntax {
  mlir::ParseResult (*parse)(mlir::AsmParser &parser, void *value);
  void (*print)(mlir::AsmPrinter &printer, const void *value);
  bool (*equal)(const void *a, const void *b);
};

/// One field of a record in memory.
struct FieldText {
  const FieldInfo *info;
  void *value;
  const FieldSyntax *syntax;
};

/// `<keyword = value, ...>` into the fields; those that are required must be
/// there.
mlir::ParseResult parseFields(mlir::AsmParser &parser,
                              llvm::ArrayRef<FieldText> fields);
/// The same back; `defaults` are the fields of a default record.
void printFields(mlir::AsmPrinter &printer, llvm::ArrayRef<FieldText> fields,
                 llvm::ArrayRef<FieldText> defaults);

//===----------------------------------------------------------------------===//
// Types of fields
//===----------------------------------------------------------------------===//

template <typename Record>
mlir::ParseResult parseRecord(mlir::AsmParser &parser, Record &record);
template <typename Record>
void printRecord(mlir::AsmPrinter &printer, const Record &record);

/// Text of one value: numbers, enumerations, strings, booleans.
template <typename T, typename = void> struct ValueSyntax {
  static mlir::ParseResult parse(mlir::AsmParser &parser, T &value) {
    auto parsed = mlir::FieldParser<T>::parse(parser);
    if (failed(parsed))
      return mlir::failure();
    value = *parsed;
    return mlir::success();
  }
  static void print(mlir::AsmPrinter &printer, const T &value) {
    if constexpr (std::is_same_v<T, bool>)
      printer << (value ? "true" : "false");
    else
      printer.getStream() << value;
  }
};

template <> struct ValueSyntax<double> {
  static mlir::ParseResult parse(mlir::AsmParser &parser, double &value) {
    Scalar number;
    if (ValueSyntax<Scalar>::parse(parser, number))
      return mlir::failure();
    value = number.value();
    return mlir::success();
  }
  static void print(mlir::AsmPrinter &printer, double value) {
    printer.getStream() << Scalar(value);
  }
};

template <> struct ValueSyntax<std::string> {
  static mlir::ParseResult parse(mlir::AsmParser &parser, std::string &value) {
    return parser.parseKeywordOrString(&value);
  }
  static void print(mlir::AsmPrinter &printer, const std::string &value) {
    printer.printString(value);
  }
};

template <typename T> struct ValueSyntax<std::optional<T>> {
  static mlir::ParseResult parse(mlir::AsmParser &parser,
                                 std::optional<T> &value) {
    return ValueSyntax<T>::parse(parser, value.emplace());
  }
  static void print(mlir::AsmPrinter &printer, const std::optional<T> &value) {
    ValueSyntax<T>::print(printer, *value);
  }
};

template <typename T> struct ValueSyntax<std::vector<T>> {
  static mlir::ParseResult parse(mlir::AsmParser &parser,
                                 std::vector<T> &list) {
    return parser.parseCommaSeparatedList(
        mlir::AsmParser::Delimiter::Square,
        [&] { return ValueSyntax<T>::parse(parser, list.emplace_back()); });
  }
  static void print(mlir::AsmPrinter &printer, const std::vector<T> &list) {
    printer << "[";
    llvm::interleaveComma(list, printer.getStream(), [&](const T &item) {
      ValueSyntax<T>::print(printer, item);
    });
    printer << "]";
  }
};

/// `#gpucost.instruction_table<copy = 3, cast = 4, ...>` with every case of the
/// enumeration `InstructionClass` but `none`, which is 0.
mlir::ParseResult parseRecord(mlir::AsmParser &parser, InstructionTable &table);
void printRecord(mlir::AsmPrinter &printer, const InstructionTable &table);

/// A record: `<...>`, or an attribute that holds one.
template <typename Record>
struct ValueSyntax<Record,
                   std::enable_if_t<IsRecord<Record>::value ||
                                    std::is_same_v<Record, InstructionTable>>> {
  static mlir::ParseResult parse(mlir::AsmParser &parser, Record &record) {
    mlir::Attribute attr;
    llvm::SMLoc loc = parser.getCurrentLocation();
    mlir::OptionalParseResult whole = parser.parseOptionalAttribute(attr);
    if (!whole.has_value())
      return parseRecord(parser, record);
    if (mlir::failed(*whole))
      return mlir::failure();
    auto typed = llvm::dyn_cast<RecordAttr<Record>>(attr);
    if (!typed)
      return parser.emitError(loc, "expected a '#")
             << RecordAttr<Record>::name << "'";
    record = typed.getValue();
    return mlir::success();
  }
  static void print(mlir::AsmPrinter &printer, const Record &record) {
    printRecord(printer, record);
  }
};

/// A problem is a whole attribute: its name says which one it is.
template <typename... Records> struct ValueSyntax<std::variant<Records...>> {
  using Variant = std::variant<Records...>;
  template <typename Record>
  static bool take(mlir::Attribute attr, Variant &value) {
    auto typed = llvm::dyn_cast<RecordAttr<Record>>(attr);
    if (typed)
      value = typed.getValue();
    return static_cast<bool>(typed);
  }
  static mlir::ParseResult parse(mlir::AsmParser &parser, Variant &value) {
    mlir::Attribute attr;
    llvm::SMLoc loc = parser.getCurrentLocation();
    if (parser.parseAttribute(attr))
      return mlir::failure();
    if ((take<Records>(attr, value) || ...))
      return mlir::success();
    return parser.emitError(loc, "expected a problem, but got ") << attr;
  }
  static void print(mlir::AsmPrinter &printer, const Variant &value) {
    std::visit(
        [&](const auto &record) {
          using Record = std::decay_t<decltype(record)>;
          printer << "#" << RecordAttr<Record>::name;
          printRecord(printer, record);
        },
        value);
  }
};

template <typename T>
inline constexpr FieldSyntax fieldSyntax = {
    [](mlir::AsmParser &parser, void *value) {
      return ValueSyntax<T>::parse(parser, *static_cast<T *>(value));
    },
    [](mlir::AsmPrinter &printer, const void *value) {
      ValueSyntax<T>::print(printer, *static_cast<const T *>(value));
    },
    [](const void *a, const void *b) {
      return *static_cast<const T *>(a) == *static_cast<const T *>(b);
    }};

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

template <typename Record>
llvm::SmallVector<FieldText, 24> fieldsOf(Record &record) {
  llvm::SmallVector<FieldText, 24> fields;
  visitFields(record, [&](const FieldInfo &info, auto &value) {
    fields.push_back(
        {&info, &value, &fieldSyntax<std::decay_t<decltype(value)>>});
  });
  return fields;
}

/// The fault of a record that a user has written.
template <typename Record> std::string findFaultInText(const Record &record) {
  std::string fault = findFault(record);
  return fault.empty() ? findFaultInFile(record) : fault;
}
// Its parser has checked it.
inline std::string findFault(const InstructionTable &) { return {}; }
inline std::string findFaultInText(const InstructionTable &) { return {}; }

template <typename Record>
mlir::ParseResult parseRecord(mlir::AsmParser &parser, Record &record) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parseFields(parser, fieldsOf(record)))
    return mlir::failure();
  if (std::string fault = findFaultInText(record); !fault.empty())
    return parser.emitError(loc, fault);
  return mlir::success();
}

template <typename Record>
void printRecord(mlir::AsmPrinter &printer, const Record &record) {
  Record defaults;
  // Only read through.
  printFields(printer, fieldsOf(const_cast<Record &>(record)),
              fieldsOf(defaults));
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

template <typename Record>
RecordAttr<Record> RecordAttr<Record>::get(mlir::MLIRContext *context,
                                           const Record &value) {
  assert(findFault(value).empty() && "not a valid record");
  return Parent::get(context, value);
}

template <typename Record>
RecordAttr<Record> RecordAttr<Record>::getChecked(
    llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
    mlir::MLIRContext *context, const Record &value) {
  if (std::string fault = findFaultInText(value); !fault.empty()) {
    emitError() << fault;
    return {};
  }
  return Parent::get(context, value);
}

template <typename Record> const Record &RecordAttr<Record>::getValue() const {
  return this->getImpl()->value;
}

/// How the dialect reads and writes one kind of record.
struct RecordAttrSyntax {
  llvm::StringLiteral mnemonic;
  mlir::Attribute (*parse)(mlir::AsmParser &parser);
  /// False when `attr` is of another kind.
  bool (*print)(mlir::Attribute attr, mlir::AsmPrinter &printer);
};

template <typename Record> constexpr RecordAttrSyntax recordAttrSyntax() {
  return {RecordAttr<Record>::name,
          [](mlir::AsmParser &parser) -> mlir::Attribute {
            Record record;
            if (parseRecord(parser, record))
              return {};
            return RecordAttr<Record>::get(parser.getContext(), record);
          },
          [](mlir::Attribute attr, mlir::AsmPrinter &printer) {
            auto typed = llvm::dyn_cast<RecordAttr<Record>>(attr);
            if (typed)
              printRecord(printer, typed.getValue());
            return static_cast<bool>(typed);
          }};
}

/// The attribute behind `#gpucost.mnemonic`; `loc` is that of the mnemonic.
mlir::Attribute parseRecordAttribute(mlir::AsmParser &parser, llvm::SMLoc loc,
                                     llvm::StringRef mnemonic);
/// False when `attr` is no record.
bool printRecordAttribute(mlir::Attribute attr, mlir::AsmPrinter &printer);

// The records of each file.
llvm::ArrayRef<RecordAttrSyntax> kernelRecords();
llvm::ArrayRef<RecordAttrSyntax> gpuRecords();
llvm::ArrayRef<RecordAttrSyntax> coefficientRecords();

} // namespace gpucost

#endif // GPUCOST_LIB_DIALECT_GPUCOST_IR_RECORDSYNTAX_H
