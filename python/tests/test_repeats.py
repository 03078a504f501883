# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Translating equal blocks once gives the same graph as translating the whole module."""
import gpucost
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnxscript")
onnx = pytest.importorskip("onnx")

from gpucost import _repeats, _torch  # noqa: E402

WIDTH = 64
INPUT = torch.zeros(4, 16, WIDTH)


@pytest.fixture
def exports(monkeypatch):
    """export(module, inputs): the files with equal blocks translated once and of the whole module, and the paths of the
    blocks that were copied, for each export of PyTorch."""
    copied, copy, reduced = [], _repeats.copy, _repeats.reduced

    def recorded(graph, chains, module):
        copied.append([path for chain in chains for path in chain.removed])
        copy(graph, chains, module)

    def export(module, inputs, **options):
        copied.clear()
        monkeypatch.setattr(_repeats, "copy", recorded)
        monkeypatch.setattr(_repeats, "reduced", reduced)
        once = _torch.exported(module, inputs, options)
        paths = list(copied)
        monkeypatch.setattr(_repeats, "reduced", lambda module, active=True: reduced(module, False))
        return once, _torch.exported(module, inputs, options), paths

    return export


def structure(data):
    """Nodes with names of values and scopes, tensors and outputs of a file."""
    graph = onnx.load_from_string(data).graph
    nodes = [(node.name, node.op_type, node.domain, list(node.input), list(node.output),
              sorted(each.SerializeToString() for each in node.attribute),
              [entry.value for entry in node.metadata_props if entry.key == _repeats.SCOPES]) for node in graph.node]
    return nodes, [each.SerializeToString() for each in graph.initializer], list(graph.input), list(graph.output)


def check(once, whole):
    """Equal files and reports."""
    for ours, theirs in zip(structure(once), structure(whole)):
        assert ours == theirs
    check_reports(once, whole)


def check_reports(once, whole, **settings):
    for mode in ("inference", "training"):
        ours, theirs = (gpucost.analyze(data, target="a100-bf16", mode=mode, name="net", group_by="scope", **settings)
                        for data in (once, whole))
        assert (ours.iteration, ours.kernels, ours.groups) == (theirs.iteration, theirs.kernels, theirs.groups)
        assert repr(ours.modules()) == repr(theirs.modules())


def transformer(name, **fields):
    transformers = pytest.importorskip("transformers", minversion="5")
    common = dict(vocab_size=256, hidden_size=WIDTH, intermediate_size=96, num_hidden_layers=8, num_attention_heads=4,
                  num_key_value_heads=2)
    model, config, own = {
        "llama": ("LlamaForCausalLM", "LlamaConfig", common),
        "gpt2": ("GPT2LMHeadModel", "GPT2Config", dict(n_layer=8, n_embd=WIDTH, n_head=4, vocab_size=256)),
        "bert": ("BertForMaskedLM", "BertConfig", dict(num_hidden_layers=8, hidden_size=WIDTH, num_attention_heads=4,
                                                       intermediate_size=96, vocab_size=256)),
        "qwen3-moe": ("Qwen3MoeForCausalLM", "Qwen3MoeConfig", dict(common, head_dim=16, num_experts=4, num_experts_per_tok=2,
                                                                    moe_intermediate_size=32)),
        "gemma3": ("Gemma3ForCausalLM", "Gemma3TextConfig", dict(common, head_dim=16, sliding_window=8)),
        "t5": ("T5ForConditionalGeneration", "T5Config", dict(d_model=WIDTH, num_layers=8, d_kv=16, num_heads=4, d_ff=96,
                                                              vocab_size=256)),
    }[name]
    with torch.device("meta"):
        return getattr(transformers, model)(getattr(transformers, config)(**{**own, **fields})).eval()


TOKENS = torch.zeros(2, 32, dtype=torch.long)


@pytest.mark.parametrize("name, copied", [
    ("llama", [f"model.layers.{layer}" for layer in (4, 5, 6)]),
    ("gpt2", [f"transformer.h.{layer}" for layer in (4, 5, 6)]),
    ("bert", [f"bert.encoder.layer.{layer}" for layer in (4, 5, 6)]),
    ("qwen3-moe", [f"model.layers.{layer}" for layer in (4, 5, 6)]),
    # The first layer has the positions of all.
    ("t5", [f"{part}.block.{layer}" for part in ("encoder", "decoder") for layer in (5, 6)]),
    # Layers with and without a window alternate.
    ("gemma3", []),
])
def test_transformers(exports, name, copied):
    inputs = {"input_ids": TOKENS, **({"decoder_input_ids": TOKENS[:, :16]} if name == "t5" else {})}
    once, whole, paths = exports(transformer(name), inputs)
    assert paths == [copied]
    check(once, whole)


def test_symbols(exports):
    shapes = {"input_ids": {0: "batch", 1: "sequence"}}
    once, whole, paths = exports(transformer("llama"), {"input_ids": TOKENS}, dynamic_shapes=shapes)
    assert len(paths[0]) == 3
    # PyTorch numbers the sizes at the begin after all ops.
    check_reports(once, whole, batch=3, seq=48)


class Block(torch.nn.Module):
    def __init__(self, inner=96):
        super().__init__()
        self.norm, self.up, self.down = torch.nn.LayerNorm(WIDTH), torch.nn.Linear(WIDTH, inner), torch.nn.Linear(inner, WIDTH)
        self.register_buffer("scale", torch.rand(3))

    def forward(self, x, factor=1.0):
        return x + self.down(torch.relu(self.up(self.norm(x)))) * self.scale.sum() * factor


class Stack(torch.nn.Module):
    """`run` calls the blocks."""

    def __init__(self, blocks, run=None):
        super().__init__()
        self.blocks, self.run = torch.nn.ModuleList(blocks), run

    def forward(self, x):
        if self.run is not None:
            return self.run(self.blocks, x)
        for block in self.blocks:
            x = block(x)
        return x


def test_own_modules(exports):
    once, whole, paths = exports(Stack(Block() for _ in range(9)), INPUT)
    assert paths == [[f"blocks.{index}" for index in (4, 5, 6, 7)]]
    check(once, whole)
    once, whole, paths = exports(torch.nn.Sequential(*(torch.nn.Linear(8, 8) for _ in range(8))), torch.zeros(4, 8))
    assert paths == [["4", "5", "6"]]
    check(once, whole)


def skips(blocks, x):
    early = []
    for index, block in enumerate(blocks):
        if index >= 4:
            x = x + early[7 - index]
        x = block(x)
        early.append(x)
    return x


def by_index(blocks, x):
    for index, block in enumerate(blocks):
        x = block(x, 1.0 / (index + 1))
    return x


def all_outputs(blocks, x):
    found = []
    for block in blocks:
        x = block(x)
        found.append(x)
    return tuple(found)


def work_between(blocks, x):
    for block in blocks:
        x = torch.tanh(block(x))
    return x


def twice(blocks, x):
    for block in [*blocks, *blocks]:
        x = block(x)
    return x


def in_parallel(blocks, x):
    return sum(block(x) for block in blocks)


def last_reads_first(blocks, x):
    first = x
    for index, block in enumerate(blocks):
        x = block(x if index < 7 else x + first)
    return x


@pytest.mark.parametrize("run", [skips, by_index, all_outputs, work_between, twice])
def test_no_chain(exports, run):
    once, whole, paths = exports(Stack((Block() for _ in range(8)), run), INPUT)
    assert paths == [[]]
    check(once, whole)


@pytest.mark.parametrize("run", [in_parallel, last_reads_first])
def test_other_order(exports, run):
    once, whole, paths = exports(Stack((Block() for _ in range(8)), run), INPUT)
    check(once, whole)


def test_blocks_that_differ(exports):
    tied = [Block() for _ in range(8)]
    tied[6].up.weight = tied[2].up.weight
    for blocks in ([Block(96 + 32 * (index == 4)) for index in range(8)], [Block() for _ in range(5)], tied):
        once, whole, paths = exports(Stack(blocks), INPUT)
        assert paths == [[]]
        check(once, whole)
    frozen = [Block() for _ in range(8)]
    frozen[5].up.weight.requires_grad_(False)
    assert exports(Stack(frozen), INPUT)[2] == [[]]
    # Two chains; the ninth block also reads the one before.
    once, whole, paths = exports(Stack([*(Block() for _ in range(8)), *(Block(32) for _ in range(8))]), INPUT)
    assert paths == [[f"blocks.{index}" for index in (4, 5, 6, 11, 12, 13, 14)]]
    check(once, whole)


def test_translations_that_differ(exports, monkeypatch):
    def refuse(self, *arguments):
        raise _repeats.NotEqual("block")

    monkeypatch.setattr(_repeats.Copier, "check", refuse)
    once, whole, paths = exports(Stack(Block() for _ in range(8)), INPUT)
    # The second export is of the whole module.
    assert len(paths) == 2 and paths[1] == []
    check(once, whole)
