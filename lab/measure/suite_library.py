# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Suite `library`: networks of an installed release of `transformers`, and large
convolutional networks, with the kernels that they launch."""

import contextlib
from dataclasses import dataclass
from typing import Callable

import torch
from torch.nn import functional

from cases import precision
from results import ResultFile, run_rows
from suite_networks import COLUMNS, KEY, NetworkMeter, Point
from workloads import load_definitions, own_networks

KERNEL_COLUMNS = KEY + ["kernel", "launches", "time_us"]
PROFILED = 2  # iterations


@dataclass
class Library:
    """A model of this suite, in place of a Workload.

    `make(dtype)` builds the module, `inputs(batch, length, dtype)` its keyword
    arguments on the default device.
    """

    name: str
    make: Callable
    inputs: Callable
    image: bool = False
    attention: bool = True
    optimizer: str = "adamw"


class LibraryIteration:
    """Forward pass, and in training the backward pass and the optimizer."""

    def __init__(self, point, device):
        self.point, self.device = point, device
        self.training = point.mode == "training"
        self.phases = 3 if self.training else 1
        self.amp = {"fp16-amp": torch.float16, "bf16-amp": torch.bfloat16}.get(point.precision)
        dtype = {"fp16": torch.float16, "bf16": torch.bfloat16}.get(point.precision, torch.float32)
        with torch.device(device):
            self.model = point.workload.make(dtype)
            self.inputs = point.workload.inputs(*point.size, dtype)
        self.model = self.model.to(device).train(self.training)
        if point.layout == "NHWC":
            self.model = self.model.to(memory_format=torch.channels_last)
            self.inputs = {name: value.contiguous(memory_format=torch.channels_last)
                           if value.dim() == 4 else value
                           for name, value in self.inputs.items()}
        self.parameters = sum(parameter.numel() for parameter in self.model.parameters())
        self.optimizer = self.scaler = None
        if self.training:
            make = torch.optim.AdamW if point.workload.optimizer == "adamw" else torch.optim.SGD
            self.optimizer = make(self.model.parameters(), 1e-6)
            self.scaler = torch.amp.GradScaler(device.type,
                                               enabled=point.precision == "fp16-amp")

    def before_capture(self):
        if self.optimizer:
            self.optimizer.zero_grad(set_to_none=True)

    def _loss(self):
        inputs = dict(self.inputs)
        targets = inputs.pop("targets", None)
        outputs = self.model(**inputs)
        if targets is None:
            return outputs[0]
        return functional.cross_entropy(outputs, targets)

    def run(self, mark=lambda: None):
        amp = contextlib.nullcontext()
        if self.amp:
            amp = torch.autocast(self.device.type, self.amp)
        with torch.set_grad_enabled(self.training), amp:
            loss = self._loss()
        mark()
        if not self.training:
            return
        self.scaler.scale(loss).backward()
        mark()
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad(set_to_none=True)
        mark()


class LibraryMeter(NetworkMeter):
    """Also lists the kernels of an iteration, in a second file."""

    def __init__(self, campaign, kernels):
        super().__init__(campaign)
        self.kernels = kernels

    def make(self, point):
        iteration = LibraryIteration(point, self.campaign.device)
        self.iteration = iteration
        return iteration

    def measure(self, point):
        try:
            result = super().measure(point)
            with precision(point.precision.split("-")[0]):
                self._list_kernels(point)
            return result
        finally:
            self.iteration = None

    def _list_kernels(self, point):
        on_gpu = self.campaign.on_gpu
        activity = torch.profiler.ProfilerActivity
        with torch.profiler.profile(activities=[activity.CUDA if on_gpu else activity.CPU],
                                    acc_events=True) as profiler:
            for _ in range(PROFILED):
                self.iteration.run()
            self.campaign.synchronize()
        for event in profiler.key_averages():
            time_us = event.self_device_time_total if on_gpu else event.self_cpu_time_total
            if time_us > 0:
                self.kernels.add({**point.row(), "kernel": event.key[:200],
                                  "launches": event.count / PROFILED,
                                  "time_us": time_us / PROFILED})


def hugging_face(class_name, config, attention="eager"):
    """A builder of a module of `transformers` from explicit numbers."""

    def build(dtype):
        import transformers
        model_class = getattr(transformers, class_name)
        model = model_class._from_config(model_class.config_class(**config),
                                         attn_implementation=attention)
        return model.to(dtype)

    return build


def network(class_name, *arguments):
    return lambda dtype: getattr(own_networks(), class_name)(*arguments).to(dtype)


def tokens(*names, vocabulary=1000):
    def make(batch, length, dtype):
        return {name: torch.randint(vocabulary, (batch, length)) for name in names}

    return make


def sounds(batch, length, dtype):
    return {"input_features": torch.randn(batch, 80, length, dtype=dtype),
            "labels": torch.randint(2, (batch,))}


def images(batch, length, dtype):
    return {"x": torch.randn(batch, 3, length, length, dtype=dtype),
            "targets": torch.randint(1000, (batch,))}


def points(smoke):
    sizes = load_definitions("configurations")
    t5, whisper = dict(sizes.T5_SMALL, decoder_start_token_id=0), dict(
        sizes.WHISPER_TINY, num_labels=2, classifier_proj_size=256,
        use_weighted_layer_sum=False)
    gpt2, opt = dict(sizes.GPT2), dict(sizes.OPT_1_3B)
    bert = dict(sizes.BERT_LARGE)
    convnext, regnet = sizes.CONVNEXT_LARGE, sizes.REGNET_Y_128GF
    if smoke:
        t5.update(d_model=16, d_kv=8, d_ff=16, num_heads=2, num_layers=1, num_decoder_layers=1)
        whisper.update(d_model=16, encoder_ffn_dim=16, encoder_layers=1, decoder_layers=1,
                       encoder_attention_heads=2, decoder_attention_heads=2)
        gpt2.update(n_embd=16, n_layer=1, n_head=2)
        opt.update(hidden_size=16, word_embed_proj_dim=16, ffn_dim=16, num_hidden_layers=1,
                   num_attention_heads=2)
        convnext, regnet = ((8, 16), (1, 1), 0.5), ((16, 16), (1, 1), 8)
    t5 = Library("t5-small", hugging_face("T5ForConditionalGeneration", t5),
                 tokens("input_ids", "labels"))
    whisper = Library("whisper-tiny-audio",
                      hugging_face("WhisperForAudioClassification", whisper, "sdpa"), sounds)
    gpt2 = Library("gpt2", hugging_face("GPT2LMHeadModel", gpt2), tokens("input_ids"))
    opt = Library("opt-1.3b", hugging_face("OPTForCausalLM", opt), tokens("input_ids"))
    bert = Library("bert-large", hugging_face("BertModel", bert), tokens("input_ids"))
    convnext = Library("convnext-large", network("ConvNeXt", *convnext), images, True, False,
                       "sgd")
    regnet = Library("regnet-y-128gf", network("RegNetY", *regnet), images, True, False, "sgd")

    def point(workload, mode, format_name, batch, length, **more):
        if smoke:
            batch, length = 2, 3000 if workload is whisper else 16
        return Point(workload, mode, format_name, (batch, length), **more)

    yield point(t5, "training", "fp16-amp", 24, 1024)
    yield point(convnext, "training", "tf32", 32, 224, layout="NHWC")
    yield point(regnet, "training", "fp16-amp", 32, 224, layout="NCHW")
    yield point(whisper, "training", "fp16-amp", 64, 3000, attention="sdpa")
    yield point(gpt2, "inference", "bf16", 8, 512)
    yield point(opt, "inference", "bf16", 8, 512)
    yield point(t5, "training", "tf32", 8, 1024)
    yield point(convnext, "training", "fp16-amp", 32, 224, layout="NHWC")
    yield point(convnext, "training", "fp32", 16, 224, layout="NHWC")
    yield point(regnet, "training", "tf32", 16, 224, layout="NCHW")
    yield point(gpt2, "inference", "fp32", 8, 512)
    yield point(opt, "inference", "bf16", 1, 512)
    if not smoke:
        yield point(gpt2, "inference", "bf16", 8, 512, runtime="cudagraph")
        yield point(opt, "inference", "bf16", 8, 512, runtime="cudagraph")
        yield point(convnext, "training", "tf32", 32, 224, layout="NCHW")
        yield point(bert, "inference", "bf16", 8, 512)
        yield point(whisper, "training", "tf32", 32, 3000, attention="sdpa")
        yield point(gpt2, "inference", "bf16", 32, 512)
        yield point(opt, "inference", "bf16", 32, 128)


def run(campaign, only=()):
    """Writes library.csv and library_kernels.csv."""
    try:
        import transformers
        campaign.facts["transformers"] = transformers.__version__
    except ImportError:
        pass  # its rows are 'unsupported'
    chosen = [point for point in points(campaign.smoke)
              if set(only) <= {str(value) for value in point.row().values()}]
    file = ResultFile(campaign.out / "library.csv", COLUMNS, KEY, campaign.facts,
                      campaign.resume)
    kernels = ResultFile(campaign.out / "library_kernels.csv", KERNEL_COLUMNS,
                         KEY + ["kernel"], campaign.facts, campaign.resume)
    meter = LibraryMeter(campaign, kernels)
    try:
        run_rows(campaign, file, chosen, Point.row, meter.measure,
                 lambda point: meter.warm_s + meter.window_s + 8)
    finally:
        file.close()
        kernels.close()
    return file
