# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes one module or network of the door test by each of the given doors.

  export.py FOLDER NAME TYPE DOOR...

Per door it writes FOLDER/NAME.TYPE.DOOR.onnx or .mlir without the values of large weights, then FOLDER/NAME.TYPE.DOOR.json:
{"file", "seconds"}, or {"reason", "seconds"} if the front end fails. Runs in the environment of the front ends.
"""
import contextlib
import io
import json
import pathlib
import subprocess
import sys
import time
import warnings

import torch

# MLIR prints at most this many elements of a constant.
ELEMENTS = 64
FAILURE_LENGTH = 400
TYPES = {"f32": torch.float32, "bf16": torch.bfloat16}


def declare_vision_ops():
    """torchvision's package for CUDA cannot load its ops beside a CPU build of PyTorch, but its import needs two."""
    if torch.version.cuda is None:
        library = torch.library.Library("torchvision", "FRAGMENT")
        for name in ("nms", "qnms"):
            library.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
        return library


def built(name, dtype):
    """(module, positional inputs, named inputs)."""
    import modules
    import networks
    if name in modules.MODULES:
        module, inputs = modules.build(name, dtype)
        return module, inputs, {}
    module, inputs = networks.build(name)
    real = TYPES[dtype]
    inputs = torch.utils._pytree.tree_map_only(
        torch.Tensor, lambda each: each.to(real) if each.is_floating_point() else each, inputs)
    return module.to(real), (), inputs


def without_weights(path):
    """Moves weights of an ONNX file out of it, and drops them."""
    import onnx
    model = onnx.load(path)
    onnx.save(model, path, save_as_external_data=True, location=path.name + ".weights", size_threshold=1024)
    (path.parent / (path.name + ".weights")).unlink(missing_ok=True)


def onnx_dynamo(name, dtype, path):
    module, inputs, named = built(name, dtype)
    program = torch.onnx.export(module, inputs, kwargs=named, dynamo=True, verbose=False)
    program.save(path)
    without_weights(path)


def onnx_torchscript(name, dtype, path):
    module, inputs, named = built(name, dtype)
    arguments = (*inputs, named) if named else inputs
    torch.onnx.export(module, arguments, str(path), dynamo=False, verbose=False)
    without_weights(path)


def torch_mlir(kind):
    def write(name, dtype, path):
        from torch_mlir import fx
        module, inputs, named = built(name, dtype)
        program = torch.export.export(module, inputs, named)
        found = fx.export_and_import(program, output_type=kind)
        path.write_text(found.operation.get_asm(large_elements_limit=ELEMENTS, large_resource_limit=ELEMENTS))
    return write


def jax_iree(name, dtype, path):
    import twins
    if name not in twins.TWINS:
        raise NotImplementedError("no twin in JAX")
    source = path.with_suffix(".stablehlo")
    source.write_text(twins.stablehlo(name, dtype))
    compiler = pathlib.Path(sys.executable).parent / "iree-compile"
    found = subprocess.run([compiler, "--iree-input-type=stablehlo", "--compile-to=input", "--mlir-print-op-generic",
                            f"--mlir-elide-elementsattrs-if-larger={ELEMENTS}", source, "-o", path],
                           capture_output=True, text=True)
    source.unlink()
    if found.returncode:
        raise RuntimeError(found.stderr)


def gpucost_export(name, dtype, path):
    import gpucost
    module, inputs, named = built(name, dtype)
    gpucost.export(module, named or inputs).save(path)


# door: (function, suffix of its files).
DOORS = {
    "onnx": (onnx_dynamo, ".onnx"),
    "torchscript": (onnx_torchscript, ".onnx"),
    "linalg": (torch_mlir("linalg-on-tensors"), ".mlir"),
    "tosa": (torch_mlir("tosa"), ".mlir"),
    "jax": (jax_iree, ".mlir"),
    "gpucost": (gpucost_export, ".onnx"),
}


def reason_of(error):
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: " + " ".join(lines)[:FAILURE_LENGTH]


def write(folder, name, dtype, door):
    function, suffix = DOORS[door]
    path = folder / f"{name}.{dtype}.{door}{suffix}"
    begin, result = time.time(), {}
    try:
        # Front ends print graphs and progress.
        with torch.no_grad(), contextlib.redirect_stdout(io.StringIO()):
            function(name, dtype, path)
        result["file"] = path.name
    except (Exception, SystemExit) as error:
        result["reason"] = reason_of(error)
    result["seconds"] = round(time.time() - begin, 1)
    (folder / f"{name}.{dtype}.{door}.json").write_text(json.dumps(result))


def main():
    folder, name, dtype, *doors = sys.argv[1:]
    warnings.filterwarnings("ignore")
    torch.set_num_threads(1)
    library = declare_vision_ops()  # as long as it is alive, so are its ops
    for door in doors:
        write(pathlib.Path(folder), name, dtype, door)
    del library


if __name__ == "__main__":
    main()
