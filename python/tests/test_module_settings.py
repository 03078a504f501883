# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Settings that a module has: requires_grad, checkpoints, dtypes, optimizers, losses, wrappers, example inputs."""
import pickle

import gpucost
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnxscript")
from torch.utils import checkpoint  # noqa: E402

WIDTH, INNER, RANK = 256, 1024, 8
# Weights and biases of the large layers; the adapters.
LARGE = 2 * WIDTH * INNER + INNER + WIDTH
ADAPTERS = 2 * WIDTH * RANK


class Block(torch.nn.Module):
    """A residual block with an adapter."""

    def __init__(self):
        super().__init__()
        self.up, self.down = torch.nn.Linear(WIDTH, INNER), torch.nn.Linear(INNER, WIDTH)
        self.lora_a, self.lora_b = (torch.nn.Linear(*sizes, bias=False) for sizes in ((WIDTH, RANK), (RANK, WIDTH)))

    def forward(self, x):
        return x + self.down(torch.nn.functional.gelu(self.up(x))) + self.lora_b(self.lora_a(x))


class Stack(torch.nn.Module):
    """Blocks, of which `call` runs each."""

    def __init__(self, count=4, call=lambda block, index, x: block(x)):
        super().__init__()
        self.blocks = torch.nn.ModuleList(Block() for _ in range(count))
        self.call = call

    def forward(self, x):
        for index, block in enumerate(self.blocks):
            x = self.call(block, index, x)
        return x


def checkpointed(block, index, x):
    return checkpoint.checkpoint(block, x, use_reentrant=False)


def reentrant(block, index, x):
    return checkpoint.checkpoint(lambda y: block(y), x, use_reentrant=True)


def every_second(block, index, x):
    return checkpointed(block, index, x) if index % 2 else block(x)


def in_part(block, index, x):
    return block.down(checkpoint.checkpoint(block.up, x, use_reentrant=False))


def last_two(block, index, x):
    return checkpointed(block, index, x) if index > 3 else block(x)


def in_function(block, index, x):
    return x + checkpoint.checkpoint(lambda y: block.down(torch.relu(block.up(y))), x, use_reentrant=False)


INPUT = torch.zeros(32, 64, WIDTH)


def training(module, inputs=INPUT, target="a100-bf16", **settings):
    return gpucost.analyze(module, inputs, target=target, mode="training", **settings)


def has_note(report, text):
    return any(text in note for note in report.notes)


# requires_grad.

def test_frozen_parameters():
    module = Stack(2)
    assert training(module).iteration.optimizer_bytes == 2 * 4 * 2 * (LARGE + ADAPTERS)
    for name, parameter in module.named_parameters():
        parameter.requires_grad_("lora" in name)
    report = training(module)
    # Two AdamW states of 4 bytes.
    assert report.iteration.optimizer_bytes == 2 * 4 * 2 * ADAPTERS
    assert report.iteration == training(module, trainable="*lora*").iteration
    assert has_note(report, "from the module: trainable=*lora* (requires_grad)")
    with pytest.raises(gpucost.InvalidArgumentError, match="trainable='.*' contradicts the module: 'blocks.0.up.weight' has "
                                                           "requires_grad=False"):
        training(module, trainable="*")
    assert not has_note(gpucost.analyze(module, INPUT, target="a100-bf16"), "from the module")
    module.requires_grad_(False)
    with pytest.raises(gpucost.UnsupportedError, match="no parameter of the module has requires_grad=True"):
        training(module)


def test_names_without_a_common_word():
    module = Stack(3)
    module.requires_grad_(False)
    for part in (module.blocks[0].up, module.blocks[2].down):
        part.requires_grad_(True)
    assert training(module).iteration.optimizer_bytes == 2 * 4 * (2 * WIDTH * INNER + INNER + WIDTH)


# Checkpoints.

@pytest.mark.parametrize("call", [checkpointed, reentrant])
def test_checkpoints_of_all_blocks(call):
    report = training(Stack(call=call))
    assert report.iteration == training(Stack(), recompute="full").iteration
    assert report.iteration.activation_bytes < training(Stack()).iteration.activation_bytes
    assert has_note(report, "recompute=full (checkpoints)")
    with pytest.raises(gpucost.InvalidArgumentError, match="recompute='none' contradicts the module.*'full'"):
        training(Stack(call=call), recompute="none")


def test_checkpoints_of_some_blocks():
    assert training(Stack(call=every_second)).iteration == training(Stack(), recompute="every-2").iteration
    # Inference does not depend on checkpoints.
    assert gpucost.analyze(Stack(call=in_part), INPUT, target="a100-bf16").iteration.time_ms > 0
    # PyTorch is as before.
    assert checkpoint.CheckpointFunction.__name__ == "CheckpointFunction"


@pytest.mark.parametrize("call, plain, paths, products", [
    (in_part, lambda block, index, x: block.down(block.up(x)), "@blocks.*.up", []),
    (last_two, lambda block, index, x: block(x), "@blocks.4,blocks.5", 2 * [INNER, RANK]),
    (in_function, lambda block, index, x: x + block.down(torch.relu(block.up(x))), "@blocks.*.up+blocks.*.down", 6 * [INNER]),
])
def test_checkpoints_of_modules(call, plain, paths, products):
    report, stated = training(Stack(6, call)), training(Stack(6, plain), recompute=paths)
    assert has_note(report, f"recompute={paths} (checkpoints)")
    assert report.iteration == stated.iteration and report.kernels == stated.kernels
    # The backward pass reads no output of the last products of a checkpoint, so only the products before run again.
    flops = report.iteration.matrix_flops - training(Stack(6, plain)).iteration.matrix_flops
    assert flops == sum(2 * INPUT.shape[0] * INPUT.shape[1] * WIDTH * size for size in products)
    with pytest.raises(gpucost.InvalidArgumentError, match="recompute='full' contradicts the module"):
        training(Stack(6, call), recompute="full")


def test_checkpoints_of_sequences():
    class Halves(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.blocks = torch.nn.Sequential(*Stack(6).blocks)

        def forward(self, x):
            return checkpoint.checkpoint_sequential(self.blocks, 3, x, use_reentrant=False)

    report = training(Halves())
    # PyTorch does not checkpoint the last part.
    assert has_note(report, "recompute=@blocks.0+blocks.1,blocks.2+blocks.3 (checkpoints)")
    # All products of the first block of a part, and those of the second block that are not its last.
    flops = report.iteration.matrix_flops - training(Stack(6)).iteration.matrix_flops
    assert flops == 2 * 2 * INPUT.shape[0] * INPUT.shape[1] * WIDTH * 3 * (INNER + RANK)


def test_checkpoints_without_modules():
    class Plain(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = torch.nn.Linear(WIDTH, WIDTH)

        def forward(self, x):
            return checkpoint.checkpoint(lambda y: torch.relu(y) * 2, self.linear(x), use_reentrant=False)

    with pytest.raises(gpucost.UnsupportedError, match="'recompute': a checkpoint of the module contains no module with a name"):
        training(Plain())
    assert training(Plain(), recompute="none").iteration.time_ms > 0


def test_checkpoints_of_transformers():
    transformers = pytest.importorskip("transformers", minversion="5")
    config = transformers.LlamaConfig(vocab_size=1000, hidden_size=128, intermediate_size=256, num_hidden_layers=4,
                                      num_attention_heads=2)
    with torch.device("meta"):
        module = transformers.LlamaForCausalLM(config)
    tokens = {"input_ids": torch.zeros(2, 64, dtype=torch.long)}
    full = training(module, tokens, recompute="full").iteration
    module.gradient_checkpointing_enable()
    assert training(module, tokens).iteration == full


# Dtypes.

@pytest.mark.parametrize("dtype, name", [(torch.bfloat16, "bf16"), (torch.float16, "fp16")])
def test_half_precision_modules_train_without_autocast(dtype, name):
    module, inputs = Stack(1).to(dtype), INPUT.to(dtype)
    report = training(module, inputs, f"a100-{name}")
    count = LARGE + ADAPTERS
    # Parameters and two states of 2 bytes each.
    assert report.iteration.parameter_bytes == 2 * count and report.iteration.optimizer_bytes == 2 * 2 * count
    assert report.iteration == training(module, inputs, f"a100-{name}", precision_mode="as-is").iteration
    with pytest.raises(gpucost.InvalidArgumentError, match=f"'amp' contradicts the module.*{name}"):
        training(module, inputs, f"a100-{name}", precision_mode="amp")
    other = "fp32" if name == "bf16" else "bf16"
    with pytest.raises(gpucost.InvalidArgumentError, match=f"target='a100-{other}' contradicts the module"):
        training(module, inputs, f"a100-{other}")
    assert training(module, inputs, f"a100-{other}", precision_mode="cast").iteration.time_ms > 0


def test_fp32_modules_train_with_autocast():
    assert training(Stack(1)).iteration.parameter_bytes == 4 * (LARGE + ADAPTERS)
    assert training(Stack(1)).precision.startswith("automatic mixed precision")


# Losses.

def test_losses_that_the_tool_has():
    module = Stack(1)
    for loss, name in [(torch.nn.MSELoss(), "mse"), (torch.nn.functional.mse_loss, "mse"),
                       (torch.nn.CrossEntropyLoss(), "cross-entropy")]:
        assert training(module, loss=loss).iteration == training(module, loss=name).iteration


def test_exported_losses():
    module = Stack(1)
    without = training(module, loss="none")

    class Squares(torch.nn.Module):
        def forward(self, output, target):
            return ((output - target) ** 2).mean()

    for loss in (Squares(), lambda output, target: torch.nn.functional.l1_loss(output, target),
                 lambda output: output.abs().mean()):
        report = training(module, loss=loss)
        assert report.iteration.parameter_count == without.iteration.parameter_count
        # Its kernels, of the size of the output, run in addition.
        labels = [kernel.label for kernel in report.kernels]
        assert any("ReduceMean" in label for label in labels), labels
        assert report.iteration.launches > without.iteration.launches
        assert has_note(report, "the loss function is exported")
    with pytest.raises(gpucost.InvalidArgumentError, match="'loss' takes 3 arguments"):
        training(module, loss=lambda a, b, c: a)
    with pytest.raises(gpucost.InvalidArgumentError, match="a loss needs mode='training'"):
        gpucost.analyze(module, INPUT, target="a100-bf16", loss=Squares())
    with pytest.raises(gpucost.InvalidArgumentError, match="loss functions belong to a torch.nn.Module"):
        gpucost.analyze("bert.onnx", target="a100-bf16", mode="training", loss=Squares())


# Wrappers.

@pytest.fixture(scope="module")
def group():
    """A process group of 8 ranks without communication."""
    distributed = pytest.importorskip("torch.distributed")
    fake = pytest.importorskip("torch.testing._internal.distributed.fake_pg")
    if not distributed.is_available() or distributed.is_initialized():
        pytest.skip("no process group for the test")
    distributed.init_process_group("fake", store=fake.FakeStore(), rank=0, world_size=8)
    yield distributed
    distributed.destroy_process_group()


def test_data_parallel_wrappers(group):
    expected = training(Stack(2), parallel="ddp", gpus=8)
    wrapped = torch.nn.parallel.DistributedDataParallel(Stack(2))
    report = training(wrapped)
    assert report.iteration == expected.iteration and report.model == "Stack"
    assert has_note(report, "parallel=ddp (its wrapper), gpus=8 (its process group)")
    with pytest.raises(gpucost.InvalidArgumentError, match="parallel='fsdp' contradicts the module, which has parallel='ddp'"):
        training(wrapped, parallel="fsdp")
    assert training(torch.nn.DataParallel(Stack(2))).iteration == training(Stack(2)).iteration


@pytest.mark.parametrize("halves", [False, True])
def test_fully_shard(group, halves):
    fsdp = pytest.importorskip("torch.distributed.fsdp")
    mesh = pytest.importorskip("torch.distributed.device_mesh").init_device_mesh("cpu", (8,))
    policy = dict(mp_policy=fsdp.MixedPrecisionPolicy(param_dtype=torch.bfloat16)) if halves else {}
    module = Stack(2)
    for block in module.blocks:
        fsdp.fully_shard(block, mesh=mesh, **policy)
    fsdp.fully_shard(module, mesh=mesh, **policy)
    report = training(module)
    settings = dict(parallel="fsdp", gpus=8)
    if halves:
        expected = training(Stack(2).bfloat16(), INPUT.bfloat16(), master_weights="fp32", **settings)
    else:
        expected = training(Stack(2), **settings)
    assert report.iteration == expected.iteration and report.model == "Stack"
    assert type(module.blocks[0].up.weight).__name__ == "DTensor" and module._forward_pre_hooks


def test_wrappers_inside_a_module(group):
    class Outer(torch.nn.Module):
        def __init__(self, inner, head):
            super().__init__()
            self.inner, self.head = inner, torch.nn.Linear(WIDTH, 4).requires_grad_(head)

        def forward(self, x):
            return self.head(self.inner(x))

    wrapped = Outer(torch.nn.parallel.DistributedDataParallel(Stack(2)), False)
    plain = training(Outer(Stack(2), False), parallel="ddp", gpus=8)
    assert training(wrapped).iteration == plain.iteration
    # Gradients outside of the wrapper are not synchronized.
    partly = Outer(torch.nn.parallel.DistributedDataParallel(Stack(2)), True)
    with pytest.raises(gpucost.UnsupportedError, match="a wrapper of a part of the module cannot be read"):
        training(partly)
    assert training(partly, parallel="ddp", gpus=8).settings["gpus"] == 8


def test_fully_shard_with_compiled_and_checkpointed_blocks(group):
    from torch.distributed import fsdp, init_device_mesh
    from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import apply_activation_checkpointing

    module, mesh = Stack(2), init_device_mesh("cpu", (8,))
    apply_activation_checkpointing(module, check_fn=lambda part: part is module.blocks[1].up)
    for block in module.blocks:
        block.compile()
        fsdp.fully_shard(block, mesh=mesh)
    fsdp.fully_shard(module, mesh=mesh)
    report = training(module)
    assert has_note(report, "recompute=@blocks.*.up._checkpoint_wrapped_module (checkpoints)")
    assert has_note(report, "parallel=fsdp (its wrapper), gpus=8") and has_note(report, "torch.compile compiles parts")


def test_fully_shard_that_keeps_parameters(group):
    fsdp = pytest.importorskip("torch.distributed.fsdp")
    mesh = pytest.importorskip("torch.distributed.device_mesh").init_device_mesh("cpu", (8,))
    for blocks, root, name in ((False, False, "zero2"), (True, False, "fsdp")):
        module = Stack(2)
        for block in module.blocks:
            fsdp.fully_shard(block, mesh=mesh, reshard_after_forward=blocks)
        fsdp.fully_shard(module, mesh=mesh, reshard_after_forward=root)
        assert training(module).iteration == training(Stack(2), parallel=name, gpus=8).iteration


@pytest.mark.parametrize("original", [False, True])
def test_fully_sharded_data_parallel(group, original):
    fsdp = pytest.importorskip("torch.distributed.fsdp")
    for strategy, name in ((fsdp.ShardingStrategy.FULL_SHARD, "fsdp"), (fsdp.ShardingStrategy.SHARD_GRAD_OP, "zero2")):
        module = fsdp.FullyShardedDataParallel(Stack(2), use_orig_params=original, sharding_strategy=strategy,
                                               device_id=torch.device("cpu"))
        assert training(module).iteration == training(Stack(2), parallel=name, gpus=8).iteration


def test_placements_that_no_setting_expresses(group):
    fsdp = pytest.importorskip("torch.distributed.fsdp")
    mesh = pytest.importorskip("torch.distributed.device_mesh").init_device_mesh("cpu", (2, 4), mesh_dim_names=("a", "b"))
    module = Stack(1)
    fsdp.fully_shard(module, mesh=mesh)
    with pytest.raises(gpucost.UnsupportedError, match="'parallel': .*mesh of 2 dimensions.*state parallel="):
        training(module)
    assert training(module, parallel="fsdp", gpus=8).iteration == training(Stack(1), parallel="fsdp", gpus=8).iteration
    assert has_note(inference(module, INPUT), "without parallel= and gpus=, one GPU runs the whole module")


# Example inputs.

def inference(module, inputs, **settings):
    return gpucost.analyze(module, inputs, target="a100-bf16", **settings)


def test_batch_of_static_inputs():
    report = inference(Block(), INPUT)
    it = report.iteration
    assert (it.samples, it.tokens, dict(report.bindings)) == (32, 32 * 64, {"batch": 32, "sequence": 64})
    assert it.samples_per_s == pytest.approx(32 / it.time_ms * 1e3, rel=1e-4)
    assert it.tokens_per_s == pytest.approx(32 * 64 / it.time_ms * 1e3, rel=1e-4)
    assert has_note(report, "batch of 32: dimension 0 of x; batch_dim= changes it")
    assert has_note(report, "sequence of 64: dimension 1 of x")
    other = inference(Block(), INPUT, batch_dim=1)
    assert (other.iteration.samples, other.iteration.tokens) == (64, 64 * 32)
    none = inference(Block(), INPUT, batch_dim=None).iteration
    assert none.samples_per_s is None and none.tokens_per_s is None and none.energy_per_sample_j is None
    for wrong in (3, -1, True, "first"):
        with pytest.raises(gpucost.InvalidArgumentError, match="'batch_dim' is .*: expected a dimension of x"):
            inference(Block(), INPUT, batch_dim=wrong)
    with pytest.raises(gpucost.InvalidArgumentError, match="batch_dim and loss functions belong to a torch.nn.Module"):
        gpucost.analyze("bert.onnx", target="a100-bf16", batch_dim=0)


def test_batch_that_is_stated():
    assert inference(Block(), INPUT, batch=32).iteration.samples == 32
    with pytest.raises(gpucost.InvalidArgumentError, match="'batch' is 8, but the batch of the example inputs is 32"):
        inference(Block(), INPUT, batch=8)
    dims = {"x": {0: "batch"}}
    named = gpucost.export(Block(), {"x": INPUT}, dynamic_shapes=dims)
    it = gpucost.analyze(named, target="a100-bf16", batch=8).iteration
    assert (it.samples, it.tokens) == (8, 8 * 64)


def test_batch_first():
    inputs = torch.zeros(7, 5, 64)
    for first, batch in ((True, 7), (False, 5)):
        report = inference(torch.nn.LSTM(64, 64, batch_first=first), inputs)
        assert (report.iteration.samples, report.iteration.tokens) == (batch, 35)
        assert has_note(report, "batch_first=False") != first


def test_images_have_no_tokens():
    it = inference(torch.nn.Conv1d(8, 8, 3), torch.zeros(4, 8, 64)).iteration
    assert (it.samples, it.tokens_per_s) == (4, None)
    it = inference(torch.nn.Conv2d(3, 8, 3), torch.zeros(4, 3, 32, 32)).iteration
    assert (it.samples, it.tokens_per_s) == (4, None)


def test_inputs_that_disagree():
    class Scaled(torch.nn.Module):
        def forward(self, x, scale):
            return x * scale

    report = inference(Scaled(), (torch.zeros(32, 64), torch.zeros(64)))
    assert report.samples_per_s is None
    assert has_note(report, "batch unknown: the inputs differ in dimension 0 (x 32, scale 64); batch_dim= states it")
    assert inference(Scaled(), (torch.zeros(32, 64), torch.zeros(64)), batch_dim=0).iteration.samples == 32
    # A size of 1 is broadcast.
    assert inference(Scaled(), (torch.zeros(32, 64), torch.zeros(1, 64))).iteration.samples == 32


# Files, sweeps, reports.

def test_exported_files_keep_the_settings(tmp_path):
    module = Stack(call=checkpointed)
    for name, parameter in module.named_parameters():
        parameter.requires_grad_("lora" in name)
    gpucost.export(module, INPUT).save(tmp_path / "stack.onnx")
    expected = training(module).iteration
    for model in (gpucost.Exported.load(tmp_path / "stack.onnx"), tmp_path / "stack.onnx"):
        assert gpucost.analyze(model, target="a100-bf16", mode="training").iteration == expected
    with pytest.raises(gpucost.InvalidArgumentError, match="contradicts the module"):
        gpucost.analyze(gpucost.Exported.load(tmp_path / "stack.onnx"), target="a100-bf16", mode="training", recompute="none")
    with pytest.raises(gpucost.MissingFileError):
        gpucost.Exported.load(tmp_path / "missing.onnx")


def test_sweeps_of_objects():
    module = Stack(1)
    sweep = gpucost.sweep(module, {"target": ["a100-bf16", "h100-bf16"]}, inputs=INPUT, mode="training",
                          optimizer=torch.optim.SGD(module.parameters(), lr=1), loss=torch.nn.L1Loss())
    assert [point.report.iteration.optimizer_bytes for point in sweep] == [0, 0]
    assert all(has_note(point.report, "the loss function is exported") for point in sweep)
    assert sweep.best("samples_per_s") == sweep.best("time_ms")
    assert sweep.best("mfu") == max(sweep, key=lambda point: point.report.iteration.mfu)
    assert sweep.best("time_ms", largest=True) == max(sweep, key=lambda point: point.report.time_ms)
    with pytest.raises(gpucost.InvalidArgumentError, match="no quantity 'time'; did you mean 'time_ms'"):
        sweep.best("time")
    with pytest.raises(gpucost.InvalidArgumentError, match="no quantity 'bound': expected one of time_ms"):
        sweep.best("bound")


def test_sweeps_of_fixed_sizes():
    module = Stack(1)
    batch = len(INPUT)
    sweep = gpucost.sweep(module, {"batch": [batch], "clock": [1005, 1410]}, inputs=INPUT, target="a100-bf16")
    assert [point.settings["clock"] for point in sweep] == [1005, 1410]
    assert all(point.samples_per_s == point.report.iteration.samples_per_s for point in sweep)
    with pytest.raises(gpucost.InvalidArgumentError, match=f"'batch' is {batch + 1}, but the batch of the example inputs"):
        gpucost.sweep(module, {"clock": [1005, 1410]}, inputs=INPUT, target="a100-bf16", batch=batch + 1)
    # If the batch varies, it is a symbol.
    both = gpucost.sweep(module, {"batch": [batch, batch + 1]}, inputs=INPUT, target="a100-bf16")
    assert both[0].time_ms == sweep[1].time_ms < both[1].time_ms
    found = gpucost.sweep(module, {"clock": [1410]}, inputs=INPUT, target="a100-bf16", batch_dim=None)
    assert found[0].samples_per_s is None
    answer = gpucost.optimize(module, {"clock": [1005, 1410]}, inputs=INPUT, target="a100-bf16", batch=batch, minimize="time")
    assert answer["choice"]["time_ms"] == min(point.time_ms for point in sweep)


def test_sweeps_over_optimizers():
    module = Stack(1)
    optimizers = [torch.optim.SGD, torch.optim.AdamW(module.parameters(), fused=True)]
    sweep = gpucost.sweep(module, {"optimizer": optimizers}, inputs=INPUT, mode="training", target="a100-bf16")
    plain = gpucost.sweep(module, [{"optimizer": "sgd"}, {"optimizer": "adamw", "optimizer_variant": "fused"}], inputs=INPUT,
                          mode="training", target="a100-bf16")
    assert [point.time_ms for point in sweep] == [point.time_ms for point in plain]
    with pytest.raises(gpucost.InvalidArgumentError, match="it belongs to another module"):
        gpucost.sweep(Stack(1), {"clock": [1410]}, optimizer=optimizers[1], inputs=INPUT, mode="training", target="a100-bf16")
    with pytest.raises(gpucost.InvalidArgumentError, match="'optimizer_variant' is 'foreach', but the optimizer is fused"):
        gpucost.sweep(module, {"optimizer_variant": ["fused", "foreach"]}, optimizer=optimizers[1], inputs=INPUT,
                      mode="training", target="a100-bf16")
    modes = gpucost.sweep(module, {"mode": ["training", "inference"]}, loss=torch.nn.L1Loss(), inputs=INPUT,
                          target="a100-bf16", errors="keep")
    assert [str(point.error) for point in modes] == ["None", "a loss needs mode='training'"]


def eight_bit(library, name):
    """A stand-in for an optimizer of a package that needs a GPU to run."""
    return type(name, (torch.optim.Optimizer,), {"__module__": f"{library}.optim.adamw", "args": None,
                                                  "__init__": lambda self, given: torch.optim.Optimizer.__init__(self, given, {})})


@pytest.mark.parametrize("library, name, plain", [("bitsandbytes", "AdamW8bit", "adamw"), ("bitsandbytes", "PagedAdam8bit", "adam"),
                                                  ("torchao", "AdamW8bit", "adamw")])
def test_optimizers_with_states_in_eight_bit(library, name, plain):
    module, kind = Stack(1), eight_bit(library, name)
    expected = training(module, optimizer=plain, optimizer_states="8bit")
    assert expected.iteration.optimizer_bytes < 0.3 * training(module, optimizer=plain).iteration.optimizer_bytes
    for optimizer in (kind, kind(module.parameters())):
        report = training(module, optimizer=optimizer)
        assert (report.iteration, report.settings["optimizer_states"]) == (expected.iteration, "8bit")
    with pytest.raises(gpucost.InvalidArgumentError, match="'optimizer_states' is 'as-is', but the optimizer is 8bit"):
        training(module, optimizer=kind, optimizer_states="as-is")


def test_bits_of_an_argument():
    module, kind = Stack(1), eight_bit("bitsandbytes", "AdamW")
    optimizer = kind(module.parameters())
    for bits in (8, 32):
        optimizer.args = type("Arguments", (), {"optim_bits": bits})()
        if bits == 8:
            assert training(module, optimizer=optimizer).settings["optimizer_states"] == "8bit"
            continue
        with pytest.raises(gpucost.UnsupportedError, match="bitsandbytes.optim.adamw.AdamW, whose kernels are unknown"):
            training(module, optimizer=optimizer)


# Execution.

def test_compiled_modules():
    module, note = Stack(2), "from the module: runtime=compiled (torch.compile) unless stated"
    eager, compiled = training(module).iteration, training(module, runtime="compiled").iteration
    assert compiled.time_ms < eager.time_ms
    wrapper = torch.compile(module)
    report = training(wrapper)
    assert report.iteration == compiled and note in report.notes
    assert training(wrapper, runtime="eager").iteration == eager
    assert gpucost.analyze(wrapper, INPUT, target="a100-bf16").settings["runtime"] == "compiled"
    assert training(torch.compile(module, backend="eager")).iteration == eager
    sweep = gpucost.sweep(wrapper, {"runtime": ["eager", "compiled"]}, inputs=INPUT, target="a100-bf16", mode="training")
    assert [point.time_ms for point in sweep] == [eager.time_ms, compiled.time_ms]
    # Parts, then all of it; the earlier exports are not used again.
    module.blocks[0].compile()
    report = training(module)
    assert report.iteration == eager and has_note(report, "torch.compile compiles parts of the module")
    module.compile()
    report = training(module)
    assert report.iteration == compiled and note in report.notes


def test_channels_last():
    def run(module, inputs, **settings):
        return gpucost.analyze(module, inputs, target="a100-bf16", **settings)

    module = torch.nn.Sequential(torch.nn.Conv2d(8, 16, 3), torch.nn.ReLU(), torch.nn.Conv2d(16, 16, 3))
    inputs = torch.zeros(4, 8, 32, 32)
    usual, last = run(module, inputs).iteration, run(module, inputs, channels_last=True).iteration
    assert usual.time_ms != last.time_ms
    report = run(module, inputs.to(memory_format=torch.channels_last))
    assert report.iteration == last and has_note(report, "from the module: channels_last=True (memory_format) unless stated")
    assert run(module, inputs.to(memory_format=torch.channels_last), channels_last=False).iteration == usual
    assert run(module.to(memory_format=torch.channels_last), inputs).iteration == last
    # Without a convolution, and with a layout that is both.
    assert not has_note(run(torch.nn.ReLU(), inputs.to(memory_format=torch.channels_last)), "channels_last")
    small = torch.nn.Conv2d(8, 16, 1)
    assert not has_note(run(small.to(memory_format=torch.channels_last), torch.zeros(4, 8, 1, 1)), "channels_last")


def test_scripted_modules():
    for module in (torch.jit.script(torch.nn.Linear(8, 8)), torch.jit.trace(torch.nn.Linear(8, 8), torch.zeros(4, 8))):
        with pytest.raises(gpucost.GpuCostError, match="give the module that was scripted or traced"):
            gpucost.analyze(module, torch.zeros(4, 8), target="a100-bf16")


def test_hash_of_reports():
    report = training(Stack(1))
    again = pickle.loads(pickle.dumps(report))
    assert {report: 1}[again] == 1 and len({report, again, training(Stack(2))}) == 2


def test_memory_interval_is_shown():
    report = training(Stack(1))
    it = report.iteration
    assert it.device_low_bytes < it.device_bytes < it.device_high_bytes
    for text in (repr(report), report._repr_html_()):
        low, high = (f"{size / 2**30:.3g} GiB" if size >= 2**30 else f"{size / 2**20:.0f} MiB"
                     for size in (it.device_low_bytes, it.device_high_bytes))
        assert f"{low} to {high}" in text


def test_devices_as_targets():
    for target, message in [(torch.device("cpu"), "not a GPU"), (3, "'target' is an int: expected the name of a GPU")]:
        with pytest.raises(gpucost.InvalidArgumentError, match=message):
            gpucost.analyze(Block(), INPUT, target=target)
    for target in (torch.device("cuda"), "cuda", "cuda:0"):
        if torch.cuda.is_available():
            continue
        with pytest.raises(gpucost.InvalidArgumentError, match="PyTorch finds none: give a name such as"):
            gpucost.analyze(Block(), INPUT, target=target)


def test_names_of_devices(monkeypatch):
    exported = gpucost.export(Block(), INPUT)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda device=None: "NVIDIA H100 80GB HBM3")
    for target in (torch.device("cuda"), "cuda:0"):
        assert gpucost.analyze(exported, target=target).target == "h100-sxm-80gb"


def test_packed_documents():
    class Attention(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = torch.nn.Linear(64, 64)

        def forward(self, x):
            y = self.linear(x).unflatten(-1, (2, 32)).transpose(1, 2)
            return torch.nn.functional.scaled_dot_product_attention(y, y, y, is_causal=True)

    def scores(**settings):
        report = gpucost.analyze(Attention(), torch.empty(3, 1024, 64), target="a100-bf16", mode="training", **settings)
        kernel, = (each for each in report.kernels if each.family == "attention" and each.phase == "forward")
        # Two products of 32 channels, of 3 sequences and 2 heads.
        return kernel.matrix_flops / (2 * 2 * 32 * 3 * 2)

    assert scores() == 1024 * 1025 / 2
    for lengths in (256, [256, 256, 256, 256], {256: 4}, "256"):
        assert scores(packed_lengths=lengths) == 4 * 256 * 257 / 2
    assert scores(packed_lengths={128: 2, 256: 1, 512: 1}) == 2 * 128 * 129 / 2 + 256 * 257 / 2 + 512 * 513 / 2
    with pytest.raises(gpucost.InvalidArgumentError, match="--packed-lengths needs --mode=training"):
        gpucost.analyze(Attention(), torch.empty(3, 1024, 64), target="a100-bf16", packed_lengths=256)
    points = gpucost.sweep(Attention(), {"packed_lengths": [128, {512: 1, 256: 2}]}, inputs=torch.empty(3, 1024, 64),
                           target="a100-bf16", mode="training")
    assert [point.settings["packed_lengths"] for point in points] == [128, {512: 1, 256: 2}]
    assert points[0].time_ms <= points[1].time_ms
