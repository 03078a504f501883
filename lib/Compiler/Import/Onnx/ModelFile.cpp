//===- ModelFile.cpp - Opens and parses a model file ----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelFile.h"
#include "gpucost/Compiler/Support/CrashGuard.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include <exception>
#include <optional>

using namespace gpucost::importer;

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
gpucost::importer::mapModelFile(llvm::StringRef path) {
  auto cannotOpen = [](const llvm::Twine &why) {
    return llvm::createStringError("cannot open the model: " + why);
  };
  // Reading a device or pipe may never end, so check the file type first.
  llvm::sys::fs::file_status status;
  if (std::error_code error = llvm::sys::fs::status(path, status))
    return cannotOpen(error.message());
  if (status.type() == llvm::sys::fs::file_type::directory_file)
    return cannotOpen("it is a directory");
  if (status.type() != llvm::sys::fs::file_type::regular_file)
    return cannotOpen("it is not a regular file");
  if (status.getSize() == 0)
    return llvm::createStringError("the file is empty");
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return cannotOpen(buffer.getError().message());
  return std::move(*buffer);
}

/// The likely kind of a file that is not a model; "" if unknown.
static llvm::StringRef describeOtherFile(llvm::StringRef contents) {
  if (contents.starts_with("version https://git-lfs"))
    return "the file is a Git LFS pointer; fetch it with 'git lfs pull'";
  if (contents.starts_with("PK\x03\x04"))
    return "the file is a zip archive, maybe a PyTorch checkpoint; export it "
           "with 'torch.onnx.export'";
  if (contents.starts_with("ORTM") || contents.substr(4).starts_with("ORTM"))
    return "the file is in ONNX Runtime's own format; use the .onnx file that "
           "it "
           "was converted from";
  if (llvm::all_of(contents.take_front(64),
                   [](char c) { return llvm::isPrint(c) || llvm::isSpace(c); }))
    return "the file is text";
  return "";
}

/// Adds a hint to `error` that the file may not be a model.
static llvm::Error notAModel(llvm::StringRef contents, llvm::Error error) {
  std::string text = "not an ONNX model: " + llvm::toString(std::move(error));
  llvm::StringRef other = describeOtherFile(contents);
  if (!other.empty())
    text += " (" + other.str() + ")";
  return llvm::createStringError(text);
}

static llvm::Expected<StrippedModel> strip(llvm::StringRef contents,
                                           const WireLimits &limits) {
  llvm::Expected<StrippedModel> stripped = stripPayloads(contents, limits);
  if (stripped)
    return stripped;
  return notAModel(contents, stripped.takeError());
}

/// `strip` for a mapped file, whose pages may vanish.
static llvm::Expected<StrippedModel> stripMapped(llvm::StringRef contents,
                                                 const WireLimits &limits) {
  std::optional<llvm::Expected<StrippedModel>> stripped;
  std::exception_ptr thrown;
  bool finished = gpucost::finishes([&] {
    try {
      stripped.emplace(strip(contents, limits));
    } catch (...) {
      thrown = std::current_exception();
    }
  });
  if (thrown)
    std::rethrow_exception(thrown);
  if (finished)
    return std::move(*stripped);
  return llvm::createStringError("the file changed while it was read");
}

llvm::Expected<ModelFile>
gpucost::importer::parseModel(llvm::StringRef contents, bool isMapped,
                              const WireLimits &limits) {
  llvm::Expected<StrippedModel> stripped =
      isMapped ? stripMapped(contents, limits) : strip(contents, limits);
  if (!stripped)
    return stripped.takeError();

  ModelFile file;
  file.arena = std::make_unique<google::protobuf::Arena>();
  auto *model =
      google::protobuf::Arena::CreateMessage<pb::ModelProto>(file.arena.get());
  // The output limit of WireWalker is below INT_MAX.
  if (!model->ParsePartialFromArray(stripped->bytes.data(),
                                    static_cast<int>(stripped->bytes.size())))
    return notAModel(contents,
                     llvm::createStringError("a message cannot be parsed"));
  if (!model->has_graph())
    return notAModel(contents, llvm::createStringError("it has no graph"));
  if (model->ir_version() < 0 || model->ir_version() > 1000)
    return llvm::createStringError(
        "expected an IR version between 1 and 1000, but got " +
        llvm::Twine(model->ir_version()));
  file.model = model;
  return file;
}
