# SPDX-License-Identifier: Apache-2.0
"""How kernels are put together from parts: a part is translated once, and only whole kernels become machine code.

Left to itself the compiler makes a finished piece of every function that a kernel calls: optimised, turned into
machine code, callable from Python, kept on disk. What calls it copies and optimises all of that again, and so on to the
top. Here a function that is called from a kernel is a *part*: lines for the optimiser, no more. What is called from
Python is an *entry*: the parts below it, linked, optimised and turned into machine code once, as a whole. Three more
things keep parts few and short (docs/decisions/0012-first-run.md has the figures):

- A constant is handed over as a number like any other; else there is a part for 0, one for 1, and one for the rest.
- A part that makes no array does not count owners: whoever calls it holds all arrays that it works on. Counting each
  up and down at every call and name would be most of the lines.
- Bundles of arrays (named tuples) go by their address, not as hundreds of numbers.

The compiler lets one put in a pipeline, a lowering pass and libraries of code of one's own; that is all that is done.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from functools import cache
from typing import Any

from numba import _dynfunc
from numba.core import cgutils, ir, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.datamodel.models import TupleModel
from numba.core.dispatcher import _FunctionCompiler
from numba.core.environment import Environment
from numba.core.lowering import Lower
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import NativeLowering

from shoal.engine.kernels.compiler.lending import lent

ALIVE = 100_000
"""Things made before garbage is looked for, while kernels are compiled."""

# -- parts ---------------------------------------------------------------------------------------------------------


class Waiting(JITCodeLibrary):
    """The code of a part, neither optimised nor turned into machine code; an entry will see to that."""

    _whole: Any = None

    def finalize(self) -> None:
        """Nothing is added from now on."""
        self._finalized = True

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout

    def _own(self) -> Any:
        return super()._get_module_for_linking()

    def _get_module_for_linking(self) -> Any:
        """The part and all below it, each once."""
        if self._whole is None:
            self._whole = self._own().clone()
            for other in self._below():
                module = other._own() if isinstance(other, Waiting) else other._get_module_for_linking()
                self._whole.link_in(module, preserve=True)
        return self._whole

    def _below(self) -> list[Any]:
        met, todo = {id(self): self}, list(self._linking_libraries)
        while todo:
            other = todo.pop()
            if id(other) not in met:
                met[id(other)] = other
                todo += other._linking_libraries if isinstance(other, Waiting) else []
        return list(met.values())[1:]


class ByAddress(TupleModel):
    """A bundle of arrays is handed over as the address of a copy."""

    def get_argument_type(self) -> Any:
        """How it looks on the way."""
        return self.get_value_type().as_pointer()

    def as_argument(self, builder: Any, value: Any) -> Any:
        """Set out."""
        place = cgutils.alloca_once(builder, self.get_value_type())
        builder.store(value, place)
        return place

    def from_argument(self, builder: Any, value: Any) -> Any:
        """Arrive."""
        return builder.load(value)


@cache
def _models(usual: Any) -> Any:
    changed = usual.copy()
    changed.register(types.NamedTuple, ByAddress)
    return changed


def addressing(context: Any) -> Any:
    """The compiler's surroundings, but bundles go by address."""
    changed = context.subtarget()
    changed.data_model_manager = _models(context.data_model_manager)
    return changed


class PartLower(Lower):
    """Lowers a function; without counting owners where it makes nothing to own."""

    def __init__(self, context: Any, library: Any, fndesc: Any, func_ir: Any, metadata: Any = None) -> None:
        ours = addressing(context)
        _keep_bundles_from_strangers(func_ir, fndesc.typemap)
        if _only_borrows(func_ir, fndesc, ours.data_model_manager):
            ours = ours.subtarget(enable_nrt=False)
        super().__init__(ours, library, fndesc, func_ir, metadata)


@register_pass(mutates_CFG=True, analysis_only=False)
class PartLowering(NativeLowering):
    """The last pass over a part: its code is kept for linking, and a callable of that name is known to the compiler."""

    _name = "part_lowering"

    @property
    def lowering_class(self) -> Any:
        """What lowers."""
        return PartLower

    def run_pass(self, state: Any) -> bool:
        """Lower, and do not go on to machine code."""
        state.library = Waiting(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        lowered, fndesc = state["cr"], state["cr"].fndesc
        name = fndesc.qualname.rpartition(".")[2]
        nothing = _dynfunc.make_function(fndesc.lookup_module(), name, "", 0, lowered.env, (state.library,))
        state.targetctx.insert_user_function(nothing, fndesc, [state.library])
        state["cr"] = lowered._replace(cfunc=nothing)
        return True


class PartCompiler(CompilerBase):
    """The usual passes, but for the last."""

    def define_pipelines(self) -> list[Any]:
        """One pipeline."""
        passes = PassManager("part")
        for each, words in DefaultPassBuilder.define_nopython_pipeline(self.state).passes:
            passes.add_pass(PartLowering if each is NativeLowering else each, words)
        passes.finalize()
        return [passes]


class Part(CPUDispatcher):
    """A function that kernels call."""

    def __call__(self, *_given: Any) -> Any:
        """Only kernels can."""
        raise TypeError(f"{self.py_func.__qualname__} is a part of kernels; Python cannot call it")

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """What to call with arguments of these types; a constant is a number like any other."""
        return super().get_call_template(tuple(map(_plain, args)), {name: _plain(kind) for name, kind in kws.items()})


def _plain(kind: Any) -> Any:
    return types.unliteral(kind) if isinstance(kind, types.IntegerLiteral) else kind


def part(function: Callable[..., Any], settings: dict[str, Any]) -> Part:
    """A function that only kernels can call."""
    return Part(function, {}, {"nopython": True, "no_cpython_wrapper": True, **settings}, PartCompiler)


def _keep_bundles_from_strangers(func_ir: Any, typemap: Any) -> None:
    """Functions that the compiler brings along expect a bundle otherwise than by address."""
    for one in _giving(func_ir):
        if one.value.op == "call" and any(_has_bundle(typemap[given.name]) for given in one.value.args):
            called = typemap[one.value.func.name]
            made_by_us = isinstance(called, types.Dispatcher) and isinstance(called.dispatcher, Part)
            if not made_by_us and any(hasattr(each, "_overload_func") for each in getattr(called, "templates", ())):
                raise TypeError(f"{called} takes no bundle of arrays; hand it the arrays themselves, at {one.loc}")


def _has_bundle(kind: Any) -> bool:
    return isinstance(kind, types.NamedTuple) or (
        isinstance(kind, types.BaseTuple) and any(map(_has_bundle, kind.types))
    )


# -- whether a part makes anything to own ----------------------------------------------------------------------------

LOOKS = frozenset(
    "getattr static_getitem cast phi build_tuple exhaust_iter pair_first pair_second iternext getiter".split()
)
"""What gives an array, or a bundle of them, that somebody else owns."""


def _only_borrows(func_ir: Any, fndesc: Any, models: Any) -> bool:
    """Whether all arrays of a function are its arguments, or views of them, and it hands none back."""

    def owned(kind: Any) -> bool:
        return bool(models[kind].contains_nrt_meminfo())

    typemap = fndesc.typemap
    return not owned(fndesc.restype) and all(
        _borrows(one, typemap) for one in _giving(func_ir) if owned(typemap[one.target.name])
    )


def _giving(func_ir: Any) -> Iterator[Any]:
    """All statements that give a name to what an expression makes; copying whole arrays counts as making one."""
    for block in func_ir.blocks.values():
        for one in block.body:
            if isinstance(one, ir.SetItem | ir.StaticSetItem):
                yield ir.Assign(ir.Expr("copy", one.loc), one.value, one.loc)
            elif isinstance(one, ir.Assign) and isinstance(one.value, ir.Expr):
                yield one


def _borrows(one: Any, typemap: Any) -> bool:
    made = one.value
    if made.op == "getitem":
        return not _has_array(typemap[made.index.name])  # a list of places makes a copy
    if made.op == "call":
        called = typemap[made.func.name]
        return isinstance(called, types.NamedTupleClass) or _is(called, lent)
    return made.op in LOOKS


def _has_array(kind: Any) -> bool:
    return any(map(_has_array, kind.types)) if isinstance(kind, types.BaseTuple) else isinstance(kind, types.Array)


def _is(called: Any, function: Any) -> bool:
    return getattr(called, "typing_key", None) is function


# -- entries -------------------------------------------------------------------------------------------------------


class KernelCompiler(_FunctionCompiler):
    """Makes machine code of a part and all below it, which Python can call."""

    body: Any

    def _compile_core(self, args: Any, return_type: Any) -> Any:
        with _few_collections():
            self.body.compile(args if return_type is None else return_type(*args))
            return self._assembled(self.body.overloads[tuple(args)])

    def _assembled(self, made: Any) -> Any:
        context, described = addressing(made.target_context), copy(made.fndesc)
        described.env_name += "entry"  # what the way in from Python needs is not among what the part was kept with
        surroundings = Environment.from_fndesc(described)
        library = context.codegen().create_library(described.qualname)
        library.enable_object_caching()
        library.add_linking_library(made.library)
        context.create_cpython_wrapper(library, described, surroundings, made.call_helper, release_gil=True)
        entry = context.get_executable(library, described, surroundings)
        return made._replace(
            entry_point=entry, library=library, fndesc=described, environment=surroundings, metadata={}
        )


@contextmanager
def _few_collections() -> Iterator[None]:
    """Look for garbage less often: compiling makes hundreds of thousands of small things and keeps nearly all."""
    before = gc.get_threshold()
    gc.set_threshold(ALIVE, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


class Kernel(CPUDispatcher):
    """A function that Python calls; kernels that call it, too, get its part."""

    def __init__(self, py_func: Any, locals: Any = None, targetoptions: Any = None, pipeline_class: Any = None) -> None:
        super().__init__(py_func, locals or {}, {"nopython": True, **(targetoptions or {})})
        settings = {name: value for name, value in self.targetoptions.items() if name != "nopython"}
        self._compiler = KernelCompiler(py_func, self.targetdescr, self.targetoptions, {}, PartCompiler)
        self._compiler.body = self.body = part(py_func, settings)

    @property
    def _numba_type_(self) -> Any:
        return types.Dispatcher(self.body)
