# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Configurations of the networks, transformers with the usual names of their sizes."""

BERT_BASE = dict(
    vocab_size=30522, hidden_size=768, num_hidden_layers=12,
    num_attention_heads=12, intermediate_size=3072, hidden_act="gelu",
    hidden_dropout_prob=0.1, attention_probs_dropout_prob=0.1,
    max_position_embeddings=512, type_vocab_size=2, layer_norm_eps=1e-12,
)
BERT_LARGE = BERT_BASE | dict(
    hidden_size=1024, num_hidden_layers=24, num_attention_heads=16,
    intermediate_size=4096,
)
DISTILBERT = dict(
    vocab_size=30522, dim=768, n_layers=6, n_heads=12, hidden_dim=3072,
    activation="gelu", dropout=0.1, attention_dropout=0.1,
    max_position_embeddings=512, sinusoidal_pos_embds=False,
)
ALBERT_BASE = dict(
    vocab_size=30000, embedding_size=128, hidden_size=768,
    num_hidden_layers=12, num_hidden_groups=1, inner_group_num=1,
    num_attention_heads=12, intermediate_size=3072, hidden_act="gelu_new",
    hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0,
    max_position_embeddings=512, type_vocab_size=2, layer_norm_eps=1e-12,
)
GPT2 = dict(
    vocab_size=50257, n_positions=1024, n_embd=768, n_layer=12, n_head=12,
    n_inner=None, activation_function="gelu_new", resid_pdrop=0.1,
    embd_pdrop=0.1, attn_pdrop=0.1, layer_norm_epsilon=1e-5,
)
# The model of Megatron-LM's functional tests: exact GELU, padded vocabulary.
GPT_12X512 = GPT2 | dict(
    vocab_size=50304, n_embd=512, n_head=8, activation_function="gelu"
)
GPT2_LARGE = GPT2 | dict(n_embd=1280, n_layer=36, n_head=20)
# Two GPT-3 sizes in the form of GPT-2.  The first is not one of the
# published GPT-3 sizes but the 24 layers x 3072 used to evaluate NeuSight.
GPT3_XL = GPT2 | dict(n_positions=2048, n_embd=3072, n_layer=24, n_head=24)
GPT3_2_7B = GPT2 | dict(n_positions=2048, n_embd=2560, n_layer=32, n_head=32)
OPT_1_3B = dict(
    vocab_size=50272, hidden_size=2048, num_hidden_layers=24,
    num_attention_heads=32, ffn_dim=8192, word_embed_proj_dim=2048,
    activation_function="relu", dropout=0.1, attention_dropout=0.0,
    max_position_embeddings=2048, do_layer_norm_before=True,
    layerdrop=0.0,
)
QWEN2_1_5B = dict(
    vocab_size=151936, hidden_size=1536, num_hidden_layers=28,
    num_attention_heads=12, num_key_value_heads=2, intermediate_size=8960,
    hidden_act="silu", rms_norm_eps=1e-6, max_position_embeddings=131072,
    rope_parameters=dict(rope_type="default", rope_theta=1e6),
    attention_dropout=0.0, use_sliding_window=False,
    tie_word_embeddings=True,
)
TINYLLAMA_1_1B = dict(
    vocab_size=32000, hidden_size=2048, num_hidden_layers=22,
    num_attention_heads=32, num_key_value_heads=4, intermediate_size=5632,
    hidden_act="silu", rms_norm_eps=1e-5, max_position_embeddings=2048,
    rope_parameters=dict(rope_type="default", rope_theta=1e4),
    attention_dropout=0.0, tie_word_embeddings=False,
)
# The MPT sizes of MosaicML's training benchmarks, from
# scripts/train/yamls/pretrain/mpt-*.yaml of llm-foundry, with `attn_impl:
# flash`; the defaults are those of its MPTConfig: biases in all layers, no
# dropout, tied embeddings, learned positions. The number of positions is
# max_seq_len, 2048 in these files.
MPT_SIZES = {  # d_model, n_heads, n_layers
    "mpt-125m": (768, 12, 12),
    "mpt-350m": (1024, 16, 24),
    "mpt-760m": (1536, 12, 24),
    "mpt-1b": (2048, 16, 24),
    "mpt-3b": (2560, 20, 32),
    "mpt-7b": (4096, 32, 32),
    "mpt-13b": (5120, 40, 40),
    "mpt-30b": (7168, 56, 48),
}
LLAMA_3_8B = dict(
    vocab_size=128256, hidden_size=4096, num_hidden_layers=32,
    num_attention_heads=32, num_key_value_heads=8, intermediate_size=14336,
    hidden_act="silu", rms_norm_eps=1e-5, max_position_embeddings=8192,
    rope_parameters=dict(rope_type="default", rope_theta=5e5),
    attention_dropout=0.0, tie_word_embeddings=False,
)
T5_SMALL = dict(
    vocab_size=32128, d_model=512, d_kv=64, d_ff=2048, num_layers=6,
    num_decoder_layers=6, num_heads=8, relative_attention_num_buckets=32,
    relative_attention_max_distance=128, dropout_rate=0.1,
    layer_norm_epsilon=1e-6, feed_forward_proj="relu",
    tie_word_embeddings=True,
)
WHISPER_TINY = dict(
    vocab_size=51865, num_mel_bins=80, d_model=384, encoder_layers=4,
    decoder_layers=4, encoder_attention_heads=6, decoder_attention_heads=6,
    encoder_ffn_dim=1536, decoder_ffn_dim=1536, activation_function="gelu",
    dropout=0.0, attention_dropout=0.0, activation_dropout=0.0,
    encoder_layerdrop=0.0, decoder_layerdrop=0.0, max_source_positions=1500,
    max_target_positions=448, scale_embedding=False,
)
VIT_LARGE = dict(
    image_size=224, patch_size=16, num_channels=3, hidden_size=1024,
    num_hidden_layers=24, num_attention_heads=16, intermediate_size=4096,
    hidden_act="gelu", hidden_dropout_prob=0.0,
    attention_probs_dropout_prob=0.0, layer_norm_eps=1e-12, qkv_bias=True,
)
MOBILEVIT_SMALL = dict(
    image_size=256, patch_size=2, num_channels=3,
    hidden_sizes=[144, 192, 240],
    neck_hidden_sizes=[16, 32, 64, 96, 128, 160, 640],
    num_attention_heads=4, mlp_ratio=2.0, expand_ratio=4.0,
    hidden_act="silu", conv_kernel_size=3, output_stride=32,
    hidden_dropout_prob=0.1, attention_probs_dropout_prob=0.0,
    classifier_dropout_prob=0.1, layer_norm_eps=1e-5, qkv_bias=True,
)

# Of networks.py: channels, depths, and the rate of stochastic depth or the width of a group.
CONVNEXT_LARGE = (192, 384, 768, 1536), (3, 3, 27, 3), 0.5
REGNET_Y_128GF = (528, 1056, 2904, 7392), (2, 7, 17, 1), 264
