# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lit suites of gpu-cost-opt: .mlir and .test files with RUN lines."""

import os
import shutil
import subprocess
import sys

import lit.formats

config.name = "gpucost-" + config.gpucost_suite
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "coefficients"]
config.test_source_root = config.gpucost_suite_root
config.test_exec_root = os.path.join(config.gpucost_obj_root, config.gpucost_suite)

# Tests name tools as the documentation does. PATH finds ours, then LLVM's
# (FileCheck, not, split-file, mlir-opt), which must not come from elsewhere.
config.environment["PATH"] = os.path.pathsep.join(
    [config.gpucost_tools_dir, config.llvm_tools_dir, config.environment["PATH"]]
)

test_root = os.path.join(config.gpucost_src_root, "test")
config.substitutions += [
    ("%gpu-cost-opt", os.path.join(config.gpucost_tools_dir, "gpu-cost-opt")),
    ("%mlir-opt", os.path.join(config.llvm_tools_dir, "mlir-opt")),
    ("%llvm", os.path.dirname(config.llvm_tools_dir)),
    ("%plugin", config.gpucost_plugin),
    ("%cmake", config.cmake),
    ("%cpack", os.path.join(os.path.dirname(config.cmake), "cpack")),
    ("%build", config.gpucost_obj_root),
    ("%cc", config.cc),
    ("%cxx", config.cxx),
    ("%launcher", config.launcher),
    ("%python", sys.executable),
    ("%lit", os.path.join(config.llvm_tools_dir, "lit")),
    ("%models", os.path.join(config.gpucost_src_root, "models")),
    ("%examples", os.path.join(config.gpucost_src_root, "examples")),
    ("%docs", os.path.join(config.gpucost_src_root, "docs")),
    ("%include", os.path.join(config.gpucost_src_root, "include")),
    ("%inputs", os.path.join(test_root, "Inputs")),
    ("%survey", os.path.join(config.gpucost_src_root, "utils", "survey_models.py")),
    ("%validate", os.path.join(config.gpucost_src_root, "utils", "validate.py")),
]

if config.gpucost_has_asserts:
    config.available_features.add("asserts")
if config.gpucost_has_plugin:
    config.available_features.add("plugin")

# The distribution's python3-jsonschema belongs to the system Python, which is not necessarily
# the first in PATH.
for python in ("python3", "/usr/bin/python3"):
    if subprocess.run([python, "-c", "import jsonschema"], capture_output=True).returncode == 0:
        config.available_features.add("jsonschema")
        config.substitutions.append(("%schema-python", python))
        break

for feature, program in (("man", "man"), ("clang-tidy", "clang-tidy-22"), ("dpkg-dev", "dpkg-shlibdeps")):
    if shutil.which(program):
        config.available_features.add(feature)

# A browser opens the pages that the tool writes; without D3 it writes none.
sys.path.insert(0, os.path.join(config.gpucost_src_root, "utils", "python"))
import browser  # noqa: E402

if config.gpucost_has_pages:
    config.available_features.add("pages")
    if browser.find():
        config.available_features.add("browser")

# Measurements that do not lie in the repository.
shared_data = os.path.join(config.gpucost_src_root, "..", "shared", "data")
if os.path.isdir(shared_data):
    config.available_features.add("shared-data")
    config.substitutions.append(("%shared-data", os.path.realpath(shared_data)))
