# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole networks of the door test, built from configurations with random weights: the list of architectures.

Widths are those of a published model of the family where memory allows it; depth and vocabulary are reduced, with at
least one layer of each kind. `build(name)` returns the module and its named inputs on the current default device.
"""
import importlib

WORDS = 32000


def tokens(batch=2, length=512, **more):
    def make(torch):
        ids = {"input_ids": torch.zeros(batch, length, dtype=torch.long)}
        return {**ids, **{name: torch.zeros(*shape, dtype=torch.long) for name, shape in more.items()}}
    return make


def images(batch=8, size=224, name="pixel_values"):
    return lambda torch: {name: torch.zeros(batch, 3, size, size)}


def tensors(**shapes):
    """Float tensors; a shape that begins with "long" is of indices."""
    def make(torch):
        return {name: torch.zeros(*shape[1:], dtype=torch.long) if shape[:1] == ("long",) else torch.zeros(*shape)
                for name, shape in shapes.items()}
    return make


class Network:
    """A class of transformers, diffusers or torchvision and its configuration."""

    def __init__(self, group, name, inputs, package="transformers", config=None, **fields):
        self.group, self.name, self.inputs, self.package, self.config, self.fields = \
            group, name, inputs, package, config, fields

    def module(self, attention):
        package = importlib.import_module("torchvision.models" if self.package == "torchvision" else self.package)
        if self.package == "torchvision":
            return getattr(package, self.name)(weights=None, **self.fields)
        if self.package == "diffusers":
            return getattr(package, self.name)(**self.fields)
        chosen = {"attn_implementation": attention} if attention else {}
        return getattr(package, self.name)(getattr(package, self.config)(**self.fields, **chosen))


DECODER = dict(vocab_size=WORDS, hidden_size=2048, intermediate_size=8192, num_hidden_layers=2, num_attention_heads=32,
               num_key_value_heads=8)
EXPERTS = dict(vocab_size=WORDS, hidden_size=2048, num_hidden_layers=2, num_attention_heads=32, num_key_value_heads=4)
SPECIAL = dict(pad_token_id=0, bos_token_id=1, eos_token_id=2)
MLA = dict(vocab_size=WORDS, hidden_size=2048, intermediate_size=8192, moe_intermediate_size=1024, num_hidden_layers=2,
           first_k_dense_replace=1, num_attention_heads=16, num_key_value_heads=16, n_routed_experts=32,
           num_experts_per_tok=4, n_shared_experts=1, n_group=4, topk_group=2, kv_lora_rank=512, q_lora_rank=1536,
           qk_rope_head_dim=64, qk_nope_head_dim=128, v_head_dim=128)

NETWORKS = {
    # Dense decoders: full, windowed and mixed attention, with and without biases and norms of queries and keys.
    "llama": Network("dense", "LlamaForCausalLM", tokens(), config="LlamaConfig", **DECODER),
    "qwen3": Network("dense", "Qwen3ForCausalLM", tokens(), config="Qwen3Config", head_dim=128, **DECODER),
    "gemma3": Network("dense", "Gemma3ForCausalLM", tokens(), config="Gemma3TextConfig", vocab_size=WORDS, hidden_size=1152,
                      intermediate_size=6912, num_hidden_layers=6, num_attention_heads=4, num_key_value_heads=1, head_dim=256,
                      sliding_window=256),
    "mistral": Network("dense", "MistralForCausalLM", tokens(), config="MistralConfig", sliding_window=256, **DECODER),
    "phi3": Network("dense", "Phi3ForCausalLM", tokens(), config="Phi3Config", **{**DECODER, "hidden_size": 3072,
                    "num_key_value_heads": 32}, **SPECIAL),
    "olmo2": Network("dense", "Olmo2ForCausalLM", tokens(), config="Olmo2Config", **DECODER),
    "smollm3": Network("dense", "SmolLM3ForCausalLM", tokens(), config="SmolLM3Config", **{**DECODER, "num_hidden_layers": 4,
                       "num_attention_heads": 16, "num_key_value_heads": 4}, **SPECIAL),
    "gpt2": Network("dense", "GPT2LMHeadModel", tokens(), config="GPT2Config", vocab_size=WORDS, n_embd=768, n_layer=2,
                    n_head=12),
    "cohere2": Network("dense", "Cohere2ForCausalLM", tokens(), config="Cohere2Config", **{**DECODER, "num_hidden_layers": 4},
                       sliding_window=256, **SPECIAL),
    "gemma3n": Network("dense", "Gemma3nForCausalLM", tokens(), config="Gemma3nTextConfig", **{**DECODER, "hidden_size": 1024,
                       "intermediate_size": 2816, "num_hidden_layers": 5, "num_attention_heads": 16, "num_key_value_heads": 4},
                       head_dim=64, num_kv_shared_layers=0, sliding_window=256),
    # Mixtures of experts.
    "qwen3-moe": Network("moe", "Qwen3MoeForCausalLM", tokens(), config="Qwen3MoeConfig", moe_intermediate_size=768, head_dim=128,
                         num_experts=32, num_experts_per_tok=8, **EXPERTS),
    "mixtral": Network("moe", "MixtralForCausalLM", tokens(), config="MixtralConfig", intermediate_size=4096,
                       num_local_experts=8, num_experts_per_tok=2, **EXPERTS),
    "gpt-oss": Network("moe", "GptOssForCausalLM", tokens(), config="GptOssConfig", intermediate_size=1440, head_dim=64,
                       num_local_experts=16, num_experts_per_tok=4, sliding_window=128, **EXPERTS),
    "olmoe": Network("moe", "OlmoeForCausalLM", tokens(), config="OlmoeConfig", intermediate_size=1024, num_experts=16,
                     num_experts_per_tok=4, **{**EXPERTS, "num_attention_heads": 16, "num_key_value_heads": 16}),
    "glm4-moe": Network("moe", "Glm4MoeForCausalLM", tokens(), config="Glm4MoeConfig", intermediate_size=8192,
                        moe_intermediate_size=1024, n_routed_experts=16, num_experts_per_tok=4, n_shared_experts=1,
                        first_k_dense_replace=1, head_dim=128, **EXPERTS),
    "granite-moe": Network("moe", "GraniteMoeForCausalLM", tokens(), config="GraniteMoeConfig", intermediate_size=512,
                           num_local_experts=16, num_experts_per_tok=4, **EXPERTS, **SPECIAL),
    # Latent attention.
    "deepseek-v2": Network("mla", "DeepseekV2ForCausalLM", tokens(), config="DeepseekV2Config",
                           **{**MLA, "topk_method": "greedy"}),
    "deepseek-v3": Network("mla", "DeepseekV3ForCausalLM", tokens(), config="DeepseekV3Config", **MLA),
    "deepseek-v3-2": Network("mla", "DeepseekV32ForCausalLM", tokens(), config="DeepseekV32Config", **MLA),
    # State spaces and their hybrids with attention.
    "mamba": Network("state space", "MambaForCausalLM", tokens(2, 64), config="MambaConfig", vocab_size=WORDS, hidden_size=768,
                     num_hidden_layers=2, state_size=16),
    "mamba2": Network("state space", "Mamba2ForCausalLM", tokens(2, 256), config="Mamba2Config", vocab_size=WORDS,
                      hidden_size=1024, num_hidden_layers=2, num_heads=32, head_dim=64, state_size=128, n_groups=1,
                      chunk_size=64),
    "falcon-h1": Network("state space", "FalconH1ForCausalLM", tokens(2, 256), config="FalconH1Config", vocab_size=WORDS,
                         hidden_size=1024, intermediate_size=2048, num_hidden_layers=2, num_attention_heads=8,
                         num_key_value_heads=2, head_dim=128, mamba_d_ssm=1536, mamba_n_heads=24, mamba_d_head=64,
                         mamba_d_state=128, mamba_chunk_size=64),
    "qwen3-next": Network("state space", "Qwen3NextForCausalLM", tokens(2, 256), config="Qwen3NextConfig", vocab_size=WORDS,
                          hidden_size=2048, num_hidden_layers=4, num_experts=16, num_experts_per_tok=4),
    "recurrent-gemma": Network("state space", "RecurrentGemmaForCausalLM", tokens(2, 256), config="RecurrentGemmaConfig",
                               vocab_size=WORDS, hidden_size=1024, intermediate_size=6144, num_hidden_layers=3,
                               num_attention_heads=8, lru_width=1024, attention_window_size=128),
    "nemotron-h": Network("state space", "NemotronHForCausalLM", tokens(2, 256), config="NemotronHConfig", **{**DECODER,
                          "hidden_size": 1024, "intermediate_size": 2816}),
    "kimi-linear": Network("state space", "KimiLinearForCausalLM", tokens(2, 256), config="KimiLinearConfig", **{**DECODER,
                           "hidden_size": 1024, "intermediate_size": 2816, "num_hidden_layers": 4, "num_attention_heads": 16,
                           "num_key_value_heads": 16}, linear_num_heads=16,
                           layer_types=["linear_attention"] * 3 + ["full_attention"], **SPECIAL),
    # Encoders and encoder-decoders.
    "bert": Network("encoder", "BertForMaskedLM", tokens(8), config="BertConfig", num_hidden_layers=2, vocab_size=WORDS),
    "modernbert": Network("encoder", "ModernBertForMaskedLM", tokens(8), config="ModernBertConfig", num_hidden_layers=3,
                          vocab_size=WORDS, cls_token_id=1, sep_token_id=1, **SPECIAL),
    "deberta-v2": Network("encoder", "DebertaV2ForMaskedLM", tokens(4), config="DebertaV2Config", num_hidden_layers=2,
                          vocab_size=WORDS, hidden_size=768, num_attention_heads=12, intermediate_size=3072,
                          relative_attention=True, pos_att_type=["p2c", "c2p"], position_buckets=256),
    "t5": Network("encoder-decoder", "T5ForConditionalGeneration", tokens(4, decoder_input_ids=(4, 128)), config="T5Config",
                  vocab_size=WORDS, d_model=768, d_kv=64, d_ff=2048, num_layers=2, num_heads=12, feed_forward_proj="gated-gelu"),
    "bart": Network("encoder-decoder", "BartForConditionalGeneration", tokens(4, decoder_input_ids=(4, 128)),
                    config="BartConfig", vocab_size=WORDS, encoder_layers=2, decoder_layers=2),
    "whisper": Network("encoder-decoder", "WhisperForConditionalGeneration",
                       tensors(input_features=(4, 80, 3000), decoder_input_ids=("long", 4, 128)), config="WhisperConfig",
                       d_model=768, encoder_layers=2, decoder_layers=2, encoder_attention_heads=12, decoder_attention_heads=12,
                       encoder_ffn_dim=3072, decoder_ffn_dim=3072),
    "wav2vec2": Network("encoder", "Wav2Vec2Model", tensors(input_values=(4, 64000)), config="Wav2Vec2Config",
                        num_hidden_layers=2),
    "conformer": Network("encoder", "Wav2Vec2ConformerModel", tensors(input_values=(4, 64000)), config="Wav2Vec2ConformerConfig",
                         num_hidden_layers=2),
    # Vision.
    "vit": Network("vision", "vit_b_16", images(name="x"), "torchvision"),
    "swin-v2": Network("vision", "swin_v2_t", images(size=256, name="x"), "torchvision"),
    "resnet50": Network("vision", "resnet50", images(name="x"), "torchvision"),
    "mobilenet-v3": Network("vision", "mobilenet_v3_large", images(name="x"), "torchvision"),
    "efficientnet-v2": Network("vision", "efficientnet_v2_s", images(name="x"), "torchvision"),
    "convnext-v2": Network("vision", "ConvNextV2ForImageClassification", images(), config="ConvNextV2Config"),
    "dinov3": Network("vision", "DINOv3ViTModel", images(), config="DINOv3ViTConfig", hidden_size=768, intermediate_size=3072,
                      num_hidden_layers=2, num_attention_heads=12),
    "siglip": Network("vision", "SiglipVisionModel", images(), config="SiglipVisionConfig", num_hidden_layers=2),
    "segformer": Network("vision", "SegformerForSemanticSegmentation", images(2, 512), config="SegformerConfig"),
    "detr": Network("vision", "DetrForObjectDetection", images(2, 512), config="DetrConfig", encoder_layers=2, decoder_layers=2,
                    use_timm_backbone=False, backbone_config={"model_type": "resnet", "out_features": ["stage4"]}),
    "regnet": Network("vision", "regnet_y_1_6gf", images(name="x"), "torchvision"),
    "sam": Network("vision", "SamVisionModel", images(1, 1024), config="SamVisionConfig", num_hidden_layers=3,
                   global_attn_indexes=[2]),
    "qwen3-vl": Network("vision", "Qwen3VLForConditionalGeneration", tokens(), config="Qwen3VLConfig",
                        text_config={**DECODER, "head_dim": 64}, vision_config={"depth": 2, "deepstack_visual_indexes": [0, 1],
                                                                                "out_hidden_size": 2048}),
    # Diffusion.
    "unet": Network("diffusion", "UNet2DConditionModel", tensors(sample=(2, 4, 64, 64), timestep=("long", 2),
                    encoder_hidden_states=(2, 77, 768)), "diffusers", sample_size=64, cross_attention_dim=768,
                    block_out_channels=(320, 640), layers_per_block=1, down_block_types=("CrossAttnDownBlock2D", "DownBlock2D"),
                    up_block_types=("UpBlock2D", "CrossAttnUpBlock2D")),
    "vae": Network("diffusion", "AutoencoderKL", tensors(sample=(1, 3, 256, 256)), "diffusers",
                   block_out_channels=(128, 256), layers_per_block=1, latent_channels=4,
                   down_block_types=("DownEncoderBlock2D",) * 2, up_block_types=("UpDecoderBlock2D",) * 2),
    "dit": Network("diffusion", "DiTTransformer2DModel", tensors(hidden_states=(2, 4, 32, 32), timestep=("long", 2),
                   class_labels=("long", 2)), "diffusers", num_layers=2, sample_size=32),
    "sd3": Network("diffusion", "SD3Transformer2DModel", tensors(hidden_states=(2, 16, 64, 64),
                   encoder_hidden_states=(2, 154, 4096), pooled_projections=(2, 2048), timestep=("long", 2)), "diffusers",
                   sample_size=64, num_layers=2, num_attention_heads=24, caption_projection_dim=1536),
    "flux": Network("diffusion", "FluxTransformer2DModel", tensors(hidden_states=(1, 1024, 64),
                    encoder_hidden_states=(1, 512, 4096), pooled_projections=(1, 768), timestep=(1,), img_ids=(1024, 3),
                    txt_ids=(512, 3), guidance=(1,)), "diffusers", num_layers=1, num_single_layers=1, guidance_embeds=True),
    "wan": Network("diffusion", "WanTransformer3DModel", tensors(hidden_states=(1, 16, 5, 32, 32), timestep=("long", 1),
                   encoder_hidden_states=(1, 512, 4096)), "diffusers", num_layers=2, num_attention_heads=12,
                   attention_head_dim=128, ffn_dim=8960),
    "qwen-image": Network("diffusion", "QwenImageTransformer2DModel", tensors(hidden_states=(1, 1024, 64),
                          encoder_hidden_states=(1, 256, 3584), timestep=(1,)), "diffusers", num_layers=16, num_attention_heads=8),
    "sana": Network("diffusion", "SanaTransformer2DModel", tensors(hidden_states=(2, 32, 32, 32),
                    encoder_hidden_states=(2, 300, 2304), timestep=("long", 2)), "diffusers", num_layers=2),
    "ltx": Network("diffusion", "LTXVideoTransformer3DModel", tensors(hidden_states=(1, 1024, 128),
                   encoder_hidden_states=(1, 128, 4096), timestep=(1,), encoder_attention_mask=("long", 1, 128)), "diffusers",
                   num_layers=2),
}


def build(name, attention=None):
    """(module in eval mode, named inputs); `attention` of transformers, whose default is SDPA where a model has it."""
    import torch
    network = NETWORKS[name]
    inputs = dict(network.inputs(torch))
    if name == "qwen-image":
        inputs.update(encoder_hidden_states_mask=torch.ones(1, 256, dtype=torch.bool), img_shapes=[[(1, 32, 32)]])
    if name == "ltx":
        inputs.update(num_frames=4, height=16, width=16)
    return network.module(attention).eval(), inputs
