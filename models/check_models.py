#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the exported files against their PyTorch models.

For every file: it loads, it contains no weights, its parameters are those of
the PyTorch model, dropout and batch normalization are present, and the
multiply-accumulates of its matrix products and convolutions are those that
PyTorch's own counter finds.  Exits with a non-zero status on a mismatch.
"""

import argparse
import collections
import math
import sys
import warnings
from pathlib import Path

import onnx
import onnx_ir as ir
import torch
import transformers
from onnxscript.optimizer import _constant_folding as constant_folding
from torch._subclasses import FakeTensorMode
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode

from export_models import (
    INLINE_LIMIT, MODELS, NAME_JOINT, Forward, build_model, describe_unpadded_inputs,
    example_inputs, exportable
)

# Values of the symbolic dimensions.
SIZES = {"batch": 2, "sequence": 128, "encoder_sequence": 128}

# Published multiply-accumulates per image, as a reference independent of
# PyTorch.
PUBLISHED_MACS = {"resnet50": 4_089_184_256, "resnet101": 7_801_405_440}
# Published parameter counts, as an independent reference: for the MPT sizes the
# column NumParams (at sequence length 2048) in
# scripts/train/benchmarking/README.md of llm-foundry, for other models
# torchvision (timm for ResNeXt) or the model card.
PUBLISHED_PARAMETERS = {
    "mpt-125m": 125_311_488, "mpt-350m": 355_985_408, "mpt-760m": 760_470_528,
    "mpt-1b": 1_315_950_592, "mpt-3b": 2_651_837_440, "mpt-7b": 6_658_859_008,
    "mpt-13b": 12_853_954_560, "mpt-30b": 29_975_214_080,
    "resnet50": 25_557_032, "resnet50-244": 25_557_032,
    "resnet101": 44_549_160, "resnet152": 60_192_808,
    "convnext-large": 197_767_336, "regnet-y-128gf": 644_812_894,
    "resnext101-32x4d": 44_177_704, "efficientnet-b0": 5_288_548,
    "efficientnet-b4": 19_341_616, "vgg16": 138_357_544,
    "inception-v3": 27_161_264, "dcgan-generator": 3_576_704,
    "dcgan-discriminator": 2_765_568, "t5-small": 60_506_624,
    "t5-small-lengths": 60_506_624, "t5-small-tf449": 60_506_624,
    "llama-3-8b": 8_030_261_248, "llama-3-8b-lm": 8_030_261_248,
}


def reference(spec):
    """Facts of the PyTorch model: parameters with their sets of names,
    multiply-accumulates, whether it has dropout, and names of buffers."""
    # The counter recognizes the matmuls inside fused attention by its plain form.
    with FakeTensorMode(), torch.no_grad(), sdpa_kernel(SDPBackend.MATH):
        model = build_model(spec)
        with FlopCounterMode(display=False) as counter:
            Forward(model, spec)(*example_inputs(spec, SIZES))
    names = collections.defaultdict(set)  # several names if weights are tied
    for name, parameter in model.named_parameters(remove_duplicate=False):
        names[parameter].add(name)
    parameters = [(aliases, parameter) for parameter, aliases in names.items()]
    buffers = {name for name, _ in model.named_buffers()}
    dropouts = any(
        isinstance(m, torch.nn.Dropout) and m.p > 0 for m in model.modules()
    )
    return parameters, counter.get_total_flops() // 2, dropouts, buffers


def infer_shapes(model):
    """Sets the symbolic dimensions and folds all dependent constants."""
    for value in model.graph.inputs:
        value.shape = ir.Shape([
            d if isinstance(d, int) else SIZES[d.value] for d in value.shape
        ])
    constant_folding.FoldConstantsPass(
        shape_inference=True, input_size_limit=INLINE_LIMIT,
        output_size_limit=INLINE_LIMIT,
    )(model)


COUNTED = ("MatMul", "Gemm", "Conv", "ConvTranspose", "LSTM", "Attention")


def count_macs(model):
    total = 0
    for node in model.graph:
        if node.op_type not in COUNTED:
            continue
        left, right = (tuple(v.shape) for v in node.inputs[:2])
        result = math.prod(node.outputs[0].shape)
        if node.op_type == "MatMul":
            total += result * left[-1]
        elif node.op_type == "Gemm":
            transposed = node.attributes.get_int("transA", 0)
            total += result * left[0 if transposed else 1]
        elif node.op_type == "Conv":
            total += result * math.prod(right[1:])
        elif node.op_type == "ConvTranspose":  # scatters instead of gathering
            total += math.prod(left) * math.prod(right[1:])
        elif node.op_type == "LSTM":  # [length, directions, batch, size]
            total += result * 4 * (left[2] + node.outputs[0].shape[3])
        else:  # [batch, heads, length, size] of queries, keys and values
            value = tuple(node.inputs[2].shape)
            total += math.prod(left[:3]) * right[2] * (left[3] + value[3])
    return total


def validate(proto):
    """ONNX's checker, which requires weights to exist or to be inputs."""
    copy = onnx.ModelProto()
    copy.CopyFrom(proto)
    del copy.graph.initializer[:]
    for tensor in proto.graph.initializer:
        if tensor.data_location == onnx.TensorProto.EXTERNAL:
            copy.graph.input.append(onnx.helper.make_tensor_value_info(
                tensor.name, tensor.data_type, tensor.dims
            ))
        else:
            copy.graph.initializer.append(tensor)
    onnx.checker.check_model(copy, full_check=True)


def check(path, spec):
    """A row of the table, and a list of errors."""
    name, wrong = path.stem, []
    proto = onnx.load(path, load_external_data=False)
    validate(proto)
    model = ir.serde.deserialize_model(proto)
    histogram = collections.Counter(n.op_type for n in model.graph.all_nodes())

    tensors = {n: v.const_value for n, v in model.graph.initializers.items()}
    for node in model.graph.all_nodes():
        for attribute in node.attributes.values():
            if attribute.type == ir.AttributeType.TENSOR:
                tensors[f"{node.name}.{attribute.name}"] = attribute.value
    for tensor_name, tensor in tensors.items():
        external = isinstance(tensor, ir.ExternalTensor)
        if external != (tensor.size > INLINE_LIMIT):
            wrong.append(f"{tensor_name} of {tensor.size} elements is misplaced")
        if external and tensor.location != f"{name}.weights":
            wrong.append(f"{tensor_name} is in {tensor.location}")

    parameters, macs, dropouts, buffers = reference(spec)
    holders = {part: n for n in tensors for part in n.split(NAME_JOINT)}
    found, trainable = collections.Counter(), 0
    for aliases, parameter in parameters:
        present = [alias for alias in sorted(aliases) if alias in holders]
        if len(present) != 1:
            wrong.append(f"parameter {min(aliases)} is there {len(present)} times")
        else:
            found[holders[present[0]]] += parameter.numel()
        if parameter.requires_grad:
            trainable += parameter.numel()
    for tensor_name, size in found.items():
        if tensors[tensor_name].size != size:
            wrong.append(f"{tensor_name} should have {size} elements")
    published = PUBLISHED_PARAMETERS.get(name, trainable)
    if trainable != published:
        wrong.append(f"{trainable} parameters, published are {published}")
    # Other large tensors are unnamed copies, except position tables.
    for tensor_name, tensor in tensors.items():
        if tensor_name in found or tensor_name in buffers:
            continue
        if tensor.size > 1 << 16:
            wrong.append(f"{tensor_name} is as large as a weight but is none")
    if dropouts and not histogram["Dropout"]:
        wrong.append("no Dropout")

    infer_shapes(model)
    counted = count_macs(model)
    if counted != macs:
        wrong.append(f"{counted} multiply-accumulates, PyTorch counts {macs}")
    published = PUBLISHED_MACS.get(name, 0) * SIZES["batch"]
    if published and counted != published:
        wrong.append(f"{counted} multiply-accumulates, published are {published}")

    dtypes = sorted({tensors[tensor_name].dtype.name for tensor_name in found})
    row = (
        name, f"{path.stat().st_size / 1024:.0f}", str(model.opset_imports[""]),
        "/".join(dtypes), f"{trainable:,}",
        f"{counted / 1e9:.3f}", str(histogram.total()),
        str(histogram["Dropout"]), str(histogram["BatchNormalization"]),
        "bad" if wrong else "ok",
    )
    return row, wrong, histogram


HEADER = (
    "model", "KiB", "opset", "dtype", "parameters", "GMAC", "nodes", "dropout",
    "batchnorm", "",
)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", nargs="+", metavar="NAME", choices=exportable())
    parser.add_argument(
        "--dir", type=Path, default=Path(__file__).resolve().parent,
        help="where the files are (default: next to this script)",
    )
    parser.add_argument("--ops", action="store_true", help="list the operators")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    transformers.logging.set_verbosity_error()
    describe_unpadded_inputs()

    layout = "{:<24}{:>6} {:>5}  {:<9}{:>14}{:>10}{:>7}{:>8}{:>10}  {}"
    print(layout.format(*HEADER))
    failed = False
    for name in arguments.only or exportable():
        path = arguments.dir / f"{name}.onnx"
        if not path.exists():
            print(f"{name}: no such file")
            failed = True
            continue
        row, wrong, histogram = check(path, MODELS[name])
        print(layout.format(*row), flush=True)
        if arguments.ops:
            print("    " + ", ".join(f"{o} {n}" for o, n in histogram.most_common()))
        for message in wrong[:5]:
            print(f"    {message}")
        failed |= bool(wrong)
    return failed


if __name__ == "__main__":
    sys.exit(main())
