# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Suite `host`: host time for launching work, independent of the GPU."""

import time

import torch
from torch import nn
from torch.nn import functional

from results import ResultFile, run_rows
from timing import capture, spread

KEY = ["name"]
COLUMNS = KEY + [
    "status", "time_us", "p10_us", "p90_us", "repeats", "calls", "launches_per_call",
    "meaning", "note",
]
NODES = 500  # kernels of the graph


class Host:
    """Calls with operands so small that the GPU always waits for the host."""

    def __init__(self, campaign):
        self.campaign = campaign
        device = campaign.device
        self.calls = 5 if campaign.smoke else 1000
        self.repeats = 3 if campaign.smoke else 11
        self.x = torch.randn(16, 16, device=device)
        self.y = torch.randn(16, 16, device=device)
        self.layer = nn.Linear(16, 16).to(device)
        self.norm = nn.LayerNorm(16).to(device)
        self.image = torch.randn(1, 8, 8, 8, device=device)
        self.filters = torch.randn(8, 8, 3, 3, device=device)
        self.chain = nn.Sequential(
            *[nn.Linear(16, 16) for _ in range(8)]).to(device)
        self.many = [nn.Parameter(torch.randn(16, device=device)) for _ in range(200)]
        for parameter in self.many:
            parameter.grad = torch.randn_like(parameter)

    def add(self):
        torch.add(self.x, self.y)

    def add_in_place(self):
        self.x.add_(1.0)

    def matmul(self):
        torch.matmul(self.x, self.y)

    def linear(self):
        functional.linear(self.x, self.layer.weight, self.layer.bias)

    def linear_module(self):
        self.layer(self.x)

    def linear_chain(self):
        self.chain(self.x)

    def linear_autocast(self):
        with torch.autocast(self.campaign.device.type, torch.bfloat16):
            self.layer(self.x)

    def layer_norm(self):
        self.norm(self.x)

    def convolution(self):
        functional.conv2d(self.image, self.filters, padding=1)

    def softmax(self):
        torch.softmax(self.x, -1)

    def view(self):
        self.x.view(256).view(16, 16).transpose(0, 1)

    def empty(self):
        torch.empty(256, device=self.campaign.device)

    def forward_backward(self):
        with torch.enable_grad():
            self.chain(self.x).sum().backward()

    def optimizer(self, kind):
        """Steps over 200 tiny parameters."""
        step = torch.optim.AdamW(self.many, 1e-4, **{kind: True})
        return step.step

    def round_trip(self):
        self.add_in_place()
        self.campaign.synchronize()

    def graph(self, nodes):
        """Replays a graph of tiny kernels; None without a GPU."""
        if not self.campaign.on_gpu:
            return None
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            self.add_in_place()
            graph = capture(lambda: [self.add_in_place() for _ in range(nodes)])
        torch.cuda.synchronize()
        return graph and graph.replay


def items():
    """(name, function or a factory for one, launches per call, divisor of
    calls, meaning)"""
    plain = "host time of a call"
    return [
        ("add", Host.add, 1, 1, plain),
        ("linear", Host.linear, 1, 1, plain + ", with bias"),
        ("linear-chain-8", Host.linear_chain, 8, 5, plain + ": 8 modules"),
        ("graph-1", lambda host: host.graph(1), 1, 1, "replay of one kernel"),
        (f"graph-{NODES}", lambda host: host.graph(NODES), NODES, 50,
         "replay, GPU time included: divide by the launches"),
        ("add-in-place", Host.add_in_place, 1, 1, plain),
        ("matmul", Host.matmul, 1, 1, plain),
        ("linear-module", Host.linear_module, 1, 1, plain + " through nn.Linear"),
        ("linear-autocast", Host.linear_autocast, None, 2,
         plain + " under autocast, weights cast every time"),
        ("layer-norm", Host.layer_norm, 1, 1, plain),
        ("convolution", Host.convolution, None, 2, plain),
        ("softmax", Host.softmax, 1, 1, plain),
        ("views-3", Host.view, 0, 1, plain + ": nothing is launched"),
        ("empty", Host.empty, 0, 1, plain + ": nothing is launched"),
        ("linear-chain-8-forward-backward", Host.forward_backward, None, 20, plain),
        ("adamw-foreach-200", lambda host: host.optimizer("foreach"), None, 50,
         plain + ": a step of 200 tensors"),
        ("adamw-fused-200", lambda host: host.optimizer("fused"), None, 50,
         plain + ": a step of 200 tensors"),
        ("round-trip", Host.round_trip, 1, 5, "launch and wait for the GPU"),
    ]


MAKERS = ("graph-", "adamw-")  # their function returns the one to call


def run(campaign):
    """Writes host.csv."""
    host = Host(campaign)

    def describe(item):
        name, _, launches, _, meaning = item
        return {"name": name, "launches_per_call": launches, "meaning": meaning}

    def measure(item):
        name, function, _, divisor, _ = item
        if name.startswith(MAKERS):
            call = function(host)
            if call is None:
                raise NotImplementedError("no CUDA graphs here")
        else:
            def call():
                function(host)
        count = max(3, host.calls // divisor)
        times = []
        with torch.no_grad():
            for _ in range(host.repeats + 1):  # the first one warms up
                campaign.synchronize()
                begin = time.perf_counter()
                for _ in range(count):
                    call()
                # A replay is launched faster than it runs, so wait for it.
                if name.startswith("graph-") and name != "graph-1":
                    campaign.synchronize()
                times.append(1e6 * (time.perf_counter() - begin) / count)
        median, p10, p90 = spread(times[1:])
        return {"time_us": median, "p10_us": p10, "p90_us": p90,
                "repeats": host.repeats, "calls": count}

    file = ResultFile(campaign.out / "host.csv", COLUMNS, KEY, campaign.facts,
                      campaign.resume)
    try:
        run_rows(campaign, file, items(), describe, measure)
    finally:
        file.close()
    return file
