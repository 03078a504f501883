# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# CPack runs this before it writes packages: Debian compresses manual pages and changelogs.
file(GLOB_RECURSE pages "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/gpu-cost-opt.1")
file(GLOB_RECURSE changelogs "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/CHANGELOG.md")
foreach(changelog IN LISTS changelogs)
  cmake_path(REPLACE_FILENAME changelog changelog OUTPUT_VARIABLE renamed)
  file(RENAME "${changelog}" "${renamed}")
  list(APPEND pages "${renamed}")
endforeach()
foreach(page IN LISTS pages)
  execute_process(COMMAND gzip -9nf "${page}" COMMAND_ERROR_IS_FATAL ANY)
endforeach()
