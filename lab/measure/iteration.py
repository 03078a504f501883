# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One iteration: model, inputs, loss and optimizer."""

import contextlib

import torch
from torch.nn import functional


class Network:
    """A model on the device with one batch of random inputs."""

    def __init__(self, point, device):
        workload, (batch, length) = point.workload, point.size
        self.point, self.device = point, device
        self.dtype = torch.bfloat16 if point.precision == "bf16" else torch.float32
        with torch.device(device):
            model = workload.make(point.attention)
            model = model.to(self.dtype)
            if workload.image:
                self.inputs = torch.randn(batch, 3, length, length, dtype=self.dtype)
                targets = (batch,)
            else:
                self.inputs = torch.randint(workload.vocabulary, (batch, length))
                targets = (batch * length,)
            self.targets = torch.randint(workload.vocabulary, targets)
        if point.layout == "NHWC":
            model = model.to(memory_format=torch.channels_last)
            self.inputs = self.inputs.contiguous(memory_format=torch.channels_last)
        self.module = model
        self.parameters = sum(parameter.numel() for parameter in model.parameters())
        self.model = torch.compile(model) if point.runtime == "compiled" else model

    def forward(self):
        """A tuple of outputs in the requested precision."""
        amp = contextlib.nullcontext()
        if self.point.precision == "bf16-amp":
            amp = torch.autocast(self.device.type, torch.bfloat16)
        with amp:
            outputs = self.model(self.inputs)
            outputs = outputs if isinstance(outputs, tuple) else (outputs,)
            if self.wants_loss:
                logits = outputs[0].flatten(0, -2)
                return (functional.cross_entropy(logits, self.targets),)
            return outputs


class Inference(Network):
    phases = 1
    wants_loss = False

    def __init__(self, point, device):
        super().__init__(point, device)
        self.module.eval()

    def before_capture(self):
        pass

    def run(self, mark=lambda: None):
        with torch.no_grad():
            self.forward()
        mark()


class Training(Network):
    """Gradients are dropped, not zeroed, before every forward pass.

    The optimizers are PyTorch's defaults for GPUs: `foreach`, over lists.
    """

    phases = 3

    def __init__(self, point, device):
        super().__init__(point, device)
        self.wants_loss = point.workload.loss == "classes"
        self.gradients = None
        parameters = list(self.module.parameters())
        if point.workload.optimizer == "sgd-momentum":
            self.optimizer = torch.optim.SGD(
                parameters, 1e-4, momentum=0.9, weight_decay=1e-4, foreach=True)
        else:
            self.optimizer = torch.optim.AdamW(
                parameters, 1e-6, foreach=True,
                capturable=point.runtime == "cudagraph")

    def before_capture(self):
        """Gradients must be allocated while the graph is captured."""
        self.optimizer.zero_grad(set_to_none=True)

    def run(self, mark=lambda: None):
        self.optimizer.zero_grad(set_to_none=True)
        outputs = self.forward()
        mark()
        if self.wants_loss:
            outputs[0].backward()
        else:
            if self.gradients is None:
                self.gradients = [1e-3 * torch.randn_like(out) for out in outputs]
            torch.autograd.backward(outputs, self.gradients)
        mark()
        self.optimizer.step()
        mark()
