# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Licences of the code that programs and libraries of a build with MLIR contain, from Debian's
# packages or from GPUCOST_<name>_LICENSE. Sets gpucost_licensed, the names, and
# gpucost_license_<name>, a file each. Pages contain D3 with its licence (D3.cmake).
set(gpucost_licensed)
foreach(each "mlir libmlir-${LLVM_VERSION_MAJOR}-dev" "onnx libonnx-dev" "protobuf libprotobuf-dev"
        "zlib zlib1g-dev" "fmt libfmt-dev" "eigen libeigen3-dev")
  string(REPLACE " " ";" each "${each}")
  list(POP_FRONT each name package)
  list(APPEND gpucost_licensed ${name})
  find_file(GPUCOST_${name}_LICENSE copyright PATHS "/usr/share/doc/${package}" NO_DEFAULT_PATH
            DOC "licence of ${name}, for packages that contain its code")
  mark_as_advanced(GPUCOST_${name}_LICENSE)
  set(gpucost_license_${name} "")
  if(GPUCOST_${name}_LICENSE)
    file(REAL_PATH "${GPUCOST_${name}_LICENSE}" gpucost_license_${name})
  endif()
endforeach()
