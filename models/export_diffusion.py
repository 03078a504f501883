# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the networks of image and video pipelines of diffusers as ONNX files without weights, on the meta device.

  export_diffusion.py FOLDER [NAME...]

It also writes the pipeline files that call them (docs/Generation.md). A transformer is written as one of its blocks, `copies` of
which a pipeline calls in turn: the blocks of a model differ in nothing that costs time. Configurations are those that the models publish. Cross-attention
to text is exported without the padding mask.
"""
import collections
import functools
import json
import pathlib
import sys
import warnings

import torch

import gpucost

BATCH, TOKENS = torch.export.Dim("batch", min=2, max=512), torch.export.Dim("sequence", min=64, max=131072)
BF16 = torch.bfloat16


def zeros(*shape, dtype=BF16):
    return torch.zeros(*shape, dtype=dtype)


def batched(inputs, **tokens):
    """dynamic_shapes: all first dimensions are the batch; `tokens` are further named dimensions."""
    return {name: {0: BATCH, **tokens.get(name, {})} if isinstance(value, torch.Tensor)
            else type(value)({} for _ in value) if isinstance(value, (tuple, list)) else None
            for name, value in inputs.items()}


def only_hidden(inputs, tokens=None):
    shapes = {name: {} if isinstance(value, torch.Tensor) else None for name, value in inputs.items()}
    return {**shapes, "hidden_states": {0: BATCH, **({1: tokens} if tokens else {})}}


class Decoder(torch.nn.Module):
    def __init__(self, vae):
        super().__init__()
        self.vae = vae

    def forward(self, z):
        return self.vae.decode(z, return_dict=False)[0]


class PlainDecoder(torch.nn.Module):
    """The decoder without the loop over frames."""

    def __init__(self, vae):
        super().__init__()
        self.decoder = vae.decoder

    def forward(self, z):
        result = self.decoder(z)
        return result[0] if isinstance(result, tuple) else result


class FrameDecoder(torch.nn.Module):
    """One latent frame of Wan's decoder, with the features of the last two as inputs."""

    def __init__(self, vae):
        super().__init__()
        self.decoder = vae.decoder

    def forward(self, z, features):
        return self.decoder(z, feat_cache=list(features), feat_idx=[0])


class TextEncoder(torch.nn.Module):
    """An encoder that takes token ids only: forward functions with keyword arguments differ between releases."""

    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder

    def forward(self, input_ids):
        return self.encoder(input_ids=input_ids).last_hidden_state


class SameBatch(torch.nn.Module):
    """A block whose other inputs are one sample, repeated for those of the hidden states: the exporter does not prove that
    two inputs have the same batch where a block reshapes them."""

    def __init__(self, block):
        super().__init__()
        self.block = block

    def forward(self, hidden_states, encoder_hidden_states, timestep, height=None, width=None):
        batch = hidden_states.shape[0]
        sizes = {} if height is None else {"height": height, "width": width}
        return self.block(hidden_states, encoder_hidden_states=encoder_hidden_states.expand(batch, -1, -1),
                          timestep=timestep.expand(batch, -1), **sizes)


def sd3_block(heads, dual):
    from diffusers.models.attention import JointTransformerBlock
    dim = heads * 64
    inputs = dict(hidden_states=zeros(2, 4096, dim), encoder_hidden_states=zeros(2, 333, dim), temb=zeros(2, dim))
    module = JointTransformerBlock(dim, heads, 64, qk_norm="rms_norm", use_dual_attention=dual)
    return module, inputs, batched(inputs, hidden_states={1: TOKENS})


def pixart_block():
    from diffusers.models.attention import BasicTransformerBlock
    inputs = dict(hidden_states=zeros(2, 4096, 1152), encoder_hidden_states=zeros(1, 300, 1152),
                  timestep=zeros(1, 6 * 1152))
    module = BasicTransformerBlock(1152, 16, 72, cross_attention_dim=1152, activation_fn="gelu-approximate",
                                   attention_bias=True, norm_type="ada_norm_single", norm_elementwise_affine=False,
                                   norm_eps=1e-6, num_embeds_ada_norm=1000)
    return SameBatch(module), inputs, only_hidden(inputs, TOKENS)


def hunyuan_block(skip):
    from diffusers.models.transformers.hunyuan_transformer_2d import HunyuanDiTBlock
    dim = 1408
    inputs = dict(hidden_states=zeros(2, 4096, dim), encoder_hidden_states=zeros(2, 333, 1024), temb=zeros(2, dim),
                  image_rotary_emb=(zeros(4096, 88, dtype=torch.float32), zeros(4096, 88, dtype=torch.float32)))
    if skip:
        inputs["skip"] = zeros(2, 4096, dim)
    shapes = batched(inputs, hidden_states={1: TOKENS}, skip={1: TOKENS})
    shapes["image_rotary_emb"] = ({0: TOKENS}, {0: TOKENS})
    module = HunyuanDiTBlock(dim, 16, cross_attention_dim=1024, activation_fn="gelu-approximate", ff_inner_dim=6144,
                             qk_norm=True, skip=skip)
    return module, inputs, shapes


def sana_block(gpus):
    from diffusers.models.transformers.sana_transformer import SanaTransformerBlock
    height = 32 // gpus
    inputs = dict(hidden_states=zeros(2, height * 32, 2240), encoder_hidden_states=zeros(1, 300, 2240),
                  timestep=zeros(1, 6 * 2240), height=height, width=32)
    module = SanaTransformerBlock(2240, 70, 32, num_cross_attention_heads=20, cross_attention_head_dim=112,
                                  cross_attention_dim=2240, attention_bias=False, mlp_ratio=2.5,
                                  qk_norm="rms_norm_across_heads")
    return SameBatch(module), inputs, only_hidden(inputs)


def wan_block(heads, ffn):
    from diffusers.models.transformers.transformer_wan import WanTransformerBlock
    dim, tokens = heads * 128, 32760
    inputs = dict(hidden_states=zeros(2, tokens, dim), encoder_hidden_states=zeros(2, 512, dim), temb=zeros(2, 6, dim),
                  rotary_emb=(zeros(1, tokens, 1, 128, dtype=torch.float32), zeros(1, tokens, 1, 128, dtype=torch.float32)))
    shapes = batched(inputs, hidden_states={1: TOKENS})
    shapes["rotary_emb"] = ({1: TOKENS}, {1: TOKENS})
    return WanTransformerBlock(dim, ffn, heads, "rms_norm_across_heads", True, 1e-6), inputs, shapes


def cogvideo_block(gpus):
    from diffusers.models.transformers.cogvideox_transformer_3d import CogVideoXBlock
    inputs = dict(hidden_states=zeros(2, 17550, 1920), encoder_hidden_states=zeros(2, 226 // gpus, 1920), temb=zeros(2, 512))
    return CogVideoXBlock(1920, 30, 64, 512, attention_bias=True), inputs, batched(inputs, hidden_states={1: TOKENS})


class FluxBlock(torch.nn.Module):
    """With the rotary embeddings of text and image as separate inputs."""

    def __init__(self, block):
        super().__init__()
        self.block = block

    def forward(self, hidden_states, encoder_hidden_states, temb, text_rotary, image_rotary):
        rotary = tuple(torch.cat(pair) for pair in zip(text_rotary, image_rotary))
        return self.block(hidden_states, encoder_hidden_states=encoder_hidden_states, temb=temb, image_rotary_emb=rotary)


def flux_block(kind, gpus):
    from diffusers.models.transformers import transformer_flux
    dim, text_tokens = 3072, 512 // gpus
    angles = [tuple(zeros(tokens, 128, dtype=torch.float32) for _ in range(2)) for tokens in (text_tokens, 4096)]
    inputs = dict(hidden_states=zeros(2, 4096, dim), encoder_hidden_states=zeros(2, text_tokens, dim), temb=zeros(2, dim),
                  text_rotary=angles[0], image_rotary=angles[1])
    shapes = batched(inputs, hidden_states={1: TOKENS})
    shapes["image_rotary"] = ({0: TOKENS}, {0: TOKENS})
    return FluxBlock(getattr(transformer_flux, f"Flux{kind}TransformerBlock")(dim, 24, 128)), inputs, shapes


def hunyuan_video_block(kind):
    """With a text of 32 tokens: xDiT computes no more than the longest prompt."""
    from diffusers.models.transformers import transformer_hunyuan_video
    tokens = 33 * 45 * 80
    inputs = dict(hidden_states=zeros(2, tokens, 3072), encoder_hidden_states=zeros(2, 32, 3072), temb=zeros(2, 3072),
                  attention_mask=None, **{"freqs_cis" if kind == "" else "image_rotary_emb":
                                          tuple(zeros(tokens, 128, dtype=torch.float32) for _ in range(2))})
    shapes = batched(inputs, hidden_states={1: TOKENS})
    shapes["freqs_cis" if kind == "" else "image_rotary_emb"] = ({0: TOKENS}, {0: TOKENS})
    block = getattr(transformer_hunyuan_video, f"HunyuanVideo{kind}TransformerBlock")
    return block(24, 128, mlp_ratio=4), inputs, shapes


def t5(name, length, **fields):
    import transformers
    config = getattr(transformers, name + "Config")(**fields)
    inputs = dict(input_ids=torch.zeros(2, length, dtype=torch.long))
    return TextEncoder(getattr(transformers, name + "EncoderModel")(config)), inputs, batched(inputs)


T5_XXL = dict(vocab_size=32128, d_model=4096, d_kv=64, d_ff=10240, num_layers=24, num_heads=64,
              feed_forward_proj="gated-gelu")


def clip(**fields):
    import transformers
    inputs = dict(input_ids=torch.zeros(2, 77, dtype=torch.long))
    return transformers.CLIPTextModelWithProjection(transformers.CLIPTextConfig(**fields)), inputs, batched(inputs)


def bert():
    import transformers
    inputs = dict(input_ids=torch.zeros(2, 77, dtype=torch.long))
    return transformers.BertModel(transformers.BertConfig(vocab_size=47020, hidden_size=1024, num_hidden_layers=24,
        num_attention_heads=16, intermediate_size=4096)), inputs, batched(inputs)


def gemma():
    import transformers
    inputs = dict(input_ids=torch.zeros(2, 300, dtype=torch.long))
    config = transformers.Gemma2Config(vocab_size=256000, hidden_size=2304, intermediate_size=9216,
        num_hidden_layers=26, num_attention_heads=8, num_key_value_heads=4, head_dim=256)
    return transformers.Gemma2Model(config), inputs, batched(inputs)


def llama():
    import transformers
    inputs = dict(input_ids=torch.zeros(2, 351, dtype=torch.long))
    config = transformers.LlamaConfig(vocab_size=128320, hidden_size=4096, intermediate_size=14336, num_hidden_layers=32,
        num_attention_heads=32, num_key_value_heads=8)
    return transformers.LlamaModel(config), inputs, batched(inputs)


def image_vae(channels):
    from diffusers import AutoencoderKL
    vae = AutoencoderKL(latent_channels=channels, block_out_channels=(128, 256, 512, 512), layers_per_block=2,
                        down_block_types=("DownEncoderBlock2D",) * 4, up_block_types=("UpDecoderBlock2D",) * 4,
                        use_quant_conv=channels == 4, use_post_quant_conv=channels == 4)
    inputs = dict(z=zeros(2, channels, 128, 128))
    return Decoder(vae), inputs, batched(inputs)


def sana_vae():
    from diffusers import AutoencoderDC
    kinds = ("ResBlock",) * 3 + ("EfficientViTBlock",) * 3
    vae = AutoencoderDC(encoder_block_types=kinds, decoder_block_types=kinds, upsample_block_type="interpolate",
                        downsample_block_type="conv")
    inputs = dict(z=zeros(2, 32, 32, 32))
    return Decoder(vae), inputs, batched(inputs)


def wan_vae(height, width):
    from diffusers import AutoencoderKLWan
    vae = AutoencoderKLWan().to(BF16)
    z = zeros(1, 16, 1, height, width)
    with torch.no_grad():
        vae.clear_cache()
        for first in (True, False):
            vae._conv_idx = [0]
            vae.decoder(z, feat_cache=vae._feat_map, feat_idx=vae._conv_idx, first_chunk=first)
    features = [each if isinstance(each, torch.Tensor) else zeros(1, 1) for each in vae._feat_map]
    return FrameDecoder(vae), dict(z=z, features=features), None


def cogvideo_vae(frames, height, width):
    from diffusers import AutoencoderKLCogVideoX
    vae = AutoencoderKLCogVideoX(down_block_types=("CogVideoXDownBlock3D",) * 4,
        up_block_types=("CogVideoXUpBlock3D",) * 4, block_out_channels=(128, 256, 256, 512), latent_channels=16,
        layers_per_block=3, temporal_compression_ratio=4)
    inputs = dict(z=zeros(1, 16, frames, height, width))
    return PlainDecoder(vae), inputs, None


def hunyuan_video_vae(frames, height, width):
    from diffusers import AutoencoderKLHunyuanVideo
    return PlainDecoder(AutoencoderKLHunyuanVideo()), dict(z=zeros(1, 16, frames, height, width)), None


def tiles(length, tile, stride):
    """Lengths of the tiles of a VAE, each with their number."""
    return collections.Counter(min(tile, length - start) for start in range(0, length, stride)).items()


# Tiles of latents that the decoders of diffusers use after enable_tiling(): number, height and width.
WAN_TILES, COGVIDEO_TILES, HUNYUAN_TILES = (
    [(rows * columns, height, width) for height, rows in tiles(*vertical) for width, columns in tiles(*horizontal)]
    for vertical, horizontal in (((60, 32, 24), (104, 32, 24)), ((60, 30, 25), (90, 45, 36)), ((90, 32, 24), (160, 32, 24))))
HUNYUAN_FRAMES = tiles(33, 5, 3)


# Name: a function that returns the module, its inputs and its dynamic shapes.
NETWORKS = {
    "pixart-block": pixart_block,
    "sd3-block-24": lambda: sd3_block(24, False),
    "sd3-block-24-dual": lambda: sd3_block(24, True),
    "sd3-block-38": lambda: sd3_block(38, False),
    "wan-block-12": lambda: wan_block(12, 8960),
    "wan-block-40": lambda: wan_block(40, 13824),
    "hunyuan-block": lambda: hunyuan_block(False),
    "hunyuan-block-skip": lambda: hunyuan_block(True),
    **{f"cogvideo-block-x{gpus}": functools.partial(cogvideo_block, gpus) for gpus in (1, 2)},
    **{f"flux-{kind.lower() or 'double'}-block-x{gpus}": functools.partial(flux_block, kind, gpus)
       for kind in ("", "Single") for gpus in (1, 2, 4, 8)},
    "hunyuan-video-block": lambda: hunyuan_video_block(""),
    "hunyuan-video-single-block": lambda: hunyuan_video_block("Single"),
    "sana-block-x1": lambda: sana_block(1),
    "sana-block-x2": lambda: sana_block(2),
    "sana-block-x4": lambda: sana_block(4),
    "sana-block-x8": lambda: sana_block(8),
    "vae-16": lambda: image_vae(16),
    "vae-4": lambda: image_vae(4),
    "sana-vae": sana_vae,
    **{f"wan-vae-{h}x{w}": functools.partial(wan_vae, h, w) for _, h, w in WAN_TILES},
    **{f"cogvideo-vae-{frames}x{h}x{w}": functools.partial(cogvideo_vae, frames, h, w)
       for frames in (2, 3) for _, h, w in COGVIDEO_TILES},
    **{f"hunyuan-video-vae-{frames}x{h}x{w}": functools.partial(hunyuan_video_vae, frames, h, w)
       for frames, _ in HUNYUAN_FRAMES for _, h, w in HUNYUAN_TILES},
    "clip-l": lambda: clip(hidden_size=768, intermediate_size=3072, num_hidden_layers=12, num_attention_heads=12, projection_dim=768),
    "clip-g": lambda: clip(hidden_size=1280, intermediate_size=5120, num_hidden_layers=32, num_attention_heads=20,
                           projection_dim=1280, hidden_act="gelu"),
    "bert-77": bert,
    "t5-xxl-256": lambda: t5("T5", 256, **T5_XXL),
    "t5-xxl-300": lambda: t5("T5", 300, **T5_XXL),
    "t5-xxl-226": lambda: t5("T5", 226, **T5_XXL),
    "umt5-xxl-512": lambda: t5("UMT5", 512, **{**T5_XXL, "vocab_size": 256384}),
    "mt5-xl-256": lambda: t5("MT5", 256, vocab_size=250112, d_model=2048, d_kv=64, d_ff=5120, num_layers=24, num_heads=32,
                             feed_forward_proj="gated-gelu"),
    "gemma-2-2b-300": gemma,
    "t5-xxl-512": lambda: t5("T5", 512, **T5_XXL),
    "llama-3-8b-351": llama,
}


def text(name, graph, **more):
    return {"name": name, "graph": f"{graph}.onnx", "guided": True, **more}


def blocks(graph, copies, tokens=None, name="transformer", **more):
    shared = {} if tokens is None else {"tokens": tokens}
    return {"name": name, "graph": f"{graph}.onnx", "per": "step", "copies": copies, **shared, **({"guided": True} | more)}


def decoder(graph, **more):
    return {"name": "VAE decoder", "graph": f"{graph}.onnx", "gpus": "one", **more}


# Time of one core of a current server for converting a million values to bytes of an image with PIL (post-processing of diffusers).
MS_OF_VALUES = 8


def to_images(pixels):
    return {"name": "conversion to images", "host_ms": MS_OF_VALUES * 3 * pixels / 1e6, "outputs_per_call": 1}


def image(steps, *networks, guidance=2):
    return {"output": "image", "steps": steps, "guidance": guidance, "networks": [*networks, to_images(1024 * 1024)]}


def video(pixels, *networks, guidance=2):
    return {"output": "video", "steps": 50, "guidance": guidance, "networks": [*networks, to_images(pixels)]}


# The pipeline of Wan calls the transformer once with the prompt and once without it. xDiT replaces its attention only, so all GPUs decode.
WAN = {"guided": False, "calls": 2, "attention": "usp"}
WAN_PIXELS, COGVIDEO_PIXELS, HUNYUAN_PIXELS = 81 * 480 * 832, 49 * 480 * 720, 129 * 720 * 1280
HUNYUAN_DECODER = [decoder(f"hunyuan-video-vae-{frames}x{h}x{w}", calls=number * count, outputs_per_call=1, gpus="all")
                   for frames, number in HUNYUAN_FRAMES for count, h, w in HUNYUAN_TILES]
WAN_DECODER = [decoder(f"wan-vae-{h}x{w}", calls=21 * count, outputs_per_call=1, gpus="all") for count, h, w in WAN_TILES]
# 13 frames of latents, three in the first call and two in the others.
COGVIDEO_DECODER = [decoder(f"cogvideo-vae-{frames}x{h}x{w}", calls=calls * count, outputs_per_call=1)
                    for frames, calls in ((3, 1), (2, 5)) for count, h, w in COGVIDEO_TILES]
SD3_TEXT = (text("T5", "t5-xxl-256"), text("CLIP L", "clip-l"), text("CLIP G", "clip-g"))
PIPELINES = {
    "stable-diffusion-3.5-medium": image(28, *SD3_TEXT, blocks("sd3-block-24", 11, 4096),
        blocks("sd3-block-24-dual", 13, 4096, "transformer, two attentions"), decoder("vae-16")),
    "stable-diffusion-3.5-large": image(28, *SD3_TEXT, blocks("sd3-block-38", 38, 4096), decoder("vae-16")),
    "pixart-sigma": image(20, text("T5", "t5-xxl-300"), blocks("pixart-block", 28, 4096), decoder("vae-4")),
    "hunyuan-dit": image(50, text("BERT", "bert-77"), text("mT5", "mt5-xl-256"), blocks("hunyuan-block", 21, 4096),
        blocks("hunyuan-block-skip", 19, 4096, "transformer, skip"), decoder("vae-4")),
    "sana-1.6b": image(20, text("Gemma 2", "gemma-2-2b-300"), blocks("sana-block-x{gpus}", 20), decoder("sana-vae")),
    "sana-4.8b": image(20, text("Gemma 2", "gemma-2-2b-300"), blocks("sana-block-x{gpus}", 60), decoder("sana-vae")),
    "wan-2.1-1.3b": video(WAN_PIXELS, text("UMT5", "umt5-xxl-512"), blocks("wan-block-12", 30, 32760, **WAN), *WAN_DECODER),
    "wan-2.1-14b": video(WAN_PIXELS, text("UMT5", "umt5-xxl-512"), blocks("wan-block-40", 40, 32760, **WAN), *WAN_DECODER),
    "flux.1-dev": image(50, text("T5", "t5-xxl-512"), text("CLIP L", "clip-l"),
        blocks("flux-double-block-x{gpus}", 19, 4096, attention="usp"),
        blocks("flux-single-block-x{gpus}", 38, 4096, "transformer, single", attention="usp"), decoder("vae-16"), guidance=1),
    "hunyuan-video": video(HUNYUAN_PIXELS, text("Llama 3", "llama-3-8b-351"), text("CLIP L", "clip-l"),
        blocks("hunyuan-video-block", 20, 118800, attention="usp"),
        blocks("hunyuan-video-single-block", 40, 118800, "transformer, single", attention="usp"), *HUNYUAN_DECODER, guidance=1),
    "cogvideox-2b": video(COGVIDEO_PIXELS, text("T5", "t5-xxl-226"), blocks("cogvideo-block-x{gpus}", 30, 17550, attention="usp"),
        *COGVIDEO_DECODER),
}


def write(name, path):
    with torch.device("meta"):
        module, inputs, shapes = NETWORKS[name]()
    options = {} if shapes is None else {"dynamic_shapes": shapes}
    gpucost.export(module.to(BF16).eval(), inputs, **options).save(path)


def main():
    folder, *names = sys.argv[1:]
    warnings.filterwarnings("ignore")
    torch.set_num_threads(1)
    failed = False
    for name in names or NETWORKS:
        path = pathlib.Path(folder) / f"{name}.onnx"
        if path.exists():
            continue
        try:
            write(name, path)
            print(f"{name}: {path.stat().st_size >> 10} KiB", flush=True)
        except Exception as error:
            failed = True
            print(f"{name}: {type(error).__name__}: {str(error)[:700]}", file=sys.stderr, flush=True)
    for name, pipeline in PIPELINES.items():
        (pathlib.Path(folder) / f"{name}.json").write_text(json.dumps(pipeline, indent=2))
    return failed


if __name__ == "__main__":
    sys.exit(main())
