# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modules of the transformers package, built from configurations without weights."""
import gpucost
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnxscript")
transformers = pytest.importorskip("transformers", minversion="5")

HIDDEN, INNER, HEADS, GROUPS, SIZE, WORDS, LAYERS = 512, 1024, 8, 2, 64, 32000, 2
COMMON = dict(vocab_size=WORDS, hidden_size=HIDDEN, intermediate_size=INNER, num_hidden_layers=LAYERS,
              num_attention_heads=HEADS, num_key_value_heads=GROUPS, attn_implementation="sdpa")


def built(model, config, **fields):
    with torch.device("meta"):
        return model(config(**{**COMMON, **fields})).eval()


def llama():
    return built(transformers.LlamaForCausalLM, transformers.LlamaConfig)


def tokens(batch, length):
    return {"input_ids": torch.zeros(batch, length, dtype=torch.long)}


def attention_of(report):
    kernel, = [kernel for kernel in report.kernels if kernel.family == "attention"]
    return kernel


# Q, K, V and output projections; matrices of the MLP; for one token.
PROJECTIONS = 2 * HIDDEN * SIZE * (2 * HEADS + 2 * GROUPS)
MLP = 2 * 3 * HIDDEN * INNER
HEAD = 2 * HIDDEN * WORDS
# Both products of attention, for one pair of a query and a key.
PAIR = 4 * HEADS * SIZE


def test_causal_attention_and_grouped_heads():
    report = gpucost.analyze(llama(), tokens(2, 1024), target="h100-bf16")
    kernel = attention_of(report)
    assert "h=8/2" in kernel.shape and "causal" in kernel.shape and kernel.count == LAYERS
    # Query i attends to i keys.
    pairs = 2 * 1024 * 1025 // 2
    assert kernel.flops >= PAIR * pairs
    assert report.iteration.matrix_flops == 2 * 1024 * (LAYERS * (PROJECTIONS + MLP) + HEAD) + LAYERS * PAIR * pairs


def test_masks_of_padding():
    module, inputs = llama(), tokens(2, 256)
    mask = torch.ones(2, 256, dtype=torch.long)
    assert gpucost.analyze(module, {**inputs, "attention_mask": mask}, target="h100-bf16").iteration == \
        gpucost.analyze(module, inputs, target="h100-bf16").iteration
    mask[0, :8] = 0
    kernel = attention_of(gpucost.analyze(module, {**inputs, "attention_mask": mask}, target="h100-bf16"))
    assert "causal" not in kernel.shape and kernel.flops >= PAIR * 2 * 256 * 256


def test_positions():
    module, inputs = llama(), tokens(2, 256)
    plain = gpucost.analyze(module, inputs, target="h100-bf16").iteration
    counted = torch.arange(256)
    for positions in (counted[None], counted.repeat(2, 1)):
        assert gpucost.analyze(module, {**inputs, "position_ids": positions}, target="h100-bf16").iteration == plain
    # Packed documents have a mask, which PyTorch's kernel cannot skip.
    packed = gpucost.analyze(module, {**inputs, "position_ids": torch.arange(128).repeat(2, 2)}, target="h100-bf16")
    assert "causal" not in attention_of(packed).shape
    shapes = {name: {0: "batch", 1: "sequence"} for name in ("input_ids", "position_ids")}
    exported = gpucost.export(module, {**inputs, "position_ids": counted.repeat(2, 1)}, dynamic_shapes=shapes)
    assert gpucost.analyze(exported, target="h100-bf16", batch=2, seq=256).iteration.matrix_flops == plain.matrix_flops


class Wrapper(torch.nn.Module):
    """Hands its inputs on, as the wrappers of peft do."""

    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, input_ids=None, attention_mask=None, **others):
        return self.inner(input_ids=input_ids, attention_mask=attention_mask, **others)


def test_wrappers_that_hand_inputs_on():
    def unnamed(module):
        """All totals; tensors have the names of their modules, which wrappers change."""
        iteration = gpucost.analyze(module, tokens(2, 256), target="h100-bf16").iteration
        tensors = [(tensor.kernel, tensor.phase, tensor.bytes) for tensor in iteration.peak_tensors]
        return {**vars(iteration), "peak_tensors": tensors}

    module = llama()
    assert unnamed(Wrapper(Wrapper(module))) == unnamed(module)

    class Plain(Wrapper):
        def forward(self, x, **others):
            return torch.relu(x)

    plain = Plain(torch.nn.Linear(8, 8))
    assert gpucost.analyze(plain, torch.zeros(4, 8), target="h100-bf16").iteration.time_ms > 0


def test_adapters_of_peft():
    peft = pytest.importorskip("peft")
    config = peft.LoraConfig(r=16, target_modules=["q_proj", "v_proj"], task_type="CAUSAL_LM")
    report = gpucost.analyze(peft.get_peft_model(llama(), config), tokens(2, 256), target="h100-bf16", mode="training")
    adapters = LAYERS * 16 * (HIDDEN + HEADS * SIZE + HIDDEN + GROUPS * SIZE)
    # Two AdamW states of 4 bytes.
    assert report.iteration.optimizer_bytes == 2 * 4 * adapters
    assert "from the module: trainable=*default* (requires_grad)" in report.notes


def test_sliding_windows():
    module = built(transformers.MistralForCausalLM, transformers.MistralConfig, sliding_window=256)
    dense = 1024 * (LAYERS * (PROJECTIONS + MLP) + HEAD)
    # PyTorch's kernel gets the window as a mask, which it cannot skip.
    report = gpucost.analyze(module, tokens(1, 1024), target="h100-bf16")
    assert report.iteration.matrix_flops == dense + LAYERS * PAIR * 1024 * 1024
    # FlashAttention computes it: 1 to 256 keys, then 256.
    report = gpucost.analyze(module, tokens(1, 1024), target="h100-bf16", attention="flash")
    assert report.iteration.matrix_flops == dense + LAYERS * PAIR * (256 * 257 // 2 + 768 * 256)
    assert "window=256" in attention_of(report).shape
    # A window that covers the sequence hides nothing more.
    report = gpucost.analyze(module, tokens(1, 256), target="h100-bf16")
    assert "causal" in attention_of(report).shape and "window" not in attention_of(report).shape


def test_decode_steps():
    module = llama()
    report = gpucost.analyze(module, tokens(1, 512), target="h100-bf16", decode=True, past=1023)
    assert "h=8/2 q=1 kv=1024" in attention_of(report).shape
    assert report.iteration.matrix_flops == LAYERS * (PROJECTIONS + MLP + PAIR * 1024) + HEAD
    points = gpucost.sweep(module, {"past": [1023, 2047]}, inputs=tokens(2, 512), target="h100-bf16", decode=True)
    assert [point.report.iteration.matrix_flops for point in points] == [
        2 * (LAYERS * (PROJECTIONS + MLP + PAIR * keys) + HEAD) for keys in (1024, 2048)]
    service = gpucost.prepare_service(module, tokens(1, 512), target="h100-bf16").service("h100-bf16")
    assert 0 < service.step([(1, 1023)]).time_ms < service.step([(512, 0)]).time_ms


def test_experts():
    width, experts, chosen = 128, 16, 4
    module = built(transformers.Qwen3MoeForCausalLM, transformers.Qwen3MoeConfig, head_dim=SIZE, num_experts=experts,
                   moe_intermediate_size=width, num_experts_per_tok=chosen)
    report = gpucost.analyze(module, tokens(2, 512), target="a100-bf16")
    layer = PROJECTIONS + 2 * HIDDEN * experts + chosen * 2 * 3 * HIDDEN * width
    pairs = 2 * 512 * 513 // 2
    assert report.iteration.matrix_flops == 2 * 512 * (LAYERS * layer + HEAD) + LAYERS * PAIR * pairs
    # One product per projection, of all experts.
    grouped = [kernel.shape for kernel in report.kernels if kernel.shape.startswith(f"b={experts} ")]
    assert sorted(grouped) == ["b=16 m=256 n=256 k=512", "b=16 m=256 n=512 k=128"]


def test_decode_step_with_experts():
    width, experts, chosen = 128, 16, 4
    module = built(transformers.Qwen3MoeForCausalLM, transformers.Qwen3MoeConfig, head_dim=SIZE, num_experts=experts,
                   moe_intermediate_size=width, num_experts_per_tok=chosen)
    report = gpucost.analyze(module, tokens(2, 512), target="a100-bf16", decode=True, past=511)
    layer = PROJECTIONS + 2 * HIDDEN * experts + chosen * 2 * 3 * HIDDEN * width + PAIR * 512
    assert report.iteration.matrix_flops == 2 * (LAYERS * layer + HEAD)
    # Two tokens with four experts each read eight matrices.
    assert any(kernel.shape == "b=8 m=1 n=256 k=512" for kernel in report.kernels)


def test_experts_whose_loop_depends_on_data():
    def moe(implementation):
        return built(transformers.Qwen3MoeForCausalLM, transformers.Qwen3MoeConfig, moe_intermediate_size=256, num_experts=8,
                     num_experts_per_tok=2, experts_implementation=implementation)

    loop = moe("eager")
    report = gpucost.analyze(loop, tokens(2, 128), target="h100-bf16")
    assert report.iteration == gpucost.analyze(moe("grouped_mm"), tokens(2, 128), target="h100-bf16").iteration
    assert any(note.startswith("experts run as one grouped matmul") for note in report.notes)
    assert loop.config._experts_implementation == "eager"
