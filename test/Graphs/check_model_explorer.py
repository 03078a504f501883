#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loads node data with Google's Model Explorer and matches it with the model's nodes.

  check_model_explorer.py --tool build/bin/gpu-cost-opt model.onnx [flags of the tool...]

Needs the packages ai-edge-model-explorer and onnx.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import onnx
from dacite import Config, from_dict
from model_explorer import graph_builder, node_data_builder
from model_explorer.config import ModelExplorerConfig


def graph_of(model):
    """The nodes of an ONNX graph as Model Explorer has them."""
    nodes = []
    for index, node in enumerate(model.graph.node):
        outputs = [
            graph_builder.MetadataItem(id=str(i), attrs=[graph_builder.KeyValue(key="tensor_name", value=name)])
            for i, name in enumerate(node.output)
        ]
        nodes.append(graph_builder.GraphNode(id=str(index), label=node.op_type, outputsMetadata=outputs))
    return graph_builder.Graph(id="main", nodes=nodes)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument("model")
    options, flags = parser.parse_known_args()
    graph = graph_of(onnx.load(options.model, load_external_data=False))
    names = {
        item.value for node in graph.nodes for output in node.outputsMetadata for item in output.attrs
    }
    with tempfile.TemporaryDirectory() as folder:
        for heat in ("time", "energy", "memory"):
            path = pathlib.Path(folder) / f"{heat}.json"
            command = [options.tool, options.model, *flags, "--emit=model-explorer", f"--heat={heat}", "-o", str(path)]
            subprocess.run(command, check=True)
            # The classes of the package take all members, and no others.
            data = from_dict(node_data_builder.GraphNodeData, json.loads(path.read_text()), Config(strict=True))
            config = ModelExplorerConfig()
            config.add_node_data_from_path(str(path))
            if not data.results or not data.gradient or not data.name:
                sys.exit(f"{heat}: no data")
            missing = data.results.keys() - names
            if missing:
                sys.exit(f"{heat}: no node of the graph has {sorted(missing)[:3]}")
            if any(result.value < 0 for result in data.results.values()):
                sys.exit(f"{heat}: a negative value")
            print(f"{heat}: {len(data.results)} of {len(graph.nodes)} nodes, {data.name}")


if __name__ == "__main__":
    main()
