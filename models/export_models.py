#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exports the example models to ONNX files with shapes but without weights.

All configurations are defined below, so nothing is downloaded and trained
weights are not needed. The graphs describe a forward pass in eager PyTorch and
remain usable for a training step: dropout is kept, batch normalization is not
folded into convolutions, and parameters keep their PyTorch names.

Tensors with more than INLINE_LIMIT elements become external data that is
never written (see README.md).
"""

import argparse
import importlib
import io
import logging
import sys
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable

import onnx
import onnx_ir as ir
import onnx_ir.passes.common as ir_passes
import torch
import transformers
from torch import nn

import networks
from configurations import (
    BERT_BASE, BERT_LARGE, DISTILBERT, ALBERT_BASE, GPT2, GPT_12X512, GPT2_LARGE,
    GPT3_XL, GPT3_2_7B, OPT_1_3B, QWEN2_1_5B, TINYLLAMA_1_1B, MPT_SIZES, LLAMA_3_8B,
    T5_SMALL, WHISPER_TINY, VIT_LARGE, MOBILEVIT_SMALL, CONVNEXT_LARGE, REGNET_Y_128GF,
)

try:
    from transformers.initialization import no_init_weights
except ImportError:  # before release 5
    from transformers.modeling_utils import no_init_weights

# The package accepts exported modules unchanged, and cleans them up the same way.
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))
from gpucost._onnx_ir import INLINE_LIMIT, NAME_JOINT, simplify, strip_weights  # noqa: E402, F401

# Sizes of the example inputs; all become symbolic. The values differ from each
# other and from all sizes in the configurations, so that the exporters cannot
# confuse a symbolic size with a fixed one.
EXAMPLE_SIZES = {"batch": 3, "sequence": 37, "encoder_sequence": 41}

VOCABULARY_BOUND = 1000

# Older releases of transformers that some files are exported with; all others are
# exported with a current one (requirements.txt).
OLD_RELEASES = ("4.49.0", "4.51.3")
CURRENT = ""
INSTALLED = (
    transformers.__version__ if transformers.__version__ in OLD_RELEASES else CURRENT
)

# The name of the argument for the format of the weights.
DTYPE = "torch_dtype" if INSTALLED in OLD_RELEASES else "dtype"


def network(class_name, *arguments, **more):
    """A builder for a network in networks.py."""

    def build(dtype):
        default = torch.get_default_dtype()
        torch.set_default_dtype(dtype)
        try:
            with no_init_weights():  # as below
                return getattr(networks, class_name)(*arguments, **more)
        finally:
            torch.set_default_dtype(default)

    return build


def hugging_face(class_name, config, attention="eager", in_fp32=()):
    """A builder for a model of transformers from explicit numbers.

    The weights of modules with a name in `in_fp32` have this format.
    """

    def build(dtype):
        model_class = getattr(transformers, class_name)
        config_object = model_class.config_class(**config)
        # Large parameters are allocated but never filled: only shapes matter, and
        # memory that is never touched costs nothing.
        with no_init_weights():
            model = model_class._from_config(
                config_object, attn_implementation=attention, **{DTYPE: dtype}
            )
        model.tie_weights()  # otherwise part of the initialization
        for name, module in model.named_modules():
            if name.rpartition(".")[2] in in_fp32:
                module.weight = nn.Parameter(module.weight.float())
        return model

    return build


# ---------------------------------------------------------------------------
# The table of models.
# ---------------------------------------------------------------------------


@dataclass
class Spec:
    """The source of a file, and its export options."""

    build: Callable[[torch.dtype], nn.Module]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    options: dict = field(default_factory=dict)  # constants given to forward()
    # Shape of the first input, without the batch, for images and similar
    # inputs; all other inputs contain one integer per position.
    features: tuple[int, ...] = ()
    # Opset 20 is the first one with a Gelu operator.
    opset: int = 20
    # The inputs of encoder and decoder have different lengths.
    two_lengths: bool = False
    # Release of transformers whose kernels the file contains.
    release: str = CURRENT

    @property
    def dtype(self):
        # 16-bit formats, so that explicit up-casts of a framework (such as a
        # softmax in fp32) remain visible as Cast nodes.  ONNX has no Conv in
        # bfloat16 before opset 22.
        return torch.float16 if self.features else torch.bfloat16

    @property
    def input_shapes(self):
        """The shape of every input; a name is a symbolic size."""
        return [
            ("batch", *self.features) if self.features and i == 0
            else ("batch", self.length_of(name))
            for i, name in enumerate(self.inputs)
        ]

    def length_of(self, name):
        decodes = name.startswith("decoder_") or not self.two_lengths
        return "sequence" if decodes else "encoder_sequence"


ENCODER = ("input_ids", "attention_mask", "token_type_ids")
ENCODER_UNPADDED = ("input_ids", "token_type_ids")
MASKED = ("input_ids", "attention_mask")
UNPADDED = ("input_ids",)
IMAGE = ("pixel_values",)
TRANSLATION = ("input_ids", "decoder_input_ids")


def encoder(class_name, config, outputs, inputs=ENCODER, attention="eager", **more):
    return Spec(
        hugging_face(class_name, config, attention), inputs, outputs, **more
    )


def decoder(class_name, config, inputs=MASKED, attention="eager", **more):
    """A decoder without a head: the forward pass over a prompt, no cache."""
    return Spec(
        hugging_face(class_name, config, attention), inputs,
        ("last_hidden_state",), dict(use_cache=False), **more
    )


def language_model(class_name, config, layers, inputs=MASKED, **more):
    """A decoder with its head: logits of all positions, cache returned."""
    cache = [f"present.{i}.{t}" for i in range(layers) for t in ("key", "value")]
    return Spec(
        hugging_face(class_name, config), inputs, ("logits", *cache),
        dict(use_cache=True), **more
    )


def own_language_model(build):
    """A decoder defined in networks.py: logits of all positions, fused
    attention."""
    return Spec(build, UNPADDED, ("logits",), opset=23)


def image_encoder(class_name, config, attention="eager", **more):
    return Spec(
        hugging_face(class_name, config, attention), IMAGE,
        ("last_hidden_state", "pooler_output"),
        features=image(config["image_size"]), **more
    )


def image_classifier(build, size=224, outputs=("logits",), **more):
    return Spec(build, ("x",), outputs, features=image(size), **more)


def image(size, channels=3):
    return channels, size, size


POOLED = ("last_hidden_state", "pooler_output")
SPAN = ("start_logits", "end_logits")

# Suffixes of a name: "-lm" is a language model with its head; "-sdpa" uses
# scaled_dot_product_attention(), "-sdpa23" also uses it but keeps it as one
# operator, which the exporter only supports without dropout inside; "-ts17" comes
# from the TorchScript exporter; "-lengths" has separate lengths for the encoder
# and the decoder, as required for serving; "-tf451" and "-tf449" are the models of
# transformers 4.51.3 and 4.49.0, whose attention runs other kernels than that of
# later releases.
MODELS = {
    "resnet50": image_classifier(network("ResNet", (3, 4, 6, 3))),
    "resnet50-244": image_classifier(network("ResNet", (3, 4, 6, 3)), 244),
    "resnet50-ts17": image_classifier(network("ResNet", (3, 4, 6, 3)), opset=17),
    "resnet101": image_classifier(network("ResNet", (3, 4, 23, 3))),
    "resnet152": image_classifier(network("ResNet", (3, 8, 36, 3))),
    "resnext101-32x4d": image_classifier(
        network("ResNet", (3, 4, 23, 3), width=128, groups=32)
    ),
    "se-resnext101-32x4d": image_classifier(
        network("ResNet", (3, 4, 23, 3), width=128, groups=32, squeezed=16)
    ),
    "efficientnet-b0": image_classifier(network("EfficientNet")),
    "efficientnet-b4": image_classifier(
        network("EfficientNet", 1.4, 1.8, 0.4), 380
    ),
    "efficientnet-widese-b0": image_classifier(
        network("EfficientNet", wide=True)
    ),
    "efficientnet-widese-b4": image_classifier(
        network("EfficientNet", 1.4, 1.8, 0.4, wide=True), 380
    ),
    "vgg16": image_classifier(network("Vgg16")),
    "inception-v3": image_classifier(
        network("InceptionV3"), 299, ("logits", "aux_logits")
    ),
    "convnext-large": image_classifier(
        network("ConvNeXt", *CONVNEXT_LARGE)
    ),
    "regnet-y-128gf": image_classifier(
        network("RegNetY", *REGNET_Y_128GF)
    ),
    "u-net": Spec(network("UNet"), ("x",), ("logits",), features=image(512, 1)),
    "dcgan-generator": Spec(
        network("DcganGenerator"), ("z",), ("image",), features=(100, 1, 1)
    ),
    "dcgan-discriminator": Spec(
        network("DcganDiscriminator"), ("x",), ("real",), features=image(64)
    ),
    "bert-base": encoder("BertModel", BERT_BASE, POOLED),
    "bert-base-ts17": encoder("BertModel", BERT_BASE, POOLED, opset=17),
    "bert-base-mlm-sdpa23": encoder(
        "BertForMaskedLM", BERT_BASE | dict(attention_probs_dropout_prob=0.0),
        ("logits",), ENCODER_UNPADDED, "sdpa", opset=23
    ),
    "bert-base-squad": encoder("BertForQuestionAnswering", BERT_BASE, SPAN),
    "bert-large": encoder("BertModel", BERT_LARGE, POOLED),
    "bert-large-sdpa": encoder(
        "BertModel", BERT_LARGE, POOLED, ENCODER_UNPADDED, "sdpa"
    ),
    "bert-large-sdpa23": encoder(
        "BertModel", BERT_LARGE | dict(attention_probs_dropout_prob=0.0),
        POOLED, ENCODER_UNPADDED, "sdpa", opset=23
    ),
    "bert-large-seqcls": encoder(
        "BertForSequenceClassification", BERT_LARGE, ("logits",)
    ),
    "bert-large-pretraining": encoder(
        "BertForPreTraining", BERT_LARGE,
        ("prediction_logits", "seq_relationship_logits"),
    ),
    "bert-large-squad": encoder("BertForQuestionAnswering", BERT_LARGE, SPAN),
    "distilbert": encoder(
        "DistilBertModel", DISTILBERT, ("last_hidden_state",), MASKED
    ),
    "albert-base": encoder("AlbertModel", ALBERT_BASE, POOLED),
    "gpt2": decoder("GPT2Model", GPT2, UNPADDED),
    "gpt2-sdpa": decoder("GPT2Model", GPT2, UNPADDED, "sdpa"),
    "gpt2-sdpa23": decoder(
        "GPT2Model", GPT2 | dict(attn_pdrop=0.0), UNPADDED, "sdpa", opset=23
    ),
    "gpt2-ts17": decoder("GPT2Model", GPT2, UNPADDED, opset=17),
    "gpt2-tf451": decoder("GPT2Model", GPT2, UNPADDED, release="4.51.3"),
    "gpt-12x512": Spec(
        network("MegatronGpt", 12, 512, 8, 50304, 1024), UNPADDED, ("logits",)
    ),
    "gpt-12x512-sdpa23": Spec(
        hugging_face(
            "GPT2LMHeadModel", GPT_12X512 | dict(attn_pdrop=0.0), "sdpa"
        ), UNPADDED, ("logits",), dict(use_cache=False), opset=23
    ),
    "gpt2-large": decoder("GPT2Model", GPT2_LARGE, UNPADDED),
    "gpt2-large-lm": language_model("GPT2LMHeadModel", GPT2_LARGE, 36, UNPADDED),
    "gpt2-large-lm-tf451": language_model(
        "GPT2LMHeadModel", GPT2_LARGE, 36, UNPADDED, release="4.51.3"
    ),
    "gpt3-xl-lm": language_model("GPT2LMHeadModel", GPT3_XL, 24, UNPADDED),
    "gpt3-xl-lm-tf451": language_model(
        "GPT2LMHeadModel", GPT3_XL, 24, UNPADDED, release="4.51.3"
    ),
    "gpt3-2.7b-lm": language_model("GPT2LMHeadModel", GPT3_2_7B, 32, UNPADDED),
    "gpt3-2.7b-lm-tf451": language_model(
        "GPT2LMHeadModel", GPT3_2_7B, 32, UNPADDED, release="4.51.3"
    ),
    "opt-1.3b": decoder("OPTModel", OPT_1_3B),
    "opt-1.3b-tf451": decoder("OPTModel", OPT_1_3B, release="4.51.3"),
    "opt-1.3b-lm": language_model("OPTForCausalLM", OPT_1_3B, 24),
    "qwen2-1.5b": decoder("Qwen2Model", QWEN2_1_5B),
    "qwen2-1.5b-sdpa": decoder("Qwen2Model", QWEN2_1_5B, UNPADDED, "sdpa"),
    "qwen2-1.5b-sdpa23": decoder(
        "Qwen2Model", QWEN2_1_5B, UNPADDED, "sdpa", opset=23
    ),
    "tinyllama-1.1b": decoder("LlamaModel", TINYLLAMA_1_1B),
    "tinyllama-1.1b-lm": language_model("LlamaForCausalLM", TINYLLAMA_1_1B, 22),
    **{
        name: own_language_model(network("Mpt", *size))
        for name, size in MPT_SIZES.items()
    },
    "llama-3-8b": Spec(
        hugging_face("LlamaForCausalLM", LLAMA_3_8B, "sdpa"), UNPADDED,
        ("logits",), dict(use_cache=False), opset=23
    ),
    "llama-3-8b-lm": language_model("LlamaForCausalLM", LLAMA_3_8B, 32),
    "transformer-base": Spec(network("Transformer"), TRANSLATION, ("logits",)),
    "transformer-base-lengths": Spec(
        network("Transformer"), TRANSLATION, ("logits",), two_lengths=True
    ),
    # Opset 22 is the first one with LSTM in bfloat16.
    "gnmt": Spec(network("Gnmt"), TRANSLATION, ("logits",), opset=22),
    "t5-small": Spec(
        hugging_face("T5ForConditionalGeneration", T5_SMALL), TRANSLATION,
        ("logits", "encoder_last_hidden_state"), dict(use_cache=False)
    ),
    "t5-small-lengths": Spec(
        hugging_face("T5ForConditionalGeneration", T5_SMALL), TRANSLATION,
        ("logits", "encoder_last_hidden_state"), dict(use_cache=False),
        two_lengths=True
    ),
    # Under autocast, sums and casts depend on which tensors are in fp32.
    "t5-small-tf449": Spec(
        hugging_face(
            "T5ForConditionalGeneration", T5_SMALL,
            in_fp32=("wo", "relative_attention_bias")
        ), TRANSLATION, ("logits", "encoder_last_hidden_state"),
        dict(use_cache=False), release="4.49.0"
    ),
    "whisper-tiny": Spec(
        hugging_face("WhisperForConditionalGeneration", WHISPER_TINY),
        ("input_features", "decoder_input_ids"),
        ("logits", "encoder_last_hidden_state"), dict(use_cache=False),
        features=(80, 3000)
    ),
    "whisper-tiny-audio-sdpa23": Spec(
        hugging_face(
            "WhisperForAudioClassification", WHISPER_TINY | dict(
                num_labels=2, classifier_proj_size=256,
                use_weighted_layer_sum=False,
            ), "sdpa"
        ), ("input_features",), ("logits",), features=(80, 3000), opset=23
    ),
    "vit-large": image_encoder("ViTModel", VIT_LARGE),
    "vit-large-sdpa": image_encoder("ViTModel", VIT_LARGE, "sdpa"),
    "vit-large-sdpa23": image_encoder("ViTModel", VIT_LARGE, "sdpa", opset=23),
    "vit-large-ts17": image_encoder("ViTModel", VIT_LARGE, opset=17),
    "mobilevit-small": image_encoder("MobileViTModel", MOBILEVIT_SMALL),
    "mobilevit-small-ts17": image_encoder(
        "MobileViTModel", MOBILEVIT_SMALL, opset=17
    ),
}


# ---------------------------------------------------------------------------
# Export.
# ---------------------------------------------------------------------------


class Forward(nn.Module):
    """Names the inputs of a model and flattens its results.

    The parameters get the prefix "model.", which is removed again later.
    """

    def __init__(self, model, spec):
        super().__init__()
        self.model = model
        self.spec = spec

    def forward(self, *inputs):
        named = dict(zip(self.spec.inputs, inputs))
        result = self.model(**named, **self.spec.options)
        if isinstance(result, (torch.Tensor, tuple)):
            return result
        tensors = []
        for part in result.to_tuple():
            if isinstance(part, transformers.Cache):
                for layer in part.layers:
                    tensors += [layer.keys, layer.values]
            elif isinstance(part, tuple):  # the cache before release 5
                tensors += [tensor for layer in part for tensor in layer]
            else:
                tensors.append(part)
        return tuple(tensors)


def describe_unpadded_inputs():
    """Makes transformers build the same masks as in eager execution.

    Eager execution reads the values of its inputs: sequences are not packed
    into one, and attention without padding needs either no mask or only the
    causal mask that is built into fused attention. An exporter has no values
    and would record the general case.
    """

    def unpadded(padding_mask, *_, **__):
        return padding_mask is None

    if INSTALLED in OLD_RELEASES:
        # Only eager attention is exported with these releases. Without masks, T5
        # makes masks of ones, but not for a compiler; under autocast, the masks of
        # the encoder's output are in fp32.
        modeling_t5 = importlib.import_module("transformers.models.t5.modeling_t5")
        modeling_t5.is_torchdynamo_compiling = lambda: False
        modeling_t5.T5Stack.dtype = torch.float32
        return
    masking = transformers.masking_utils
    masking.find_packed_sequence_indices = lambda *_: None
    masking._ignore_causal_mask_sdpa = unpadded
    masking._ignore_bidirectional_mask_sdpa = unpadded


def build_model(spec):
    """The model in training mode: dropout active, but batch normalization
    with fixed statistics, which is the form ONNX has an operator for."""
    model = spec.build(spec.dtype).train()
    for module in model.modules():
        if isinstance(module, nn.modules.batchnorm._BatchNorm):
            module.eval()
        if spec.release and getattr(module, "layerdrop", None) == 0:
            # Otherwise it draws a random number for each layer to skip.
            module.training = False
    for parameter in model.parameters():
        if parameter.numel() <= INLINE_LIMIT:  # its values are written to the file
            nn.init.ones_(parameter)
    return model


def example_inputs(spec, sizes=EXAMPLE_SIZES):
    # One tensor per input, because the exporters treat the same tensor passed
    # twice as a single input.
    inputs = []
    for name, shape in zip(spec.inputs, spec.input_shapes):
        shape = [sizes.get(size, size) for size in shape]
        if spec.features and not inputs:
            inputs.append(torch.zeros(shape, dtype=spec.dtype))
        elif name.endswith("_mask"):
            inputs.append(torch.ones(shape, dtype=torch.int64))
        elif name.endswith("_type_ids"):
            inputs.append(torch.zeros(shape, dtype=torch.int64))
        else:
            inputs.append(torch.randint(VOCABULARY_BOUND, shape))
    return tuple(inputs)


def symbolic_axes(spec):
    """The names of each input's symbolic sizes by axis."""
    return [
        {axis: size for axis, size in enumerate(shape) if isinstance(size, str)}
        for shape in spec.input_shapes
    ]


def export_with_dynamo(model, spec):
    dims = {
        name: torch.export.Dim(name, min=2, max=1 << 20) for name in EXAMPLE_SIZES
    }
    shapes = tuple(
        {axis: dims[name] for axis, name in axes.items()}
        for axes in symbolic_axes(spec)
    )
    program = torch.onnx.export(
        Forward(model, spec),
        example_inputs(spec),
        input_names=list(spec.inputs),
        output_names=list(spec.outputs),
        dynamic_shapes=(shapes,),
        opset_version=spec.opset,
        dynamo=True,
        optimize=False,  # see simplify()
        verbose=False,
    )
    return program.model


def export_with_torchscript(model, spec):
    buffer = io.BytesIO()
    axes = symbolic_axes(spec)
    torch.onnx.export(
        Forward(model, spec),
        example_inputs(spec),
        buffer,
        input_names=list(spec.inputs),
        output_names=list(spec.outputs),
        dynamic_axes={
            **dict(zip(spec.inputs, axes)),
            **{
                name: {0: "batch"} if name == "pooler_output" else axes[0]
                for name in spec.outputs
            },
        },
        opset_version=spec.opset,
        dynamo=False,
        training=torch.onnx.TrainingMode.PRESERVE,
        # Folding would replace parameters by transposed, unnamed copies.
        do_constant_folding=False,
    )
    return ir.serde.deserialize_model(onnx.load_from_string(buffer.getvalue()))


# ---------------------------------------------------------------------------
# Graph transformations between the exporter and the file.
# ---------------------------------------------------------------------------


def remove_wrapper_name(graph):
    """Undoes the prefix that Forward gave to every name."""
    for value in list(graph.initializers.values()):
        value.name = value.name.removeprefix("model.")
    for node in graph.all_nodes():
        if node.name and node.name.startswith("/model/"):
            node.name = node.name.removeprefix("/model")
        for value in node.outputs:
            if value.name and value.name.startswith("/model/"):
                value.name = value.name.removeprefix("/model")


def strip_metadata(model):
    """Removes the metadata that only locates a node in the Python sources."""
    ir_passes.ClearMetadataAndDocStringPass()(model)
    model.producer_name = "torch"
    model.producer_version = torch.__version__.split("+")[0]


def export(name, spec, directory):
    model = build_model(spec)
    # Each of the two exporters writes opsets that the other one does not
    # support.
    exporter = export_with_torchscript if spec.opset < 18 else export_with_dynamo
    exported = exporter(model, spec)
    remove_wrapper_name(exported.graph)
    simplify(exported)
    strip_weights(exported, name)
    strip_metadata(exported)
    exported.graph.name = name
    proto = ir.serde.serialize_model(exported)
    del proto.graph.value_info[:]
    path = directory / f"{name}.onnx"
    path.write_bytes(proto.SerializeToString(deterministic=True))
    return path


def exportable():
    """The names of the models that the installed release of transformers has."""
    return [name for name, spec in MODELS.items() if spec.release == INSTALLED]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--only", nargs="+", metavar="NAME", choices=exportable(),
        default=exportable(),
        help="the models to export (default: all that the installed release of "
        "transformers has); one of: " + ", ".join(exportable()),
    )
    parser.add_argument(
        "--out", type=Path, default=Path(__file__).resolve().parent, metavar="DIR",
        help="where to write the files (default: next to this script)",
    )
    arguments = parser.parse_args()

    # The exporters warn about training mode and deprecation; both are intended.
    warnings.simplefilter("ignore")
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    transformers.logging.set_verbosity_error()
    describe_unpadded_inputs()

    arguments.out.mkdir(parents=True, exist_ok=True)
    for name in arguments.only:
        path = export(name, MODELS[name], arguments.out)
        print(f"{path.name}: {path.stat().st_size / 1024:.0f} KiB", flush=True)


if __name__ == "__main__":
    main()
