# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.nn.Module as a model, and Inductor's estimates, with the real PyTorch."""
import pickle

import gpucost
import pytest

torch = pytest.importorskip("torch")


class Block(torch.nn.Module):
    """A residual block of two linear layers."""

    def __init__(self, width=1024, inner=4096):
        super().__init__()
        self.norm = torch.nn.LayerNorm(width)
        self.up, self.down = torch.nn.Linear(width, inner), torch.nn.Linear(inner, width)

    def forward(self, x, scale=None):
        y = self.down(torch.nn.functional.gelu(self.up(self.norm(x))))
        return x + (y if scale is None else y * scale)


@pytest.fixture(scope="module")
def exporter():
    pytest.importorskip("onnxscript")


def test_flops_by_hand(exporter):
    report = gpucost.analyze(Block().eval(), (torch.zeros(512, 1024),), target="a100-bf16")
    # Two matmuls of 512 x 1024 x 4096; weights and biases, scale and shift of the norm.
    assert report.iteration.matrix_flops == 2 * 2 * 512 * 1024 * 4096
    assert report.iteration.parameter_count == 2 * 1024 * 4096 + 4096 + 1024 + 2 * 1024
    assert report.model == "Block"
    names = {kernel.name for kernel in report.kernels}
    assert report.coverage["unmodelled"].ops == 0 and names


def test_meta_module_needs_no_memory(exporter):
    with torch.device("meta"):
        huge = Block(16384, 65536)
    report = gpucost.analyze(huge.eval(), torch.zeros(16, 16384), target="h100-bf16", mode="training")
    assert report.iteration.parameter_count == 2 * 16384 * 65536 + 65536 + 16384 + 2 * 16384
    assert [phase.phase for phase in report.phases] == ["forward", "backward", "optimizer"]
    small = gpucost.analyze(Block().eval(), torch.zeros(16, 1024), target="h100-bf16")
    with torch.device("meta"):
        light = Block()
    assert gpucost.analyze(light.eval(), torch.zeros(16, 1024), target="h100-bf16").iteration == small.iteration


def test_named_inputs_and_symbols(exporter):
    dims = {"x": {0: torch.export.Dim("rows", min=2, max=4096)}, "scale": None}
    report = gpucost.analyze(Block().eval(), {"x": torch.zeros(64, 1024), "scale": torch.ones(1024)},
                             target="a100-bf16", bind={"rows": 512}, export={"dynamic_shapes": dims})
    assert report.iteration.matrix_flops == 2 * 2 * 512 * 1024 * 4096


def test_attention_and_dropout(exporter):
    with torch.device("meta"):
        layer = torch.nn.TransformerEncoderLayer(512, 8, 2048, batch_first=True)
    inputs = torch.zeros(4, 128, 512)
    report = gpucost.analyze(layer, inputs, target="a100-bf16", mode="training")
    families = {kernel.family for kernel in report.kernels}
    assert {"matmul", "attention", "normalization"} <= families


class Cached(torch.nn.Module):
    """Like a model of transformers: returns a cache object among the results, unless use_cache is False."""

    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(512, 512, bias=False)
        self.register_buffer("scale", torch.ones(64))

    def forward(self, x, past_key_values=None, use_cache=True):
        y = self.linear(x) * self.scale.repeat(8)
        return (y, object()) if use_cache else (y,)


class HandsOn(Cached):
    """Like models of transformers around another: use_cache is one of the other named inputs."""

    def forward(self, x, cache=None, **others):
        return super().forward(x, cache, **others)


@pytest.mark.parametrize("kind", (Cached, HandsOn))
def test_caches_of_transformers_and_small_meta_tensors(exporter, kind):
    with torch.device("meta"):
        module = kind()
    for given in ((torch.zeros(64, 512),), {"x": torch.zeros(64, 512)}):
        assert gpucost.analyze(module, given, target="a100-bf16").iteration.matrix_flops == 2 * 64 * 512 * 512


def test_few_parameters_on_meta(exporter):
    class Scaled(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.inner, self.head = torch.nn.Linear(64, 64), torch.nn.Linear(64, 2)
            self.register_buffer("scale", torch.tensor(2.0))

        def forward(self, x):
            return self.head(torch.relu(self.inner(x) * self.scale))

    with torch.device("meta"):
        module = Scaled()
    report = gpucost.analyze(module, torch.empty(4, 64), target="a100-bf16")
    assert report.iteration.matrix_flops == 2 * 4 * 64 * (64 + 2)
    # Two weights and two biases; scalars are not parameters.
    assert report.iteration.parameter_count == 64 * 64 + 64 + 2 * 64 + 2


def test_fake_tensors(exporter):
    with torch._subclasses.FakeTensorMode():
        module, inputs = Block(), torch.empty(512, 1024)
    report = gpucost.analyze(module.eval(), inputs, target="a100-bf16")
    assert report.iteration == gpucost.analyze(Block().eval(), torch.zeros(512, 1024), target="a100-bf16").iteration
    assert isinstance(module.up.weight, torch._subclasses.FakeTensor)


def test_embedding_bag(exporter):
    class Bag(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.table, self.head = torch.nn.EmbeddingBag(100000, 64, mode="sum"), torch.nn.Linear(64, 1)

        def forward(self, indices):
            return self.head(self.table(indices))

    report = gpucost.analyze(Bag(), torch.zeros(2048, 20, dtype=torch.long), target="a100-bf16", mode="training")
    count = 100000 * 64 + 64 + 1
    # Gradients and two AdamW states of 4 bytes.
    assert report.iteration.optimizer_bytes == 2 * 4 * count
    assert report.iteration.gradient_bytes == 4 * count
    assert not report.iteration.time_is_lower_bound


@pytest.mark.parametrize("layers", [1, 2])
def test_lstm(exporter, layers):
    module = torch.nn.LSTM(512, 512, layers, batch_first=True)
    report = gpucost.analyze(module, torch.empty(16, 128, 512), target="a100-bf16")
    # Four gates of an input and a recurrent matrix, and two biases.
    assert report.iteration.parameter_count == layers * 4 * (512 * 512 + 512 * 512 + 2 * 512)
    assert report.iteration.matrix_flops == layers * 2 * 16 * 128 * 4 * 512 * (512 + 512)


def test_variants_of_lstm(exporter):
    both = gpucost.analyze(torch.nn.LSTM(128, 256, bidirectional=True), torch.empty(32, 16, 128), target="a100-bf16")
    assert both.iteration.parameter_count == 2 * 4 * (256 * 128 + 256 * 256 + 2 * 256)
    assert both.iteration.matrix_flops == 2 * 2 * 16 * 32 * 4 * 256 * (128 + 256)
    plain = gpucost.analyze(torch.nn.LSTM(128, 256, bias=False), torch.empty(32, 16, 128), target="a100-bf16")
    assert plain.iteration.parameter_count == 4 * (256 * 128 + 256 * 256)
    # The exporter drops projections.
    projected = gpucost.analyze(torch.nn.LSTM(128, 256, proj_size=64), torch.empty(32, 16, 128), target="a100-bf16")
    assert projected.coverage["fallback"].ops == 1 and projected.iteration.time_is_lower_bound


def test_small_lstm(exporter):
    """Its packed biases are as small as constants, but have no values."""
    report = gpucost.analyze(torch.nn.LSTM(8, 8), torch.empty(100, 32, 8), target="a100-bf16")
    assert report.iteration.parameter_count == 4 * (8 * 8 + 8 * 8 + 2 * 8)


@pytest.mark.parametrize("shape", [(128, 64), (16, 128, 64), (2, 4, 8, 128, 64)])
@pytest.mark.parametrize("causal", [False, True])
def test_attention_without_four_axes(exporter, shape, causal):
    class Attention(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = torch.nn.Linear(64, 64)

        def forward(self, x):
            y = self.linear(x)
            return torch.nn.functional.scaled_dot_product_attention(y, y, y, is_causal=causal)

    rows = torch.Size(shape[:-1]).numel()
    report = gpucost.analyze(Attention(), torch.empty(shape), target="a100-bf16", mode="training")
    # No fused kernel: two products of all queries and keys, and four in the backward pass. The linear layer has two
    # products, because its input needs no gradient.
    assert report.iteration.matrix_flops == 2 * rows * 64 * (6 * 128 + 2 * 64)
    assert report.coverage["fallback"].ops == 0 and not report.iteration.time_is_lower_bound
    half = gpucost.analyze(Attention().bfloat16(), torch.empty(shape, dtype=torch.bfloat16), target="a100-bf16")
    products = [kernel.format for kernel in half.kernels if kernel.family == "matmul"]
    assert sorted(products) == ["bf16", "fp32", "fp32"]


def test_rms_norm_is_one_kernel(exporter):
    stored = dict(target="a100-bf16", precision_mode="as-is")
    report = gpucost.analyze(torch.nn.RMSNorm(4096), torch.empty(8192, 4096), **stored)
    kernel, = report.kernels
    assert kernel.count == 1 and kernel.family == "normalization"
    # Reads and writes 8192 x 4096 and reads 4096 numbers of 4 bytes.
    assert kernel.bytes == 4 * (2 * 8192 * 4096 + 4096)
    plain = torch.nn.RMSNorm(64, elementwise_affine=False)
    assert len(gpucost.analyze(plain, torch.empty(32, 64), **stored).kernels) == 1


@pytest.mark.parametrize("dims", [{0: "batch"}, {0: torch.export.Dim("batch", min=2, max=64)}])
def test_names_of_dimensions_of_named_inputs(exporter, dims):
    report = gpucost.analyze(torch.nn.Linear(64, 32), {"input": torch.empty(4, 64)}, target="a100-bf16", batch=8,
                             export={"dynamic_shapes": {"input": dims}})
    assert report.iteration.matrix_flops == 2 * 8 * 64 * 32
    assert report.bindings == {"batch": 8}


def test_ops_without_a_translation(exporter):
    @torch.library.custom_op("gpucost_test::thing", mutates_args=())
    def thing(x: torch.Tensor, y: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return x.clone(), y.clone()

    @thing.register_fake
    def _(x, y):
        return torch.empty_like(x), torch.empty_like(y)

    class Custom(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = torch.nn.Linear(1024, 1024)

        def forward(self, x):
            first, second = thing(x, x)
            return self.linear(first) + second

    report = gpucost.analyze(Custom(), torch.empty(512, 1024), target="a100-bf16", precision_mode="as-is")
    assert report.iteration.time_is_lower_bound and report.coverage["fallback"].ops == 1
    assert report.iteration.matrix_flops == 2 * 512 * 1024 * 1024
    opaque, = [kernel for kernel in report.kernels if kernel.family not in ("matmul", "elementwise")]
    # The input twice at most, two results.
    assert opaque.bytes in (3 * 512 * 1024 * 4, 4 * 512 * 1024 * 4)


def test_grouped_products(exporter):
    class Grouped(torch.nn.Module):
        def __init__(self, groups):
            super().__init__()
            self.weight = torch.nn.Parameter(torch.empty(groups, 512, 1024, dtype=torch.bfloat16))

        def forward(self, x, ends):
            return torch._grouped_mm(x, self.weight, ends)

    # 1,000 rows of 64 groups: 16 rows each, of which 24 are empty.
    for rows, groups, used in [(2048, 8, 8), (4, 8, 4), (1000, 64, 64)]:
        inputs = torch.empty(rows, 512, dtype=torch.bfloat16), torch.zeros(groups, dtype=torch.int32)
        report = gpucost.analyze(Grouped(groups), inputs, target="h100-bf16")
        each = -(-rows // used)
        assert report.iteration.matrix_flops == 2 * used * each * 512 * 1024
        assert any(kernel.shape.startswith(f"b={used} m={each} ") for kernel in report.kernels)


def test_flex_attention_is_opaque(exporter):
    from torch.nn.attention.flex_attention import flex_attention

    class Flex(torch.nn.Module):
        def forward(self, q, k, v):
            return flex_attention(q, k, v)

    report = gpucost.analyze(Flex(), tuple(torch.empty(2, 4, 128, 64) for _ in range(3)), target="a100-bf16",
                             precision_mode="as-is")
    assert [each.op for each in report.coverage["fallback"].list] == ["pytorch::flex_attention"]
    # Queries, keys, values and the result; the few indices of blocks are below 1 kB.
    assert 0 <= report.kernels[0].bytes - 4 * 2 * 4 * 128 * 64 * 4 < 1024


def test_threads_export_one_after_the_other(exporter):
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(4) as pool:
        reports = pool.map(lambda width: gpucost.analyze(torch.nn.Linear(64, width), torch.empty(4, 64),
                                                         target="a100-bf16"), (64, 128, 192, 256))
        flops = [report.iteration.matrix_flops for report in reports]
    assert flops == [2 * 4 * 64 * width for width in (64, 128, 192, 256)]


class Biased(torch.nn.Embedding):
    """Tokens next to another tensor: their sizes stay those of the example."""

    def forward(self, input_ids, bias):
        return super().forward(input_ids) + bias


def test_lengths_only_of_tokens(exporter):
    inputs = {"input_ids": torch.zeros(4, 16, dtype=torch.long), "bias": torch.zeros(4, 16, 64)}
    once = gpucost.export(Biased(100, 64), inputs, any_length=True)
    assert once.batch is None
    assert not gpucost.analyze(once, target="a100-bf16").iteration.time_is_lower_bound


def test_export_once(exporter, tmp_path, monkeypatch):
    from gpucost import _torch

    inputs, dims = torch.zeros(512, 1024), {"x": {0: torch.export.Dim("batch", min=2, max=4096)}, "scale": None}
    module = Block().eval()
    once = gpucost.export(module, {"x": inputs, "scale": torch.ones(1024)}, dynamic_shapes=dims)
    assert repr(once).startswith("<gpucost.Exported Block: ")
    report = gpucost.analyze(once, target="a100-bf16", batch=512)
    assert report.model == "Block" and report.iteration.matrix_flops == 2 * 2 * 512 * 1024 * 4096
    assert pickle.loads(pickle.dumps(once)) == once
    once.save(tmp_path / "block.onnx")
    assert gpucost.analyze(tmp_path / "block.onnx", target="a100-bf16", batch=512).iteration == report.iteration
    assert gpucost.prepare(once, target="a100-bf16", batch=512).evaluate("a100-bf16").iteration == report.iteration
    calls, original = [], _torch.exported
    monkeypatch.setattr(_torch, "exported", lambda *arguments: calls.append(arguments) or original(*arguments))
    space = {"target": ["a100-bf16", "h100-bf16"], "power_limit": [200, 300]}
    assert len(gpucost.sweep(module, space, inputs=inputs)) == 4 and len(calls) == 1
    assert len(gpucost.sweep(once, space, batch=8)) == 4 and len(calls) == 1
    with pytest.raises(gpucost.InvalidArgumentError, match="converts a torch.nn.Module, not a str"):
        gpucost.export("block.onnx")


def test_compiled_module(exporter):
    inputs = torch.zeros(512, 1024)
    report = gpucost.analyze(torch.compile(Block().eval()), inputs, target="a100-bf16")
    plain = gpucost.analyze(Block().eval(), inputs, target="a100-bf16", runtime="compiled")
    assert (report.iteration, report.kernels) == (plain.iteration, plain.kernels)


def test_exported_program(exporter):
    program = torch.export.export(Block().eval(), (torch.zeros(512, 1024),))
    report = gpucost.analyze(program, target="a100-bf16")
    assert report.iteration.matrix_flops == 2 * 2 * 512 * 1024 * 4096


def test_mistakes(exporter):
    with pytest.raises(gpucost.InvalidArgumentError, match="example inputs"):
        gpucost.analyze(Block(), target="a100-bf16")

    class Branch(torch.nn.Module):
        def forward(self, x):
            return x if x.sum() > 0 else -x

    with pytest.raises(gpucost.GpuCostError, match="cannot export.*control flow that depends on the values"):
        gpucost.analyze(Branch(), torch.zeros(3), target="a100-bf16")
    with pytest.raises(gpucost.InvalidArgumentError, match="cannot export.*missing a required argument: 'x'"):
        gpucost.analyze(Block(), {"nothing": torch.zeros(3)}, target="a100-bf16")
    with pytest.raises(gpucost.InvalidArgumentError, match="cannot export.*dynamic_shape'"):
        gpucost.analyze(Block(), torch.zeros(3, 1024), target="a100-bf16", export={"dynamic_shape": {}})


# Inductor.

def nodes_of(function, *inputs, backward=False):
    """The arguments of `estimate_op_runtime`: (class, name of the origin, estimate)."""
    from torch._inductor import comms, config

    seen = []

    def look(nodes):
        for node in nodes:
            origin = node.node.get_origin_node() if node.node is not None else None
            seen.append((type(node).__name__, str(origin.target) if origin is not None else "",
                         comms.estimate_op_runtime(node)))
        return nodes

    torch._dynamo.reset()
    with config.patch(_post_fusion_custom_pass=look, force_disable_caches=True), \
            torch.set_grad_enabled(backward):
        try:
            result = torch.compile(function)(*inputs)
            if backward:
                result.sum().backward()
        except Exception:  # noqa: BLE001 - no C++ compiler here: the scheduler has run
            if not seen:
                raise
    return seen


@pytest.fixture
def estimator():
    from torch._inductor import config

    import gpucost.inductor

    found = gpucost.inductor.estimator("a100-fp32")
    with config.patch(estimate_op_runtime=found):
        yield found


def test_inductor_products(estimator):
    left, right = torch.zeros(512, 1024), torch.zeros(1024, 2048)
    seen = nodes_of(lambda a, b: torch.relu(a @ b), left, right)
    model = gpucost.Model("a100-fp32")
    products = [ms for _, name, ms in seen if "mm" in name]
    assert products == pytest.approx([model.matmul(512, 2048, 1024).time_us * 1e-3])
    pointwise, = [ms for _, name, ms in seen if "mm" not in name]
    # relu reads and writes 512 x 2048 x 4 bytes: a copy of as many elements.
    assert pointwise == pytest.approx(model.elementwise("copy", 512 * 2048).time_us * 1e-3)


def test_inductor_batched_products_and_convolutions(estimator):
    model = gpucost.Model("a100-fp32")
    seen = nodes_of(torch.bmm, torch.zeros(8, 64, 128), torch.zeros(8, 128, 256))
    assert seen[0][2] == pytest.approx(model.matmul(64, 256, 128, batch=8).time_us * 1e-3)
    seen = nodes_of(lambda x, w: torch.nn.functional.conv2d(x, w, stride=2, padding=1), torch.zeros(4, 16, 32, 32),
                    torch.zeros(32, 16, 3, 3))
    expected = model.conv2d(n=4, c=16, h=32, w=32, oc=32, kh=3, kw=3, stride=2, pad=1).time_us * 1e-3
    assert any(ms == pytest.approx(expected) for _, _, ms in seen)


def test_inductor_fuses_before_it_asks(estimator):
    seen = nodes_of(lambda x: torch.softmax(torch.nn.functional.gelu(x) * 2 + 1, -1), torch.zeros(4096, 1024))
    assert all(ms > 0 for _, _, ms in seen)
    # One kernel of at least 2 x 16 MiB at 2 TB/s.
    assert sum(ms for _, _, ms in seen) > 2 * 4096 * 1024 * 4 / 2.039e12 * 1e3


def test_inductor_attention(estimator):
    query, key = torch.zeros(2, 8, 256, 64), torch.zeros(2, 8, 512, 64)
    model = gpucost.Model("a100-fp32")
    for causal in (False, True):
        seen = nodes_of(lambda q, k: torch.nn.functional.scaled_dot_product_attention(q, k, k, is_causal=causal),
                        query, key)
        expected = model.attention(heads=8, q_len=256, kv_len=512, head_dim=64, batch=2, causal=causal).time_us * 1e-3
        assert any(ms == pytest.approx(expected) for _, _, ms in seen), seen


def test_inductor_backward_of_a_convolution(estimator):
    weight = torch.nn.Parameter(torch.zeros(32, 16, 3, 3))
    image = torch.zeros(4, 16, 32, 32, requires_grad=True)
    seen = nodes_of(lambda x: torch.nn.functional.conv2d(x, weight, padding=1), image, backward=True)
    once = gpucost.Model("a100-fp32").conv2d(n=4, c=16, h=32, w=32, oc=32, kh=3, kw=3, pad=1).time_us * 1e-3
    assert any(ms == pytest.approx(2 * once) for _, _, ms in seen), seen


def test_inductor_collectives(estimator):
    import torch.distributed as dist
    import torch.distributed._functional_collectives as functional
    from torch.testing._internal.distributed.fake_pg import FakeStore

    model = gpucost.Model("a100-fp32")
    size = 1024 * 512 * 4
    dist.init_process_group("fake", rank=0, world_size=8, store=FakeStore())
    try:
        seen = nodes_of(lambda x: functional.all_gather_tensor(functional.all_reduce(x, "sum", dist.group.WORLD), 0,
                                                               dist.group.WORLD) + 1, torch.zeros(1024, 512))
    finally:
        dist.destroy_process_group()
    for op, count in [("all_reduce", size), ("all_gather", 8 * size)]:
        expected = model.collective(op, gpus=8, message_bytes=count).time_us * 1e-3
        assert any(ms == pytest.approx(expected) for _, _, ms in seen), (op, seen)


def test_units():
    import gpucost.inductor

    assert gpucost.inductor.estimator("a100-fp32").unit in ("ms", "ns")
    with pytest.raises(ValueError):
        gpucost.inductor.estimator("a100-fp32", unit="s")
