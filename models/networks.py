# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models that are not in transformers, for export_models.py.

They run the same computation as the cited definitions, as far as it takes time:
the same layers with the same sizes in the same order.
"""

import math
from collections import OrderedDict

import torch
from torch import nn
from torch.nn import functional

class SqueezeExcitation(nn.Module):
    """Scales every channel by a gate computed from all channel averages."""

    def __init__(self, channels, squeezed, activation):
        super().__init__()
        self.squeeze = nn.Linear(channels, squeezed)
        self.expand = nn.Linear(squeezed, channels)
        self.activation = activation
        self.sigmoid = nn.Sigmoid()

    def forward(self, x):
        gate = self.activation(self.squeeze(torch.mean(x, (2, 3))))
        return x * self.sigmoid(self.expand(gate)).unsqueeze(2).unsqueeze(3)


# ---------------------------------------------------------------------------
# ResNet v1.5: the stride is in the 3x3 convolution. Module names, and therefore
# parameter names, follow torchvision. ResNeXt and SE-ResNeXt follow NVIDIA's
# DeepLearningExamples (PyTorch/Classification/ConvNets), where every block
# squeezes to 16 channels, independent of its width.
# ---------------------------------------------------------------------------


class Bottleneck(nn.Module):
    def __init__(self, channels_in, width, channels_out, stride, groups, squeezed):
        super().__init__()
        self.conv1 = nn.Conv2d(channels_in, width, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(
            width, width, 3, stride, padding=1, groups=groups, bias=False
        )
        self.bn2 = nn.BatchNorm2d(width)
        self.conv3 = nn.Conv2d(width, channels_out, 1, bias=False)
        self.bn3 = nn.BatchNorm2d(channels_out)
        self.relu = nn.ReLU(inplace=True)
        self.squeeze = None
        if squeezed:
            self.squeeze = SqueezeExcitation(
                channels_out, squeezed, nn.ReLU(inplace=True)
            )
        self.downsample = None
        if stride != 1 or channels_in != channels_out:
            self.downsample = nn.Sequential(
                nn.Conv2d(channels_in, channels_out, 1, stride, bias=False),
                nn.BatchNorm2d(channels_out),
            )

    def forward(self, x):
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.relu(self.bn2(self.conv2(out)))
        out = self.bn3(self.conv3(out))
        if self.squeeze is not None:
            out = self.squeeze(out)
        out += x if self.downsample is None else self.downsample(x)
        return self.relu(out)


class ResNet(nn.Module):
    def __init__(self, blocks_per_stage, width=64, groups=1, squeezed=0,
                 classes=1000):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 64, 7, 2, padding=3, bias=False)
        self.bn1 = nn.BatchNorm2d(64)
        self.relu = nn.ReLU(inplace=True)
        self.maxpool = nn.MaxPool2d(3, 2, padding=1)
        channels = 64
        for stage, blocks in enumerate(blocks_per_stage):
            channels_out = 256 << stage
            layers = []
            for block in range(blocks):
                stride = 2 if stage > 0 and block == 0 else 1
                layers.append(Bottleneck(
                    channels, width << stage, channels_out, stride, groups, squeezed
                ))
                channels = channels_out
            setattr(self, f"layer{stage + 1}", nn.Sequential(*layers))
        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.fc = nn.Linear(channels, classes)

    def forward(self, x):
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(torch.flatten(self.avgpool(x), 1))


# ---------------------------------------------------------------------------
# EfficientNet as in NVIDIA's DeepLearningExamples
# (PyTorch/Classification/ConvNets), with the same module names. The "widese" form
# squeezes to a quarter of the expanded channels instead of a quarter of the
# channels that the block reads. The B4 in that repository scales the branch of a
# block by a random 0 or 1 in training (survival_prob=0.8); here it is always 1.
# ---------------------------------------------------------------------------


def conv_bn(channels_in, channels_out, size, stride=1, groups=1, activation=True):
    layers = OrderedDict(
        conv=nn.Conv2d(
            channels_in, channels_out, size, stride, padding=size // 2,
            groups=groups, bias=False,
        ),
        bn=nn.BatchNorm2d(channels_out, eps=1e-3),
    )
    if activation:
        layers["act"] = nn.SiLU(inplace=True)
    return nn.Sequential(layers)


class MbConv(nn.Module):
    def __init__(self, channels_in, channels_out, size, stride, expansion, wide):
        super().__init__()
        hidden = channels_in * expansion
        squeezed = (hidden if wide else channels_in) // 4
        self.expand = None
        if expansion > 1:
            self.expand = conv_bn(channels_in, hidden, 1)
        self.depsep = conv_bn(hidden, hidden, size, stride, groups=hidden)
        self.se = SqueezeExcitation(hidden, squeezed, nn.SiLU(inplace=True))
        self.proj = conv_bn(hidden, channels_out, 1, activation=False)
        self.residual = stride == 1 and channels_in == channels_out

    def forward(self, x):
        out = x if self.expand is None else self.expand(x)
        out = self.proj(self.se(self.depsep(out)))
        return x + out if self.residual else out


class EfficientNet(nn.Module):
    # Every stage of B0: kernel size, stride, blocks, expansion, channels.
    STAGES = (
        (3, 1, 1, 1, 16), (3, 2, 2, 6, 24), (5, 2, 2, 6, 40), (3, 2, 3, 6, 80),
        (5, 1, 3, 6, 112), (5, 2, 4, 6, 192), (3, 1, 1, 6, 320),
    )

    def __init__(self, width=1.0, depth=1.0, dropout=0.2, wide=False, classes=1000):
        super().__init__()

        def scaled(channels):
            """A multiple of 8 that is at most 10 % below the requested number."""
            channels *= width
            rounded = max(8, int(channels + 4) // 8 * 8)
            return rounded + 8 if rounded < 0.9 * channels else rounded

        channels = scaled(32)
        self.stem = conv_bn(3, channels, 3, 2)
        stages = []
        for size, stride, blocks, expansion, channels_out in self.STAGES:
            stage = OrderedDict()
            for block in range(math.ceil(blocks * depth)):
                stage[f"block{block}"] = MbConv(
                    channels, scaled(channels_out), size,
                    stride if block == 0 else 1, expansion, wide,
                )
                channels = scaled(channels_out)
            stages.append(nn.Sequential(stage))
        self.layers = nn.Sequential(*stages)
        self.features = conv_bn(channels, scaled(1280), 1)
        self.classifier = nn.Sequential(OrderedDict(
            pooling=nn.AdaptiveAvgPool2d(1),
            squeeze=nn.Flatten(),
            dropout=nn.Dropout(dropout),
            fc=nn.Linear(scaled(1280), classes),
        ))

    def forward(self, x):
        return self.classifier(self.features(self.layers(self.stem(x))))


# ---------------------------------------------------------------------------
# VGG-16 without batch normalization, with torchvision's structure and names.
# ---------------------------------------------------------------------------


class Vgg16(nn.Module):
    CONVOLUTIONS = ((64, 64), (128, 128), (256,) * 3, (512,) * 3, (512,) * 3)

    def __init__(self, classes=1000):
        super().__init__()
        layers, channels = [], 3
        for stage in self.CONVOLUTIONS:
            for channels_out in stage:
                layers.append(nn.Conv2d(channels, channels_out, 3, padding=1))
                layers.append(nn.ReLU(inplace=True))
                channels = channels_out
            layers.append(nn.MaxPool2d(2, 2))
        self.features = nn.Sequential(*layers)
        # torchvision pools to 7x7 here, which is already the size for 224x224
        # images.
        self.classifier = nn.Sequential(
            nn.Linear(512 * 7 * 7, 4096), nn.ReLU(inplace=True), nn.Dropout(),
            nn.Linear(4096, 4096), nn.ReLU(inplace=True), nn.Dropout(),
            nn.Linear(4096, classes),
        )

    def forward(self, x):
        return self.classifier(torch.flatten(self.features(x), 1))


# ---------------------------------------------------------------------------
# Inception v3 with the auxiliary classifier for training, with torchvision's
# structure and names.
# ---------------------------------------------------------------------------


class BasicConv2d(nn.Module):
    def __init__(self, channels_in, channels_out, size, **more):
        super().__init__()
        self.conv = nn.Conv2d(channels_in, channels_out, size, bias=False, **more)
        self.bn = nn.BatchNorm2d(channels_out, eps=0.001)

    def forward(self, x):
        return functional.relu(self.bn(self.conv(x)), inplace=True)


def same(channels_in, channels_out, size):
    """A convolution that preserves the image size."""
    sizes = (size, size) if isinstance(size, int) else size
    return BasicConv2d(
        channels_in, channels_out, size, padding=tuple(s // 2 for s in sizes)
    )


class InceptionA(nn.Module):
    def __init__(self, channels, pooled):
        super().__init__()
        self.branch1x1 = same(channels, 64, 1)
        self.branch5x5_1 = same(channels, 48, 1)
        self.branch5x5_2 = same(48, 64, 5)
        self.branch3x3dbl_1 = same(channels, 64, 1)
        self.branch3x3dbl_2 = same(64, 96, 3)
        self.branch3x3dbl_3 = same(96, 96, 3)
        self.branch_pool = same(channels, pooled, 1)

    def forward(self, x):
        return torch.cat([
            self.branch1x1(x),
            self.branch5x5_2(self.branch5x5_1(x)),
            self.branch3x3dbl_3(self.branch3x3dbl_2(self.branch3x3dbl_1(x))),
            self.branch_pool(functional.avg_pool2d(x, 3, 1, padding=1)),
        ], 1)


class InceptionB(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.branch3x3 = BasicConv2d(channels, 384, 3, stride=2)
        self.branch3x3dbl_1 = same(channels, 64, 1)
        self.branch3x3dbl_2 = same(64, 96, 3)
        self.branch3x3dbl_3 = BasicConv2d(96, 96, 3, stride=2)

    def forward(self, x):
        return torch.cat([
            self.branch3x3(x),
            self.branch3x3dbl_3(self.branch3x3dbl_2(self.branch3x3dbl_1(x))),
            functional.max_pool2d(x, 3, 2),
        ], 1)


class InceptionC(nn.Module):
    def __init__(self, channels, width):
        super().__init__()
        self.branch1x1 = same(channels, 192, 1)
        self.branch7x7_1 = same(channels, width, 1)
        self.branch7x7_2 = same(width, width, (1, 7))
        self.branch7x7_3 = same(width, 192, (7, 1))
        self.branch7x7dbl_1 = same(channels, width, 1)
        self.branch7x7dbl_2 = same(width, width, (7, 1))
        self.branch7x7dbl_3 = same(width, width, (1, 7))
        self.branch7x7dbl_4 = same(width, width, (7, 1))
        self.branch7x7dbl_5 = same(width, 192, (1, 7))
        self.branch_pool = same(channels, 192, 1)

    def forward(self, x):
        double = self.branch7x7dbl_2(self.branch7x7dbl_1(x))
        double = self.branch7x7dbl_4(self.branch7x7dbl_3(double))
        return torch.cat([
            self.branch1x1(x),
            self.branch7x7_3(self.branch7x7_2(self.branch7x7_1(x))),
            self.branch7x7dbl_5(double),
            self.branch_pool(functional.avg_pool2d(x, 3, 1, padding=1)),
        ], 1)


class InceptionD(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.branch3x3_1 = same(channels, 192, 1)
        self.branch3x3_2 = BasicConv2d(192, 320, 3, stride=2)
        self.branch7x7x3_1 = same(channels, 192, 1)
        self.branch7x7x3_2 = same(192, 192, (1, 7))
        self.branch7x7x3_3 = same(192, 192, (7, 1))
        self.branch7x7x3_4 = BasicConv2d(192, 192, 3, stride=2)

    def forward(self, x):
        seven = self.branch7x7x3_2(self.branch7x7x3_1(x))
        return torch.cat([
            self.branch3x3_2(self.branch3x3_1(x)),
            self.branch7x7x3_4(self.branch7x7x3_3(seven)),
            functional.max_pool2d(x, 3, 2),
        ], 1)


class InceptionE(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.branch1x1 = same(channels, 320, 1)
        self.branch3x3_1 = same(channels, 384, 1)
        self.branch3x3_2a = same(384, 384, (1, 3))
        self.branch3x3_2b = same(384, 384, (3, 1))
        self.branch3x3dbl_1 = same(channels, 448, 1)
        self.branch3x3dbl_2 = same(448, 384, 3)
        self.branch3x3dbl_3a = same(384, 384, (1, 3))
        self.branch3x3dbl_3b = same(384, 384, (3, 1))
        self.branch_pool = same(channels, 192, 1)

    def forward(self, x):
        single = self.branch3x3_1(x)
        double = self.branch3x3dbl_2(self.branch3x3dbl_1(x))
        return torch.cat([
            self.branch1x1(x),
            torch.cat([self.branch3x3_2a(single), self.branch3x3_2b(single)], 1),
            torch.cat([self.branch3x3dbl_3a(double), self.branch3x3dbl_3b(double)], 1),
            self.branch_pool(functional.avg_pool2d(x, 3, 1, padding=1)),
        ], 1)


class InceptionAux(nn.Module):
    def __init__(self, channels, classes):
        super().__init__()
        self.conv0 = same(channels, 128, 1)
        self.conv1 = BasicConv2d(128, 768, 5)
        self.fc = nn.Linear(768, classes)

    def forward(self, x):
        x = self.conv1(self.conv0(functional.avg_pool2d(x, 5, 3)))
        return self.fc(torch.flatten(functional.adaptive_avg_pool2d(x, 1), 1))


class InceptionV3(nn.Module):
    def __init__(self, classes=1000):
        super().__init__()
        self.Conv2d_1a_3x3 = BasicConv2d(3, 32, 3, stride=2)
        self.Conv2d_2a_3x3 = BasicConv2d(32, 32, 3)
        self.Conv2d_2b_3x3 = same(32, 64, 3)
        self.maxpool1 = nn.MaxPool2d(3, 2)
        self.Conv2d_3b_1x1 = same(64, 80, 1)
        self.Conv2d_4a_3x3 = BasicConv2d(80, 192, 3)
        self.maxpool2 = nn.MaxPool2d(3, 2)
        self.Mixed_5b = InceptionA(192, 32)
        self.Mixed_5c = InceptionA(256, 64)
        self.Mixed_5d = InceptionA(288, 64)
        self.Mixed_6a = InceptionB(288)
        self.Mixed_6b = InceptionC(768, 128)
        self.Mixed_6c = InceptionC(768, 160)
        self.Mixed_6d = InceptionC(768, 160)
        self.Mixed_6e = InceptionC(768, 192)
        self.AuxLogits = InceptionAux(768, classes)
        self.Mixed_7a = InceptionD(768)
        self.Mixed_7b = InceptionE(1280)
        self.Mixed_7c = InceptionE(2048)
        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.dropout = nn.Dropout()
        self.fc = nn.Linear(2048, classes)

    def forward(self, x):
        x = self.Conv2d_2b_3x3(self.Conv2d_2a_3x3(self.Conv2d_1a_3x3(x)))
        x = self.Conv2d_4a_3x3(self.Conv2d_3b_1x1(self.maxpool1(x)))
        x = self.Mixed_5d(self.Mixed_5c(self.Mixed_5b(self.maxpool2(x))))
        x = self.Mixed_6c(self.Mixed_6b(self.Mixed_6a(x)))
        x = self.Mixed_6e(self.Mixed_6d(x))
        auxiliary = self.AuxLogits(x)
        x = self.Mixed_7c(self.Mixed_7b(self.Mixed_7a(x)))
        x = self.dropout(torch.flatten(self.avgpool(x), 1))
        return self.fc(x), auxiliary


# ---------------------------------------------------------------------------
# U-Net of Ronneberger, Fischer and Brox (2015): 64 to 1024 channels, dropout at
# the end of the contracting path. With padding, as is common today; the original
# has no padding, reads 572x572 and outputs 388x388.
# ---------------------------------------------------------------------------


class DoubleConv(nn.Sequential):
    def __init__(self, channels_in, channels_out):
        super().__init__(
            nn.Conv2d(channels_in, channels_out, 3, padding=1),
            nn.ReLU(inplace=True),
            nn.Conv2d(channels_out, channels_out, 3, padding=1),
            nn.ReLU(inplace=True),
        )


class UNet(nn.Module):
    WIDTHS = (64, 128, 256, 512, 1024)

    def __init__(self, channels=1, classes=2):
        super().__init__()
        widths = self.WIDTHS
        self.down = nn.ModuleList(map(DoubleConv, (channels, *widths), widths))
        self.maxpool = nn.MaxPool2d(2, 2)
        self.dropout = nn.Dropout()
        self.upconv = nn.ModuleList(
            nn.ConvTranspose2d(2 * width, width, 2, 2) for width in widths[-2::-1]
        )
        self.up = nn.ModuleList(
            DoubleConv(2 * width, width) for width in widths[-2::-1]
        )
        self.out = nn.Conv2d(widths[0], classes, 1)

    def forward(self, x):
        skipped = []
        for level, block in enumerate(self.down):
            x = block(self.maxpool(x) if level > 0 else x)
            if level >= len(self.down) - 2:
                x = self.dropout(x)
            skipped.append(x)
        skipped.pop()
        for upconv, block in zip(self.upconv, self.up):
            x = block(torch.cat([skipped.pop(), upconv(x)], 1))
        return self.out(x)


# ---------------------------------------------------------------------------
# MPT as trained from scratch by MosaicML's llm-foundry: GPT with one matmul for
# queries, keys and values, and fused causal attention. The class MptForCausalLM
# of transformers is the released MPT-7B instead, which has ALiBi and no biases.
# Module names follow llm-foundry.
# ---------------------------------------------------------------------------


class MptAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.Wqkv = nn.Linear(d_model, 3 * d_model)
        self.out_proj = nn.Linear(d_model, d_model)

    def forward(self, x):
        query, key, value = (
            part.unflatten(2, (self.n_heads, -1)).transpose(1, 2)
            for part in self.Wqkv(x).chunk(3, dim=2)
        )
        out = functional.scaled_dot_product_attention(
            query, key, value, is_causal=True
        )
        return self.out_proj(out.transpose(1, 2).flatten(2))


class MptMlp(nn.Module):
    def __init__(self, d_model, expansion_ratio):
        super().__init__()
        self.up_proj = nn.Linear(d_model, expansion_ratio * d_model)
        self.act = nn.GELU()
        self.down_proj = nn.Linear(expansion_ratio * d_model, d_model)

    def forward(self, x):
        return self.down_proj(self.act(self.up_proj(x)))


class MptBlock(nn.Module):
    def __init__(self, d_model, n_heads, expansion_ratio):
        super().__init__()
        self.norm_1 = nn.LayerNorm(d_model)
        self.attn = MptAttention(d_model, n_heads)
        self.norm_2 = nn.LayerNorm(d_model)
        self.ffn = MptMlp(d_model, expansion_ratio)

    def forward(self, x):
        x = x + self.attn(self.norm_1(x))
        return x + self.ffn(self.norm_2(x))


class MptDecoder(nn.Module):
    def __init__(self, d_model, n_heads, n_layers, expansion_ratio, max_seq_len,
                 vocab_size):
        super().__init__()
        self.wte = nn.Embedding(vocab_size, d_model)
        self.wpe = nn.Embedding(max_seq_len, d_model)
        self.blocks = nn.Sequential(*(
            MptBlock(d_model, n_heads, expansion_ratio) for _ in range(n_layers)
        ))
        self.norm_f = nn.LayerNorm(d_model)

    def forward(self, input_ids):
        positions = torch.arange(input_ids.shape[1]).unsqueeze(0)
        x = self.wte(input_ids) + self.wpe(positions)
        return self.norm_f(self.blocks(x))


class Mpt(nn.Module):
    def __init__(self, d_model, n_heads, n_layers, expansion_ratio=4,
                 max_seq_len=2048, vocab_size=50368):
        super().__init__()
        self.transformer = MptDecoder(
            d_model, n_heads, n_layers, expansion_ratio, max_seq_len, vocab_size
        )

    def forward(self, input_ids):
        x = self.transformer(input_ids)
        return functional.linear(x, self.transformer.wte.weight)


# ---------------------------------------------------------------------------
# GPT as in Megatron-LM with unfused attention: the sequence precedes the batch,
# so that heads are views of the projection, and batch and heads are one
# dimension. Scaling, causal mask and softmax are one kernel there and a softmax
# here; the mask is not written.
# ---------------------------------------------------------------------------


class MegatronAttention(nn.Module):
    def __init__(self, hidden, heads, drop):
        super().__init__()
        self.heads = heads
        self.linear_qkv = nn.Linear(hidden, 3 * hidden)
        self.dropout = nn.Dropout(drop)
        self.linear_proj = nn.Linear(hidden, hidden)

    def forward(self, x):
        size = x.shape[-1] // self.heads
        # [sequence, batch, heads, 3 * size]: all of Q, K and V are views.
        mixed = self.linear_qkv(x).unflatten(2, (self.heads, 3 * size))
        query, key, value = (
            part.flatten(1, 2).transpose(0, 1)
            for part in mixed.split(size, dim=3)
        )
        scores = torch.bmm(query, key.transpose(1, 2))
        out = torch.bmm(self.dropout(scores.softmax(-1)), value)
        out = out.transpose(0, 1).reshape(x.shape)
        return self.linear_proj(out)


class MegatronBlock(nn.Module):
    def __init__(self, hidden, heads, drop):
        super().__init__()
        self.input_layernorm = nn.LayerNorm(hidden)
        self.self_attention = MegatronAttention(hidden, heads, drop)
        self.pre_mlp_layernorm = nn.LayerNorm(hidden)
        self.linear_fc1 = nn.Linear(hidden, 4 * hidden)
        self.linear_fc2 = nn.Linear(4 * hidden, hidden)
        self.dropout = nn.Dropout(drop)

    def forward(self, x):
        x = x + self.dropout(self.self_attention(self.input_layernorm(x)))
        out = functional.gelu(self.linear_fc1(self.pre_mlp_layernorm(x)))
        return x + self.dropout(self.linear_fc2(out))


class MegatronGpt(nn.Module):
    def __init__(self, layers, hidden, heads, vocabulary, positions, drop=0.1):
        super().__init__()
        self.word_embeddings = nn.Embedding(vocabulary, hidden)
        self.position_embeddings = nn.Embedding(positions, hidden)
        self.dropout = nn.Dropout(drop)
        self.layers = nn.ModuleList(
            MegatronBlock(hidden, heads, drop) for _ in range(layers)
        )
        self.final_layernorm = nn.LayerNorm(hidden)

    def forward(self, input_ids):
        positions = torch.arange(input_ids.shape[1], device=input_ids.device)
        x = self.word_embeddings(input_ids) + self.position_embeddings(positions)
        x = self.dropout(x.transpose(0, 1).contiguous())
        for layer in self.layers:
            x = layer(x)
        x = self.final_layernorm(x)
        return functional.linear(x, self.word_embeddings.weight)


# ---------------------------------------------------------------------------
# The two halves of DCGAN for 64x64 images, as in pytorch/examples.
# ---------------------------------------------------------------------------


class DcganGenerator(nn.Module):
    def __init__(self, nz=100, ngf=64, nc=3):
        super().__init__()
        layers, channels = [], nz
        for channels_out in (8 * ngf, 4 * ngf, 2 * ngf, ngf):
            stride, padding = (2, 1) if layers else (1, 0)
            layers += [
                nn.ConvTranspose2d(
                    channels, channels_out, 4, stride, padding, bias=False
                ),
                nn.BatchNorm2d(channels_out),
                nn.ReLU(True),
            ]
            channels = channels_out
        layers += [
            nn.ConvTranspose2d(channels, nc, 4, 2, 1, bias=False), nn.Tanh()
        ]
        self.main = nn.Sequential(*layers)

    def forward(self, z):
        return self.main(z)


class DcganDiscriminator(nn.Module):
    def __init__(self, ndf=64, nc=3):
        super().__init__()
        layers, channels = [], nc
        for channels_out in (ndf, 2 * ndf, 4 * ndf, 8 * ndf):
            layers.append(nn.Conv2d(channels, channels_out, 4, 2, 1, bias=False))
            if channels > nc:
                layers.append(nn.BatchNorm2d(channels_out))
            layers.append(nn.LeakyReLU(0.2, inplace=True))
            channels = channels_out
        layers += [nn.Conv2d(channels, 1, 4, 1, 0, bias=False), nn.Sigmoid()]
        self.main = nn.Sequential(*layers)

    def forward(self, x):
        return self.main(x).view(-1)


# ---------------------------------------------------------------------------
# The encoder-decoder of "Attention is all you need" (2017) in its base size:
# normalization after the residual, ReLU, one matrix for both embeddings and the
# logits, sinusoidal positions. All linear layers have biases, as in PyTorch's
# nn.Transformer; in the paper only the feed-forward layers have them. Attention
# is eager, without padding masks.
# ---------------------------------------------------------------------------


class TransformerAttention(nn.Module):
    def __init__(self, d_model, heads, dropout):
        super().__init__()
        self.heads = heads
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, mask=None):
        query, key, value = (
            part.unflatten(2, (self.heads, -1)).transpose(1, 2)
            for part in (self.q_proj(x), self.k_proj(memory), self.v_proj(memory))
        )
        scores = query @ key.transpose(2, 3) / math.sqrt(query.shape[3])
        if mask is not None:
            scores = scores + mask
        out = self.dropout(scores.softmax(-1)) @ value
        return self.out_proj(out.transpose(1, 2).flatten(2))


class TransformerLayer(nn.Module):
    """An encoder layer, or a decoder layer with `cross`."""

    def __init__(self, d_model, heads, d_ff, dropout, cross):
        super().__init__()
        self.self_attn = TransformerAttention(d_model, heads, dropout)
        self.norm1 = nn.LayerNorm(d_model)
        self.cross_attn = None
        if cross:
            self.cross_attn = TransformerAttention(d_model, heads, dropout)
            self.norm2 = nn.LayerNorm(d_model)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm3 = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory=None, mask=None):
        x = self.norm1(x + self.dropout(self.self_attn(x, x, mask)))
        if self.cross_attn is not None:
            x = self.norm2(x + self.dropout(self.cross_attn(x, memory)))
        hidden = self.linear2(functional.relu(self.linear1(x)))
        return self.norm3(x + self.dropout(hidden))


def sinusoids(length, channels):
    angles = torch.arange(length)[:, None] / 10000 ** (
        torch.arange(0, channels, 2) / channels
    )
    return torch.stack([angles.sin(), angles.cos()], 2).flatten(1)


class Transformer(nn.Module):
    def __init__(self, d_model=512, heads=8, d_ff=2048, layers=6, vocabulary=37000,
                 positions=1024, dropout=0.1):
        super().__init__()
        self.scale = math.sqrt(d_model)
        self.embedding = nn.Embedding(vocabulary, d_model)
        self.register_buffer("positions", sinusoids(positions, d_model))
        self.encoder, self.decoder = (
            nn.ModuleList(
                TransformerLayer(d_model, heads, d_ff, dropout, cross)
                for _ in range(layers)
            )
            for cross in (False, True)
        )
        self.dropout = nn.Dropout(dropout)

    def embed(self, ids):
        x = self.embedding(ids) * self.scale + self.positions[: ids.shape[1]]
        return self.dropout(x)

    def forward(self, input_ids, decoder_input_ids):
        memory = self.embed(input_ids)
        for layer in self.encoder:
            memory = layer(memory)
        x = self.embed(decoder_input_ids)
        length = x.shape[1]
        mask = torch.full((length, length), -math.inf, dtype=x.dtype).triu(1)
        for layer in self.decoder:
            x = layer(x, memory, mask)
        return functional.linear(x, self.embedding.weight)


# ---------------------------------------------------------------------------
# GNMT v2 as in NVIDIA's DeepLearningExamples (PyTorch/Translation/GNMT), whose
# attention reads the output of the first decoder layer and feeds all later ones,
# so that every layer runs over a whole sequence in one call. Its default is 4 +
# 4 layers; here it has the 8 + 8 of the paper (Wu et al., 2016). All sequences
# of a batch have the same length: no packing, no padding mask.
# ---------------------------------------------------------------------------


class Lstm(nn.LSTM):
    """One layer over [sequence, batch, size] with zero initial state."""

    def forward(self, x):
        if not torch.compiler.is_exporting():
            return super().forward(x)[0]
        # The exporter would record the reordering of the gates, which does not
        # run a kernel, and would treat the example's length as fixed.
        suffixes = ("_l0", "_l0_reverse")[: 1 + self.bidirectional]
        input_weights, hidden_weights, biases = (
            torch.stack([
                torch.cat([getattr(self, name + suffix) for name in names])
                for suffix in suffixes
            ])
            for names in (["weight_ih"], ["weight_hh"], ["bias_ih", "bias_hh"])
        )
        length, batch, _ = x.shape
        state = len(suffixes), batch, self.hidden_size
        out, _, _ = torch.onnx.ops.symbolic_multi_out(
            "LSTM", (x, input_weights, hidden_weights, biases),
            dict(
                direction="bidirectional" if self.bidirectional else "forward",
                hidden_size=self.hidden_size,
            ),
            dtypes=[x.dtype] * 3, shapes=[(length, *state), state, state],
        )
        if self.bidirectional:
            return out.transpose(1, 2).flatten(2)
        return out.squeeze(1)


class BahdanauAttention(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.linear_q = nn.Linear(size, size, bias=False)
        self.linear_k = nn.Linear(size, size, bias=False)
        self.linear_att = nn.Parameter(torch.empty(size))
        self.normalize_scalar = nn.Parameter(torch.empty(1))
        self.normalize_bias = nn.Parameter(torch.empty(size))

    def forward(self, query, keys):
        keys = keys.transpose(0, 1)
        sums = self.linear_q(query.transpose(0, 1)).unsqueeze(2)
        sums = sums + self.linear_k(keys).unsqueeze(1) + self.normalize_bias
        weights = self.linear_att / self.linear_att.norm() * self.normalize_scalar
        # A matrix-vector product, written so that it is counted as such.
        scores = (torch.tanh(sums) @ weights.unsqueeze(1)).squeeze(3)
        return (scores.softmax(-1) @ keys).transpose(0, 1)


class GnmtEncoder(nn.Module):
    def __init__(self, size, layers, dropout):
        super().__init__()
        self.rnn_layers = nn.ModuleList(
            [Lstm(size, size, bidirectional=True), Lstm(2 * size, size)]
            + [Lstm(size, size) for _ in range(layers - 2)]
        )
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        for i, layer in enumerate(self.rnn_layers):
            out = layer(self.dropout(x))
            x = out + x if i >= 2 else out
        return x


class GnmtDecoder(nn.Module):
    def __init__(self, size, layers, dropout):
        super().__init__()
        self.att_rnn = Lstm(size, size)
        self.attn = BahdanauAttention(size)
        self.rnn_layers = nn.ModuleList(
            Lstm(2 * size, size) for _ in range(layers - 1)
        )
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory):
        x = self.att_rnn(x)
        context = self.attn(x, memory)
        for i, layer in enumerate(self.rnn_layers):
            out = layer(torch.cat([self.dropout(x), context], 2))
            x = out + x if i >= 1 else out
        return x


class Gnmt(nn.Module):
    def __init__(self, size=1024, layers=8, vocabulary=32320, dropout=0.2):
        super().__init__()
        self.embedder = nn.Embedding(vocabulary, size, padding_idx=0)
        self.encoder = GnmtEncoder(size, layers, dropout)
        self.decoder = GnmtDecoder(size, layers, dropout)
        self.classifier = nn.Linear(size, vocabulary)

    def forward(self, input_ids, decoder_input_ids):
        # All tensors after the inputs have the sequence first.
        memory = self.encoder(self.embedder(input_ids.t()))
        x = self.decoder(self.embedder(decoder_input_ids.t()), memory)
        return self.classifier(x)


# ---------------------------------------------------------------------------
# ConvNeXt (Liu et al., 2022) as in torchvision. Stochastic depth drops the
# whole residual of an image: a dropout with one number per image.
# ---------------------------------------------------------------------------


class LayerNorm2d(nn.LayerNorm):
    def forward(self, x):
        return super().forward(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)


class ConvNeXtBlock(nn.Module):
    def __init__(self, channels, drop):
        super().__init__()
        self.depthwise = nn.Conv2d(
            channels, channels, 7, padding=3, groups=channels
        )
        self.norm = nn.LayerNorm(channels, eps=1e-6)
        self.expand = nn.Linear(channels, 4 * channels)
        self.gelu = nn.GELU()
        self.project = nn.Linear(4 * channels, channels)
        self.layer_scale = nn.Parameter(torch.ones(channels, 1, 1))
        self.drop = drop

    def forward(self, x):
        out = self.norm(self.depthwise(x).permute(0, 2, 3, 1))
        out = self.project(self.gelu(self.expand(out))).permute(0, 3, 1, 2)
        out = self.layer_scale * out
        if self.drop > 0:
            ones = torch.ones_like(x[:, :1, :1, :1])
            out = out * functional.dropout(ones, self.drop, self.training)
        return out + x


class ConvNeXt(nn.Module):
    def __init__(self, channels, depths, drop, classes=1000):
        super().__init__()
        layers = [
            nn.Sequential(
                nn.Conv2d(3, channels[0], 4, 4), LayerNorm2d(channels[0], eps=1e-6)
            )
        ]
        blocks = sum(depths)
        done = 0
        for stage, depth in enumerate(depths):
            width = channels[stage]
            if stage:
                layers.append(nn.Sequential(
                    LayerNorm2d(channels[stage - 1], eps=1e-6),
                    nn.Conv2d(channels[stage - 1], width, 2, 2),
                ))
            for _ in range(depth):
                layers.append(ConvNeXtBlock(width, drop * done / (blocks - 1)))
                done += 1
        self.features = nn.Sequential(*layers)
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.norm = LayerNorm2d(channels[-1], eps=1e-6)
        self.head = nn.Linear(channels[-1], classes)

    def forward(self, x):
        x = self.norm(self.pool(self.features(x)))
        return self.head(torch.flatten(x, 1))


# ---------------------------------------------------------------------------
# RegNetY (Radosavovic et al., 2020) as in torchvision: bottlenecks of ratio 1
# with grouped 3x3 convolutions and squeeze and excitation by 1x1 convolutions.
# ---------------------------------------------------------------------------


class RegNetBlock(nn.Module):
    def __init__(self, channels_in, channels_out, stride, group_width):
        super().__init__()

        def convolution(channels, size, stride=1, groups=1):
            return [
                nn.Conv2d(
                    channels, channels_out, size, stride, size // 2,
                    groups=groups, bias=False
                ),
                nn.BatchNorm2d(channels_out),
            ]

        self.before = nn.Sequential(
            *convolution(channels_in, 1), nn.ReLU(inplace=True),
            *convolution(
                channels_out, 3, stride, channels_out // group_width
            ), nn.ReLU(inplace=True),
        )
        squeezed = round(0.25 * channels_in)
        self.gate = nn.Sequential(
            nn.AdaptiveAvgPool2d(1), nn.Conv2d(channels_out, squeezed, 1),
            nn.ReLU(inplace=True), nn.Conv2d(squeezed, channels_out, 1),
            nn.Sigmoid(),
        )
        self.after = nn.Sequential(*convolution(channels_out, 1))
        self.relu = nn.ReLU(inplace=True)
        self.shortcut = None
        if stride != 1 or channels_in != channels_out:
            self.shortcut = nn.Sequential(
                nn.Conv2d(channels_in, channels_out, 1, stride, bias=False),
                nn.BatchNorm2d(channels_out),
            )

    def forward(self, x):
        out = self.before(x)
        out = self.after(self.gate(out) * out)
        return self.relu(out + (x if self.shortcut is None else self.shortcut(x)))


class RegNetY(nn.Module):
    def __init__(self, channels, depths, group_width, classes=1000):
        super().__init__()
        layers = [
            nn.Conv2d(3, 32, 3, 2, 1, bias=False), nn.BatchNorm2d(32),
            nn.ReLU(inplace=True),
        ]
        before = 32
        for width, depth in zip(channels, depths):
            for i in range(depth):
                layers.append(
                    RegNetBlock(before, width, 1 if i else 2, group_width)
                )
                before = width
        self.features = nn.Sequential(*layers)
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.head = nn.Linear(before, classes)

    def forward(self, x):
        return self.head(torch.flatten(self.pool(self.features(x)), 1))
