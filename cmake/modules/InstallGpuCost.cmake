# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What `cmake --install` adds to the programs and libraries: headers, generated
# ones too, data files, and the package for find_package(GpuCost). Its component C
# is the C interface: no other package is needed for it.
include(CMakePackageConfigHelpers)
set(package "${CMAKE_INSTALL_LIBDIR}/cmake/GpuCost")

# The C interface.
set(c_libraries gpucost gpucost_static)
if(GPUCOST_MLIR)
  list(APPEND c_libraries gpucost-mlir)
endif()
install(TARGETS ${c_libraries} EXPORT GpuCostCTargets)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/gpucost-c"
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(EXPORT GpuCostCTargets NAMESPACE GpuCost:: DESTINATION ${package})
foreach(library IN LISTS c_libraries)
  if(NOT library STREQUAL "gpucost_static")
    configure_file("${PROJECT_SOURCE_DIR}/cmake/${library}.pc.in"
                   "${PROJECT_BINARY_DIR}/${library}.pc" @ONLY)
    install(FILES "${PROJECT_BINARY_DIR}/${library}.pc"
      DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  endif()
endforeach()

# The C++ libraries.
install(TARGETS GpuCostArchive GpuCostIteration GpuCostModel GpuCostQueryWork
  GpuCostReportData GpuCostSettings GpuCostSupport EXPORT GpuCostTargets)
set(header_folders "${PROJECT_SOURCE_DIR}/include/gpucost")
if(GPUCOST_MLIR)
  list(APPEND header_folders "${PROJECT_BINARY_DIR}/include/gpucost")
endif()
install(DIRECTORY ${header_folders}
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h" PATTERN "*.def" PATTERN "*.td" PATTERN "*.inc"
  PATTERN CMakeFiles EXCLUDE)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/networks"
  DESTINATION ${CMAKE_INSTALL_DATADIR}/gpu-cost-opt
  FILES_MATCHING PATTERN "*.mlir")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/targets"
  DESTINATION ${CMAKE_INSTALL_DATADIR}/gpu-cost-opt
  FILES_MATCHING PATTERN "*.mlir" PATTERN coefficients EXCLUDE)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/targets/coefficients"
  DESTINATION ${CMAKE_INSTALL_DATADIR}/gpu-cost-opt
  FILES_MATCHING PATTERN "*.mlir")
install(EXPORT GpuCostTargets NAMESPACE GpuCost:: DESTINATION ${package})

configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/GpuCostConfig.cmake.in" "${PROJECT_BINARY_DIR}/GpuCostConfig.cmake"
  INSTALL_DESTINATION ${package}
  PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_DATADIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/GpuCostConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/GpuCostConfig.cmake" "${PROJECT_BINARY_DIR}/GpuCostConfigVersion.cmake"
  DESTINATION ${package})
if(GPUCOST_MLIR)
  install(FILES "${PROJECT_SOURCE_DIR}/cmake/GpuCostPlugins.cmake" DESTINATION ${package})
endif()
