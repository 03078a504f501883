#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes decoders for serving: each file is used for prompts and for steps with a cache.

The graphs have the operators of ONNX Runtime GenAI's exports: past keys and values
are inputs, present ones are outputs, GroupQueryAttention contains the rotary
embedding, the causal mask and the sliding window, MoE contains the experts. Sizes
come from the published configurations below; nothing is downloaded. The files do
not contain weights.
Symbolic sizes are batch_size, sequence_length and past_sequence_length.
"""
import argparse
import dataclasses
import pathlib

from onnx import TensorProto, helper

BFLOAT16 = TensorProto.BFLOAT16
INT32 = TensorProto.INT32
INT64 = TensorProto.INT64


@dataclasses.dataclass(frozen=True)
class Config:
    """Sizes of a decoder, with the names of its config.json on
    huggingface.co."""

    source: str
    num_hidden_layers: int
    hidden_size: int
    num_attention_heads: int
    num_key_value_heads: int
    head_dim: int
    intermediate_size: int
    vocab_size: int
    parameters: int  # published, or the sum of the published shapes
    attention_bias: bool = False
    qk_norm: bool = False
    tied: bool = False
    sandwich_norms: bool = False  # norms before and after attention and feed-forward
    activation: str = "silu"
    sliding_window: int = 0
    sliding_window_pattern: int = 1  # every n-th layer attends to all tokens
    num_local_experts: int = 0
    num_experts_per_tok: int = 0
    positions: int = 131072  # rows of the rotary tables, which are not parameters: max_position_embeddings


LLAMA_2_70B = Config(
    "meta-llama/Llama-2-70b-hf", 80, 8192, 64, 8, 128, 28672, 32000, 68_976_648_192, positions=4096)
LLAMA_3_1_8B = Config("meta-llama/Llama-3.1-8B", 32, 4096, 32, 8, 128, 14336, 128256, 8_030_261_248)
# Llama 3.3 70B has the same sizes.
LLAMA_3_1_70B = Config("meta-llama/Llama-3.1-70B", 80, 8192, 64, 8, 128, 28672, 128256, 70_553_706_496)
LLAMA_3_1_405B = Config("meta-llama/Llama-3.1-405B", 126, 16384, 128, 8, 128, 53248, 128256, 405_853_388_800)
QWEN_2_5_14B = Config(
    "Qwen/Qwen2.5-14B", 48, 5120, 40, 8, 128, 13824, 152064, 14_770_033_664, attention_bias=True)
# YaRN serves more positions: --context=131072.
QWEN_3 = dict(qk_norm=True, positions=40960)
QWEN_3_8B = Config("Qwen/Qwen3-8B", 36, 4096, 32, 8, 128, 12288, 151936, 8_190_735_360, **QWEN_3)
QWEN_3_14B = Config("Qwen/Qwen3-14B", 40, 5120, 40, 8, 128, 17408, 151936, 14_768_307_200, **QWEN_3)
QWEN_3_32B = Config("Qwen/Qwen3-32B", 64, 5120, 64, 8, 128, 25600, 151936, 32_762_123_264, **QWEN_3)
GEMMA_3 = dict(qk_norm=True, tied=True, sandwich_norms=True, activation="gelu",
               sliding_window=1024, sliding_window_pattern=6)
# Their language models, without the image encoder.
GEMMA_3_12B = Config("google/gemma-3-12b-pt", 48, 3840, 16, 8, 256, 15360, 262208, 11_766_034_176, **GEMMA_3)
GEMMA_3_27B = Config("google/gemma-3-27b-pt", 62, 5376, 32, 16, 128, 21504, 262208, 27_009_346_304, **GEMMA_3)
MIXTRAL_8X7B = Config(
    "mistralai/Mixtral-8x7B-v0.1", 32, 4096, 32, 8, 128, 14336, 32000, 46_702_792_704,
    num_local_experts=8, num_experts_per_tok=2, positions=32768)

MODELS = {
    "llama-2-70b-decode": LLAMA_2_70B,
    "llama-3.1-8b-decode": LLAMA_3_1_8B,
    "llama-3.1-70b-decode": LLAMA_3_1_70B,
    "llama-3.1-405b-decode": LLAMA_3_1_405B,
    "qwen2.5-14b-decode": QWEN_2_5_14B,
    "qwen3-8b-decode": QWEN_3_8B,
    "qwen3-14b-decode": QWEN_3_14B,
    "qwen3-32b-decode": QWEN_3_32B,
    "gemma-3-12b-decode": GEMMA_3_12B,
    "gemma-3-27b-decode": GEMMA_3_27B,
    "mixtral-8x7b-decode": MIXTRAL_8X7B,
}


class Decoder:
    """The graph of one configuration, node by node."""

    def __init__(self, name, config):
        self.name, self.config = name, config
        self.nodes, self.weights, self.inputs, self.outputs = [], [], [], []
        self.bytes = self.parameters = 0

    def weight(self, name, *shape, counts=True):
        """A parameter without values: external data that is never written."""
        size = 2
        for dim in shape:
            size *= dim
        tensor = TensorProto(name=name, data_type=BFLOAT16, dims=shape,
                             data_location=TensorProto.EXTERNAL)
        for key, value in (("location", f"{self.name}.weights"), ("offset", self.bytes), ("length", size)):
            tensor.external_data.add(key=key, value=str(value))
        self.weights.append(tensor)
        self.bytes += size
        self.parameters += size // 2 if counts else 0
        return name

    def constant(self, name, kind, *values, scalar=False):
        self.weights.append(helper.make_tensor(name, kind, [] if scalar else [len(values)], values))
        return name

    def node(self, op, inputs, output, domain="", more=(), **attributes):
        self.nodes.append(helper.make_node(op, inputs, [output, *more], domain=domain, **attributes))
        return output

    def norm(self, x, name, size):
        return self.node("RMSNormalization", [x, self.weight(name + ".weight", size)], name, epsilon=1e-5)

    def linear(self, x, name, inner, outer, bias=False):
        if not bias:
            return self.node("MatMul", [x, self.weight(name + ".weight", inner, outer)], name)
        product = self.node("MatMul", [x, self.weight(name + ".weight", inner, outer)], name + ".mm")
        return self.node("Add", [product, self.weight(name + ".bias", outer)], name)

    def head_norm(self, x, name, heads):
        """RMS normalization of every head."""
        split = self.node("Reshape", [x, f"heads{heads}"], name + ".4d")
        normed = self.norm(split, name + "_norm", self.config.head_dim)
        return self.node("Reshape", [normed, "rows"], name + ".3d")

    def attention(self, x, layer, index):
        c = self.config
        size, kv = c.num_attention_heads * c.head_dim, c.num_key_value_heads * c.head_dim
        query = self.linear(x, layer + "q", c.hidden_size, size, c.attention_bias)
        key = self.linear(x, layer + "k", c.hidden_size, kv, c.attention_bias)
        value = self.linear(x, layer + "v", c.hidden_size, kv, c.attention_bias)
        if c.qk_norm:
            query = self.head_norm(query, layer + "q", c.num_attention_heads)
            key = self.head_norm(key, layer + "k", c.num_key_value_heads)
        past = [f"past_key_values.{index}.{part}" for part in ("key", "value")]
        present = [f"present.{index}.{part}" for part in ("key", "value")]
        for names, length, group in ((past, "past_sequence_length", self.inputs),
                                     (present, "total_sequence_length", self.outputs)):
            group += [helper.make_tensor_value_info(
                name, BFLOAT16, ["batch_size", c.num_key_value_heads, length, c.head_dim]) for name in names]
        window = {}
        if c.sliding_window and (index + 1) % c.sliding_window_pattern:
            window["local_window_size"] = c.sliding_window
        mixed = self.node(
            "GroupQueryAttention", [query, key, value, *past, "seqlens_k", "total_length", "cos", "sin"],
            layer + "attention", "com.microsoft", present, num_heads=c.num_attention_heads,
            kv_num_heads=c.num_key_value_heads, do_rotary=1, **window)
        return self.linear(mixed, layer + "o", size, c.hidden_size)

    def feed_forward(self, x, layer):
        c = self.config
        gate = self.linear(x, layer + "gate", c.hidden_size, c.intermediate_size)
        up = self.linear(x, layer + "up", c.hidden_size, c.intermediate_size)
        if c.activation == "gelu":
            active = self.node("Gelu", [gate], layer + "gelu", approximate="tanh")
        else:
            active = self.node("Swish", [gate], layer + "silu")
        product = self.node("Mul", [active, up], layer + "mul")
        return self.linear(product, layer + "down", c.intermediate_size, c.hidden_size)

    def experts(self, x, layer):
        """The router and the experts, whose gate, up and down weights are fc1, fc3 and fc2."""
        c, n = self.config, self.config.num_local_experts
        scores = self.linear(x, layer + "router", c.hidden_size, n)
        rows = self.node("Reshape", [scores, "router_rows"], layer + "router_rows")
        fc1, fc2, fc3 = (self.weight(layer + f"fc{i}.weight", n, *shape) for i, shape in (
            (1, (c.hidden_size, c.intermediate_size)), (2, (c.intermediate_size, c.hidden_size)),
            (3, (c.hidden_size, c.intermediate_size))))
        return self.node("MoE", [x, rows, fc1, "", fc2, "", fc3], layer + "experts", "com.microsoft",
                         activation_type="silu", k=c.num_experts_per_tok, normalize_routing_weights=1)

    def layer(self, x, index):
        c, name = self.config, f"l{index}."
        after = (lambda y, norm: self.norm(y, name + norm, c.hidden_size)) if c.sandwich_norms else lambda y, _: y
        mixed = self.attention(self.norm(x, name + "n1", c.hidden_size), name, index)
        x = self.node("Add", [x, after(mixed, "n1b")], name + "r1")
        normed = self.norm(x, name + "n2", c.hidden_size)
        hidden = self.experts(normed, name) if c.num_local_experts else self.feed_forward(normed, name)
        return self.node("Add", [x, after(hidden, "n2b")], name + "r2")

    def graph(self):
        c = self.config
        self.inputs += [
            helper.make_tensor_value_info("input_ids", INT64, ["batch_size", "sequence_length"]),
            helper.make_tensor_value_info("seqlens_k", INT32, ["batch_size"]),
            helper.make_tensor_value_info("total_length", INT32, [])]
        for name in ("cos", "sin"):
            self.weight(name, c.positions, c.head_dim // 2, counts=False)
        if c.qk_norm:
            for heads in sorted({c.num_attention_heads, c.num_key_value_heads}):
                self.constant(f"heads{heads}", INT64, 0, 0, heads, c.head_dim)
            self.constant("rows", INT64, 0, 0, -1)
        if c.num_local_experts:
            self.constant("router_rows", INT64, -1, c.num_local_experts)
        x = self.node("Gather", [self.weight("embed", c.vocab_size, c.hidden_size), "input_ids"], "x")
        if c.sandwich_norms:
            scale = self.constant("embed_scale", BFLOAT16, c.hidden_size ** 0.5, scalar=True)
            x = self.node("Mul", [x, scale], "x_scaled")
        for index in range(c.num_hidden_layers):
            x = self.layer(x, index)
        x = self.norm(x, "norm", c.hidden_size)
        self.outputs.insert(0, helper.make_tensor_value_info(
            "logits", BFLOAT16, ["batch_size", "sequence_length", c.vocab_size]))
        if c.tied:
            self.node("MatMul", [x, self.node("Transpose", ["embed"], "embed_t", perm=[1, 0])], "logits")
        else:
            self.node("MatMul", [x, self.weight("lm_head", c.hidden_size, c.vocab_size)], "logits")
        if self.parameters != c.parameters:
            raise SystemExit(f"{self.name}: {self.parameters:,} parameters, published {c.parameters:,}")
        return helper.make_graph(self.nodes, self.name, self.inputs, self.outputs, self.weights)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", nargs="+", metavar="NAME", choices=MODELS, default=list(MODELS))
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent, metavar="DIR",
                        help="where to write the files (default: next to this script)")
    parser.add_argument("--context", type=int, metavar="N",
                        help="rows of the rotary tables, the longest sequence that a file serves "
                             "(default: as published)")
    arguments = parser.parse_args()
    if arguments.context is not None and arguments.context < 1:
        parser.error(f"--context expects a positive number of tokens, but got {arguments.context}")
    arguments.out.mkdir(parents=True, exist_ok=True)
    for name in arguments.only:
        config = MODELS[name]
        if arguments.context:
            config = dataclasses.replace(config, positions=arguments.context)
        model = helper.make_model(
            Decoder(name, config).graph(), producer_name="export_decoders.py", ir_version=11,
            opset_imports=[helper.make_opsetid("", 24), helper.make_opsetid("com.microsoft", 1)])
        path = arguments.out / f"{name}.onnx"
        path.write_bytes(model.SerializeToString(deterministic=True))
        print(f"{path.name}: {path.stat().st_size / 1024:.0f} KiB")


if __name__ == "__main__":
    main()
