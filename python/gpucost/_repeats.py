# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Equal blocks of a traced module are translated to ONNX once. PyTorch traces the whole module; then all but four of a
chain of equal blocks are removed from its graph, and their copies are added to the ONNX graph. Blocks are equal if
their traced graphs are: the same ops, arguments and types, the same values from outside, other values only from the
block before, and own parameters with equal names, types and shapes. All other modules are translated as a whole."""
from __future__ import annotations

import contextlib
import importlib
import re
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Set, Tuple

import torch
from torch.export.graph_signature import InputKind

# Blocks at the begin of a chain that are translated: the first may contain constants that all use, the third one is
# copied, and the second one is its predecessor. The last one is translated, too, because other nodes use it.
KEPT = 3
# Shorter chains are not worth it.
SHORTEST = KEPT + 3

INDEXED = re.compile(r"(?:^|.*?\.)\d+(?=\.|$)")
SCOPES = "pkg.torch.onnx.name_scopes"
OWN_KINDS = (InputKind.PARAMETER, InputKind.BUFFER, InputKind.CONSTANT_TENSOR)


class NotEqual(Exception):
    """Copies would differ from a translation of the whole graph."""


class Block(NamedTuple):
    """A member of a list of modules, such as model.layers.7, and its nodes in the traced graph."""

    path: str
    nodes: List[Any]

    @property
    def parent(self) -> str:
        return self.path.rpartition(".")[0]


class Chain(NamedTuple):
    """The paths of equal blocks, in the order of their calls."""

    paths: List[str]

    @property
    def removed(self) -> List[str]:
        return self.paths[KEPT:-1]


def path_of(node: Any) -> str:
    """The outermost member of a list of modules that a traced node belongs to; "": none."""
    for entry in (node.meta.get("nn_module_stack") or {}).values():
        found = INDEXED.match(entry[0])
        if found is not None:
            return found[0]
    return ""


def blocks_of(graph: Any) -> List[Block]:
    """Runs of nodes with the same path; one without a path for each other node. Inputs are not included."""
    blocks: List[Block] = []
    for node in graph.nodes:
        if node.op == "placeholder":
            continue
        path = path_of(node) if node.op == "call_function" else ""
        if blocks and path and blocks[-1].path == path:
            blocks[-1].nodes.append(node)
        else:
            blocks.append(Block(path, [node]))
    return blocks


def own_name(name: str, path: str) -> Optional[str]:
    """A name below a path, without it."""
    return name[len(path):] if name.startswith(path + ".") else None


def described(value: Any) -> Any:
    """What matters of the value of a node."""
    if isinstance(value, torch.Tensor):
        return tuple(map(str, value.shape)), value.dtype, value.layout, value.requires_grad, isinstance(value, torch.nn.Parameter)
    if isinstance(value, (tuple, list)):
        return tuple(map(described, value))
    return str(value)


class Comparison:
    """Blocks of an exported program in a form in which equal ones are equal."""

    def __init__(self, program: Any) -> None:
        self.program = program
        self.specs = {spec.arg.name: spec for spec in program.graph_signature.input_specs}

    def external(self, node: Any, path: str) -> Any:
        spec = self.specs.get(node.name) if node.op == "placeholder" else None
        if spec is None or spec.kind not in OWN_KINDS:
            return "common", node.name
        own = own_name(spec.target, path)
        if own is not None:
            return spec.kind, own, spec.persistent, described(node.meta["val"]), self.values(spec)
        if spec.kind == InputKind.CONSTANT_TENSOR:
            return spec.kind, described(node.meta["val"]), self.values(spec)
        return "common", node.name

    def values(self, spec: Any) -> Any:
        """Of a small constant; a large one is only equal to itself."""
        tensor = self.program.constants.get(spec.target) if spec.kind == InputKind.CONSTANT_TENSOR else None
        if not isinstance(tensor, torch.Tensor) or isinstance(tensor, torch._subclasses.FakeTensor) or tensor.is_meta:
            return None if spec.kind != InputKind.CONSTANT_TENSOR else spec.target
        return repr(tensor.tolist()) if tensor.numel() <= 16 else spec.target

    def form(self, block: Block, before: Block) -> Any:
        own = {node: index for index, node in enumerate(block.nodes)}
        earlier = {node: index for index, node in enumerate(before.nodes)}

        def argument(value: Any) -> Any:
            if isinstance(value, torch.fx.Node):
                if value in own:
                    return "own", own[value]
                return ("before", earlier[value]) if value in earlier else self.external(value, block.path)
            if isinstance(value, (tuple, list)):
                return tuple(map(argument, value))
            if isinstance(value, Mapping):
                return tuple((key, argument(each)) for key, each in value.items())
            return type(value), str(value)

        def scopes(node: Any) -> Any:
            return [entry[0].replace(block.path, "", 1) for entry in node.meta["nn_module_stack"].values()]

        return [(node.target, argument(node.args), argument(node.kwargs), described(node.meta.get("val")), scopes(node))
                for node in block.nodes]


def is_linked(blocks: Sequence[Block], index: int) -> bool:
    """Whether only a block itself and the next one use its values."""
    allowed = {*blocks[index].nodes, *blocks[index + 1].nodes}
    return all(user in allowed for node in blocks[index].nodes for user in node.users)


def chains_of(program: Any) -> List[Tuple[Chain, List[Block]]]:
    """Chains of equal blocks that are long enough."""
    blocks, found = blocks_of(program.graph), []
    comparison = Comparison(program)
    counts: Dict[str, int] = {}
    for block in blocks:
        counts[block.path] = counts.get(block.path, 0) + 1
    start, last = 0, None
    for index in range(len(blocks) + 1):
        form = None
        if 0 < index < len(blocks):
            block, before = blocks[index], blocks[index - 1]
            # A module that is called twice has no single copy.
            if block.path and before.path and block.parent == before.parent and counts[block.path] == 1:
                form = comparison.form(block, before)
        if form is None or form != last:
            chain = blocks[start:index]
            if last is not None and len(chain) >= SHORTEST and all(
                    is_linked(blocks, each) for each in range(start, index - 1)):
                found.append((Chain([block.path for block in chain]), chain))
            start, last = index, form
    return found


def reduce(program: Any) -> List[Chain]:
    """Removes blocks in the middle of the chains of an exported program."""
    found = chains_of(program)
    graph, signature = program.graph_module.graph, program.graph_signature
    for chain, blocks in found:
        kept, gone, last = blocks[KEPT - 1], blocks[KEPT:-1], blocks[-1]
        moved = dict(zip(gone[-1].nodes, kept.nodes))
        for node in last.nodes:
            node.args = torch.fx.map_arg(node.args, lambda each: moved.get(each, each))
            node.kwargs = torch.fx.map_arg(node.kwargs, lambda each: moved.get(each, each))
        used: Set[Any] = set()
        for block in reversed(gone):
            for node in reversed(block.nodes):
                used.update(each for each in node.all_input_nodes if each.op == "placeholder")
                graph.erase_node(node)
        names = {node.name for node in used if not node.users}
        specs = {spec.arg.name: spec for spec in signature.input_specs}
        removed = {name for name in names if specs[name].kind in OWN_KINDS}
        for node in used:
            if node.name in removed:
                graph.erase_node(node)
        signature.input_specs[:] = [spec for spec in signature.input_specs if spec.arg.name not in removed]
        for name in removed:
            program.state_dict.pop(specs[name].target, None)
            program.constants.pop(specs[name].target, None)
    if found:
        program.graph_module.recompile()
    return [chain for chain, _ in found]


# Copies in the ONNX graph.

def in_path(node: Any, path: str) -> bool:
    return f"'{path}'" in node.metadata_props.get(SCOPES, "")


class Copier:
    """Adds the copies of a chain to an ONNX graph."""

    def __init__(self, graph: Any, chain: Chain, module: Any) -> None:
        self.graph, self.chain = graph, chain
        self.tensors = {**dict(module.named_parameters(remove_duplicate=False)),
                        **dict(module.named_buffers(remove_duplicate=False))}
        first, self.source, last = chain.paths[KEPT - 2], chain.paths[KEPT - 1], chain.paths[-1]
        self.before, self.nodes, self.after = (self.members(path) for path in (first, self.source, last))
        self.check(first, self.before, self.nodes)
        self.check(last, self.after, self.nodes)
        self.numbering = Numbering()
        for earlier, later in ((self.before, self.nodes), (self.nodes, self.after)):
            for node, following in zip(earlier, later):
                for name, other in zip(names_of(node), names_of(following)):
                    self.numbering.learn(name, other)
                self.numbering.learn(traced_name(node), traced_name(following))

    def members(self, path: str) -> List[Any]:
        nodes = [node for node in self.graph if in_path(node, path)]
        if not nodes:
            raise NotEqual(path)
        return nodes

    def check(self, path: str, nodes: List[Any], source: List[Any]) -> None:
        """Whether the translations of two blocks are equal."""
        if len(nodes) != len(source):
            raise NotEqual(path)
        ours = {value: place for place, value in places(nodes)}
        theirs = {value: place for place, value in places(source)}
        for node, other in zip(nodes, source):
            if (node.domain, node.op_type, node.overload) != (other.domain, other.op_type, other.overload) or \
                    attributes_of(node) != attributes_of(other) or len(node.inputs) != len(other.inputs) or \
                    types_of(node) != types_of(other):
                raise NotEqual(path)
            for value, counterpart in zip(node.inputs, other.inputs):
                self.check_input(value, counterpart, path, ours, theirs)

    def check_input(self, value: Any, counterpart: Any, path: str, ours: Mapping[Any, Any], theirs: Mapping[Any, Any]) -> None:
        if ours.get(value) != theirs.get(counterpart):
            raise NotEqual(path)
        if value is counterpart or value in ours:
            return
        if value is None or counterpart is None or value.is_initializer() != counterpart.is_initializer():
            raise NotEqual(path)
        if value.is_initializer():
            names = own_name(value.name, path), own_name(counterpart.name, self.source)
            if names[0] != names[1] or names[0] is None:
                raise NotEqual(path)
        # Other values are those of the blocks before, at the same place.

    def copy(self) -> None:
        import onnx_ir

        links = {value: place for place, value in places(self.before)}
        outputs = dict(places(self.nodes))
        reads = [[links.get(value) for value in node.inputs] for node in self.nodes]
        inside = set(outputs.values())
        for node, places_read in zip(self.nodes, reads):
            for value, place in zip(node.inputs, places_read):
                self.check_known(value, place, inside)
        # The last block reads the copied one as this reads the one before.
        for node, places_read in zip(self.after, reads):
            for value, place in zip(node.inputs, places_read):
                if (None if place is None else outputs[place]) is not (value if value in inside else None):
                    raise NotEqual(node.name)
        previous, at, numbering = outputs, self.nodes[-1], self.numbering
        self.renumber_rest()
        for number, path in enumerate(self.chain.removed, 1):
            made: Dict[Any, Any] = {}
            copies = []
            for node, places_read in zip(self.nodes, reads):
                inputs = [self.input_of(value, previous[place] if place is not None else made.get(value, value), path)
                          for value, place in zip(node.inputs, places_read)]
                new = onnx_ir.Node(node.domain, node.op_type, inputs, list(node.attributes.values()), overload=node.overload,
                                   num_outputs=len(node.outputs), version=node.version, name=numbering.later(node.name, number))
                for key, text in node.metadata_props.items():
                    new.metadata_props[key] = renamed(text, self.source, path)
                numbering.scopes(new, number)
                for value, output in zip(node.outputs, new.outputs):
                    output.name, output.shape, output.type = numbering.later(value.name, number), value.shape, value.type
                    made[value] = output
                copies.append(new)
            self.graph.insert_after(at, copies)
            at = copies[-1]
            previous = {place: made[value] for place, value in outputs.items()}
        # The last block reads the last copy in place of the block that was copied.
        for node in self.after:
            for index, value in enumerate(node.inputs):
                if value in inside:
                    place = next(place for place, each in outputs.items() if each is value)
                    node.replace_input_with(index, previous[place])

    def renumber_rest(self) -> None:
        """Nodes after the block that is copied have the names that they have after all copies."""
        nodes = list(self.graph)
        for node in nodes[nodes.index(self.nodes[-1]) + 1:]:
            node.name = self.numbering.later(node.name, len(self.chain.removed))
            self.numbering.scopes(node, len(self.chain.removed))
            for value in node.outputs:
                value.name = self.numbering.later(value.name, len(self.chain.removed))
        # Names that are made later.
        counters = getattr(self.graph, "_name_authority", None)
        for counter, kind in (("_node_counter", ""), ("_value_counter", "val")):
            if not hasattr(counters, counter):
                raise NotEqual(counter)
            setattr(counters, counter, getattr(counters, counter) + self.numbering.steps.get(kind, 0) * len(self.chain.removed))

    def check_known(self, value: Any, place: Any, inside: Set[Any]) -> None:
        """An input is from the block, the one before, or common to all."""
        if value is None or place is not None or value in inside or value.is_initializer():
            return
        producer = value.producer()
        if producer is not None and any(in_path(producer, path) for path in self.chain.paths[1:]):
            raise NotEqual(value.name)

    def input_of(self, value: Any, found: Any, path: str) -> Any:
        """A parameter or buffer of the copy; other values as found."""
        if value is None or not value.is_initializer():
            return found
        own = own_name(value.name, self.source)
        if own is None:
            return found
        name = path + own
        if name not in self.graph.initializers:
            import onnx_ir

            tensor = self.tensors.get(name)
            if tensor is None or tuple(tensor.shape) != tuple(value.const_value.shape):
                raise NotEqual(name)
            from torch.onnx._internal.exporter._core import TorchTensor

            new = onnx_ir.Value(name=name, shape=value.shape, type=value.type, const_value=TorchTensor(tensor, name=name))
            for key, text in value.metadata_props.items():
                new.metadata_props[key] = renamed(text, self.source, path)
            self.graph.register_initializer(new)
        return self.graph.initializers[name]


class Numbering:
    """How the numbers in names, such as linear_7 and val_246, grow from block to block."""

    NAME = re.compile(r"(.*?)(?:_(\d+))?(__\d+)?", re.S)
    # Nodes that have no counterpart in the traced graph have a common counter.
    COUNTED = re.compile(r"node_[A-Z].*")

    def __init__(self) -> None:
        self.steps: Dict[str, int] = {}

    @classmethod
    def parts(cls, name: str) -> Tuple[str, int, str]:
        """topk_3__1 has the number 3 and the ending __1."""
        found = cls.NAME.fullmatch(name)
        assert found is not None
        return found[1], int(found[2] or 0), found[3] or ""

    def learn(self, name: str, following: str) -> None:
        """Two names in successive blocks."""
        (base, number, ending), (other, next_number, other_ending) = self.parts(name), self.parts(following)
        key = "" if self.COUNTED.fullmatch(base) else base
        if (base, ending) != (other, other_ending) or self.steps.setdefault(key, next_number - number) != next_number - number:
            raise NotEqual(following)

    def later(self, name: str, blocks: int) -> str:
        """The name that follows one after some blocks."""
        base, number, ending = self.parts(name)
        step = self.steps.get("" if self.COUNTED.fullmatch(base) else base, 0)
        return f"{base}_{number + step * blocks}{ending}" if step else name

    def scopes(self, node: Any, blocks: int) -> None:
        """Changes the last scope, which is the name in the traced graph."""
        text = node.metadata_props.get(SCOPES, "")
        found = re.fullmatch(r"(.*')(\w+)('\])", text, re.S)
        if found is not None:
            node.metadata_props[SCOPES] = found[1] + self.later(found[2], blocks) + found[3]


def renamed(text: str, source: str, path: str) -> str:
    return re.sub(rf"(?<![\w.]){re.escape(source)}(?![\w])", path, text)


def traced_name(node: Any) -> str:
    """In the traced graph: the last scope."""
    return str(node.metadata_props.get(SCOPES, "")).rpartition("'")[0].rpartition("'")[2]


def names_of(node: Any) -> List[str]:
    return [node.name, *(value.name for value in node.outputs)]


def places(nodes: Sequence[Any]) -> Iterator[Tuple[Tuple[int, int], Any]]:
    for index, node in enumerate(nodes):
        for output, value in enumerate(node.outputs):
            yield (index, output), value


def attributes_of(node: Any) -> Dict[str, Any]:
    found = {}
    for name, each in node.attributes.items():
        if each.type.name in ("GRAPH", "GRAPHS"):
            raise NotEqual(name)
        value = each.value
        found[name] = (each.type, value.numpy().tolist() if each.type.name == "TENSOR" else str(value))
    return found


def types_of(node: Any) -> List[Any]:
    return [(str(value.shape), str(value.type)) for value in node.outputs]


@contextlib.contextmanager
def reduced(module: Any, active: bool = True) -> Iterator[List[Chain]]:
    """Inside, torch.onnx.export translates equal blocks once; copy() then adds the others. Yields the chains of the
    last export."""
    chains: List[Chain] = []
    core: Any = None
    prepare: Any = None
    try:
        core = importlib.import_module("torch.onnx._internal.exporter._core")
        prepare = core._prepare_exported_program_for_export
    except (ImportError, AttributeError):  # Another version of PyTorch: the whole graph is translated.
        active = False
    if not active or not isinstance(module, torch.nn.Module):
        yield chains
        return

    def prepared(program: Any, **options: Any) -> Any:
        chains[:] = reduce(program)
        return prepare(program, **options)

    core._prepare_exported_program_for_export = prepared
    try:
        yield chains
    finally:
        core._prepare_exported_program_for_export = prepare


def copy(graph: Any, chains: Sequence[Chain], module: Any) -> None:
    """Adds the blocks that reduced() removed. Raises NotEqual if the translations of the kept ones differ."""
    for chain in chains:
        Copier(graph, chain, module).copy()
    if not chains:
        return
    # In the order of the whole graph: parameters, buffers, then constants.
    named = [*module.named_parameters(remove_duplicate=False), *module.named_buffers(remove_duplicate=False)]
    order = {name: index for index, (name, _) in enumerate(named)}
    values = sorted(graph.initializers.values(), key=lambda value: order.get(value.name, len(order)))
    graph.initializers.clear()
    for value in values:
        graph.register_initializer(value)
