# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes modules and networks of the door test, each by one door.

  export.py FOLDER NAME.TYPE.DOOR...

Per argument it writes FOLDER/NAME.TYPE.DOOR.onnx or .mlir without the values of large weights, then FOLDER/NAME.TYPE.DOOR.json:
{"file", "seconds"}, or {"reason", "seconds"} if the front end fails. The door "reference" writes no file, but parameters and
FLOPs (reference.py). Runs in the environment of the front ends.
"""
import contextlib
import gc
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import warnings

import torch

from gpucost import _torch

# MLIR prints at most this many elements of a constant: positions that masks are computed from, but not weights.
ELEMENTS = 4096
FAILURE_LENGTH = 400
# Bytes of a weight above which an ONNX file omits its values.
LARGE = 1024
TYPES = {"f32": torch.float32, "bf16": torch.bfloat16}


def declare_vision_ops():
    """torchvision's package for CUDA cannot load its ops beside a CPU build of PyTorch, but its import needs two."""
    if torch.version.cuda is None:
        library = torch.library.Library("torchvision", "FRAGMENT")
        for name in ("nms", "qnms"):
            library.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
        return library


def built(name, dtype, device="cpu"):
    """(module, positional inputs, named inputs)."""
    import modules
    import networks
    if name in modules.MODULES:
        module, inputs = modules.build(name, dtype, device)
        return module, inputs, {}
    with torch.device(device):
        module, inputs = networks.build(name)
    real = TYPES[dtype]
    inputs = torch.utils._pytree.tree_map_only(
        torch.Tensor, lambda each: each.to(real) if each.is_floating_point() else each, inputs)
    return module.to(real), (), inputs


class Plain(torch.nn.Module):
    """A network as other exporters accept it: tensors in order, a tuple of tensors, no cache."""

    def __init__(self, module, named):
        super().__init__()
        self.module, self.names = module, [name for name, value in named.items() if isinstance(value, torch.Tensor)]
        complete = _torch.without_cache(module, named)
        self.fixed = {name: value for name, value in complete.items() if name not in self.names}

    def forward(self, *tensors):
        output = self.module(**dict(zip(self.names, tensors)), **self.fixed)
        leaves = torch.utils._pytree.tree_leaves(dict(output) if isinstance(output, dict) else output)
        return tuple(leaf for leaf in leaves if isinstance(leaf, torch.Tensor))


def plain(name, dtype):
    """(module, positional inputs)."""
    module, inputs, named = built(name, dtype)
    if not named:
        return module, inputs
    for part in module.modules():  # torch-mlir finds only buffers that are saved
        part._non_persistent_buffers_set.clear()
    wrapped = Plain(module, named).eval()
    return wrapped, tuple(named[each] for each in wrapped.names)


def save_without_weights(source, path):
    """Copies an ONNX file without the values of large weights; masks and indices stay."""
    import onnx
    kept = {onnx.TensorProto.BOOL, onnx.TensorProto.INT32, onnx.TensorProto.INT64}
    model = onnx.load(source, load_external_data=False)
    for tensor in model.graph.initializer:
        if tensor.data_type in kept and tensor.data_location == tensor.EXTERNAL:
            onnx.external_data_helper.load_external_data_for_tensor(tensor, str(source.parent))
            tensor.data_location = tensor.DEFAULT
        elif tensor.data_location != tensor.EXTERNAL and tensor.ByteSize() > LARGE:
            tensor.ClearField("raw_data")
            tensor.data_location = tensor.EXTERNAL
            tensor.external_data.add(key="location", value=path.name + ".weights")
    for node in model.graph.node:  # stack traces, with paths of this machine
        kept_props = [each for each in node.metadata_props if "stack_trace" not in each.key]
        del node.metadata_props[:]
        node.metadata_props.extend(kept_props)
    path.write_bytes(model.SerializeToString())


def onnx_dynamo(name, dtype, path):
    program = torch.onnx.export(*plain(name, dtype), dynamo=True, verbose=False)
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "model.onnx"
        program.save(file, external_data=True)
        save_without_weights(file, path)


def onnx_torchscript(name, dtype, path):
    module, inputs = plain(name, dtype)
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "model.onnx"
        torch.onnx.export(module, inputs, str(file), dynamo=False, verbose=False)
        save_without_weights(file, path)


def torch_mlir(kind):
    def write(name, dtype, path):
        from torch_mlir import fx
        program = torch.export.export(*plain(name, dtype))
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
        raise RuntimeError(found.stderr.replace(str(source.parent), ""))


def on_meta(function, name, dtype):
    """A function of a module on the meta device, or on the CPU where the module needs values."""
    try:
        return function(*built(name, dtype, "meta"))
    except Exception as error:
        if "meta" not in str(error):
            raise
    return function(*built(name, dtype))


def gpucost_export(name, dtype, path):
    """As gpucost.analyze() exports it."""
    import gpucost
    exported = on_meta(lambda module, inputs, named: gpucost.export(module, named or inputs), name, dtype)
    exported.save(path)


def flop_counter(name, dtype, path):
    import reference
    return on_meta(reference.count, name, dtype)


# door: (function, suffix of its files).
DOORS = {
    "onnx": (onnx_dynamo, ".onnx"),
    "torchscript": (onnx_torchscript, ".onnx"),
    "linalg": (torch_mlir("linalg-on-tensors"), ".mlir"),
    "tosa": (torch_mlir("tosa"), ".mlir"),
    "jax": (jax_iree, ".mlir"),
    "gpucost": (gpucost_export, ".onnx"),
    "reference": (flop_counter, ""),
}


def reason_of(error):
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: " + " ".join(lines)[:FAILURE_LENGTH]


def write(folder, name, dtype, door):
    function, suffix = DOORS[door]
    path = folder / f"{name}.{dtype}.{door}{suffix}"
    begin = time.time()
    try:
        # Front ends print graphs and progress.
        with contextlib.redirect_stdout(io.StringIO()), torch.set_grad_enabled(door == "reference"):
            result = function(name, dtype, path) or {"file": path.name}
    except (Exception, SystemExit) as error:
        result = {"reason": reason_of(error)}
    result["seconds"] = round(time.time() - begin, 1)
    (folder / f"{name}.{dtype}.{door}.json").write_text(json.dumps(result))


def main():
    folder, *jobs = sys.argv[1:]
    warnings.filterwarnings("ignore")
    torch.set_num_threads(1)
    library = declare_vision_ops()  # as long as it is alive, so are its ops
    for job in jobs:
        write(pathlib.Path(folder), *job.split("."))
        torch._dynamo.reset()
        gc.collect()
    del library


if __name__ == "__main__":
    main()
