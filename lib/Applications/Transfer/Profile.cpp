//===- Profile.cpp - Detects the file type of a profile -------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Transfer/Profile.h"
#include "ReadProfile.h"
#include <zlib.h>

using namespace gpucost;
using namespace gpucost::transfer;
using llvm::StringRef;

/// Largest size of an uncompressed file, bytes.
static constexpr size_t largest = size_t(2) << 30;

/// The contents of all members of a gzipped file, in order.
static llvm::Expected<std::string> unzip(StringRef contents) {
  z_stream stream = {};
  stream.next_in =
      reinterpret_cast<Bytef *>(const_cast<char *>(contents.data()));
  stream.avail_in = static_cast<uInt>(contents.size());
  if (contents.size() > UINT32_MAX ||
      inflateInit2(&stream, 15 + 16 /* gzip */) != Z_OK)
    return llvm::createStringError("cannot unzip the file");
  std::string text;
  std::string part(1 << 20, '\0');
  int status = Z_OK;
  while (status == Z_OK && text.size() <= largest) {
    stream.next_out = reinterpret_cast<Bytef *>(part.data());
    stream.avail_out = static_cast<uInt>(part.size());
    status = inflate(&stream, Z_NO_FLUSH);
    text.append(part, 0, part.size() - stream.avail_out);
    StringRef rest = contents.take_back(stream.avail_in);
    if (status == Z_STREAM_END && !rest.ltrim('\0').empty())
      status = inflateReset(&stream); // the next member begins
  }
  inflateEnd(&stream);
  if (status == Z_STREAM_END)
    return text;
  return llvm::createStringError(text.size() > largest
                                     ? "the unzipped file is larger than 2 GiB"
                                     : "the gzipped file is damaged or cut");
}

llvm::Expected<Profile> transfer::readProfile(StringRef contents,
                                              StringRef file,
                                              const ProfileOptions &options) {
  auto refuse = [&](const std::string &message) {
    return llvm::createStringError("'" + file.str() + "': " + message);
  };
  std::string unzipped;
  if (contents.starts_with("\x1f\x8b")) {
    llvm::Expected<std::string> text = unzip(contents);
    if (!text)
      return refuse(llvm::toString(text.takeError()));
    unzipped = std::move(*text);
    contents = unzipped;
  }
  StringRef start = contents.ltrim();
  llvm::Expected<Profile> profile =
      start.starts_with("{") || start.starts_with("[")
          ? readKinetoTrace(contents, options)
          : readCsvProfile(contents);
  if (!profile)
    return refuse(llvm::toString(profile.takeError()));
  profile->file = file.str();
  return profile;
}
