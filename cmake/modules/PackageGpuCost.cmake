# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Debian packages of a build: cpack -G DEB --config build/CPackConfig.cmake
#   gpu-cost-opt       component tool: one program, its manual page, completion and schemas
#   gpu-cost-opt-dev   everything else: libraries, headers, data, the plugin of mlir-opt
set(GPUCOST_MAINTAINER "The gpu-cost-opt authors" CACHE STRING
    "Maintainer of Debian packages: name and address")
mark_as_advanced(GPUCOST_MAINTAINER)

# gpucost_documents(package component): licences and changelog in share/doc.
function(gpucost_documents package component)
  set(folder "${PROJECT_BINARY_DIR}/share/doc/${package}")
  file(READ "${PROJECT_SOURCE_DIR}/LICENSE" text)
  file(WRITE "${folder}/copyright" "Copyright: ${CPACK_PACKAGE_VENDOR}\n${text}")
  foreach(name IN LISTS gpucost_licensed)
    if(gpucost_license_${name})
      file(READ "${gpucost_license_${name}}" text)
      file(APPEND "${folder}/copyright" "\n\n---- Contains code of ${name} ----\n\n${text}")
    endif()
  endforeach()
  install(FILES "${folder}/copyright" "${PROJECT_SOURCE_DIR}/CHANGELOG.md"
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component})
endfunction()

set(CPACK_PACKAGE_VENDOR "The gpu-cost-opt authors")
set(CPACK_PACKAGE_NAME gpu-cost-opt)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "time, power, energy and memory of models on GPUs")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_PRE_BUILD_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/CompressDocuments.cmake")
set(CPACK_COMPONENTS_ALL development)
gpucost_documents(gpu-cost-opt-dev development)
if(GPUCOST_MLIR)
  list(APPEND CPACK_COMPONENTS_ALL tool)
  gpucost_documents(gpu-cost-opt tool)
endif()
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
    GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${GPUCOST_MAINTAINER}")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PROJECT_BINARY_DIR}/lib" ${LLVM_LIBRARY_DIR})
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_TOOL_PACKAGE_NAME gpu-cost-opt)
set(CPACK_DEBIAN_TOOL_PACKAGE_SECTION science)
set(CPACK_DEBIAN_TOOL_DESCRIPTION
  "The tool: reads an ONNX or MLIR model and predicts training or inference\nwithout a GPU.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME gpu-cost-opt-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION
  "Libraries for C and C++, descriptions of GPUs, and the plugin of mlir-opt.")
include(CPack)
