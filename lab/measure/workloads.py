# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The models of the suites `training` and `inference`, and their sizes."""

import importlib.util
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

from results import Failure
from transformers_plain import Encoder, Gpt2, Llama, VisionTransformer, gelu_new

MODELS = Path(__file__).resolve().parents[2] / "models"


def load_definitions(name):
    """The module models/`name`.py, which is not on the path."""
    file = MODELS / f"{name}.py"
    if not file.exists():
        raise Failure(f"expected the definitions of networks in '{file}'")
    spec = importlib.util.spec_from_file_location(f"gpucost_{name}", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def own_networks():
    """models/networks.py, whose convolutional models are measured."""
    return load_definitions("networks")


@dataclass
class Workload:
    """A model; `name` is the name of its file in models/, if there is one.

    `sizes` are pairs of batch and length (of a sequence, or a side of the image),
    the most informative first; `inference` likewise. The third and later pairs are
    the first one with other batches, to show the scaling of time and power. `loss`
    is "classes" (cross entropy of the logits) or "given" (the gradients of the
    outputs are given, for models without a loss).
    """

    name: str
    make: Callable  # of "eager" or "sdpa"
    sizes: tuple
    inference: tuple
    image: bool = False
    attention: bool = True  # whether the model has attention
    loss: str = "given"
    vocabulary: int = 1000  # tokens, or classes of images
    optimizer: str = "adamw"  # as in --optimizer


def workloads(smoke):
    return _tiny() if smoke else _all()


def _all():
    images = dict(image=True)
    convolutional = dict(image=True, attention=False, loss="classes", optimizer="sgd-momentum")
    own = own_networks()
    return [
        Workload("bert-base", lambda a: Encoder(attention=a),
                 ((16, 128), (8, 512), (64, 128), (4, 128)),
                 ((32, 128), (1, 128), (8, 512)), vocabulary=30522),
        Workload("resnet50", lambda a: own.ResNet((3, 4, 6, 3)),
                 ((64, 224), (16, 224), (256, 224), (4, 224)),
                 ((64, 224), (1, 224), (256, 224)),
                 **convolutional),
        Workload("gpt2", lambda a: Gpt2(attention=a),
                 ((8, 512), (4, 1024), (32, 512), (2, 512)),
                 ((8, 512), (1, 512), (4, 1024)),
                 vocabulary=50257),
        Workload("tinyllama-1.1b-lm", lambda a: Llama(attention=a),
                 ((2, 512), (2, 2048)), ((4, 512), (1, 128), (2, 2048)),
                 loss="classes", vocabulary=32000),
        Workload("vgg16", lambda a: own.Vgg16(),
                 ((32, 224), (8, 224)), ((32, 224), (1, 224), (128, 224)),
                 **convolutional),
        Workload("vit-base", lambda a: VisionTransformer(attention=a),
                 ((32, 224), (8, 224), (128, 224)),
                 ((32, 224), (1, 224), (128, 224)), **images),
        Workload("albert-base",
                 lambda a: Encoder(30000, dropout=0.0, shared=True, embedding_size=128,
                                   activation=gelu_new, attention=a),
                 ((16, 128), (8, 512)), ((32, 128), (1, 128), (8, 512)),
                 vocabulary=30000),
        Workload("distilbert",
                 lambda a: Encoder(layers=6, types=0, pooler=False, attention=a),
                 ((16, 128), (8, 512)), ((32, 128), (1, 128), (8, 512)),
                 vocabulary=30522),
        Workload("vit-large", lambda a: VisionTransformer(1024, 24, 16, 4096,
                                                          attention=a),
                 ((16, 224),), ((16, 224),), **images),
    ]


def _tiny():
    own = own_networks()
    sizes = dict(sizes=((2, 32),), inference=((2, 32),), vocabulary=10)
    text = dict(vocabulary=10, width=16, layers=2, heads=2)
    return [
        Workload("resnet-tiny", lambda a: own.ResNet((1, 1, 1, 1), classes=10),
                 image=True, attention=False, loss="classes", optimizer="sgd-momentum", **sizes),
        Workload("encoder-tiny", lambda a: Encoder(**text, inner=32, attention=a),
                 **sizes),
        Workload("shared-tiny",
                 lambda a: Encoder(**text, inner=32, shared=True, embedding_size=8,
                                   activation=gelu_new, attention=a), **sizes),
        Workload("gpt2-tiny", lambda a: Gpt2(**text, attention=a), **sizes),
        Workload("llama-tiny",
                 lambda a: Llama(**text, kv_heads=1, inner=32, attention=a),
                 loss="classes", **sizes),
        Workload("vit-tiny",
                 lambda a: VisionTransformer(16, 2, 2, 32, image=32, attention=a),
                 image=True, **sizes),
    ]
