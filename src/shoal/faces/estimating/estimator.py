# SPDX-License-Identifier: Apache-2.0
"""Anonymizer: anonymising as a step of a scikit-learn pipeline.

It passes all that ``sklearn.utils.estimator_checks.check_estimator`` runs, and of the further checks there those for
names of columns and for ``set_output``. :data:`NOT_APPLICABLE` names those that do not apply, and why; checks of
classifiers, regressors, sample weights and sparse data are for other kinds of estimators.

Nothing else of shoal needs scikit-learn; it is the extra ``sklearn``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.engine.encoding.encode import encode
from shoal.faces.estimating.assigning import NOWHERE, FittedClasses
from shoal.faces.estimating.inputs import Given, given
from shoal.faces.estimating.refusals import CannotAssignError, InvalidInputError, as_value_errors
from shoal.ground import catalog
from shoal.ground.catalog import library
from shoal.ground.errors import listed
from shoal.ground.settings import takes
from shoal.judging.checking import check
from shoal.pipeline import run
from shoal.plan.plan import Plan
from shoal.plan.settings import taken_by
from shoal.plan.values import as_known
from shoal.releases.kinds import kind_named
from shoal.releases.release import Release
from shoal.tables.table import Table
from shoal.tables.together import side_by_side, stacked

library("sklearn", extra="sklearn", what="shoal.Anonymizer")
from sklearn.base import BaseEstimator, TransformerMixin  # noqa: E402  after the hint about what is missing
from sklearn.utils import validation  # noqa: E402

AS_GIVEN = ["sensitive", "identifiers", "insensitive", "drop", "hierarchies", "kinds", "orders"]
AS_GIVEN += ["date_format", "decimal", "thousands", "weights", "scales"]
"""Keywords that go into the plan as they are."""
NOT_APPLICABLE = {
    "check_estimators_nan_inf": "NaN is a missing value, which is taken; infinity is refused",
    "check_set_output_transform_pandas": "an index of text, which may name people, would stay in the result: refused",
    "check_global_output_transform_pandas": "the same",
    "check_clustering": "the number of classes follows from k and cannot be chosen, so it is no clusterer",
}
"""Checks of scikit-learn that do not apply, and why."""
ARRAY_RENDER = "mean"
"""An array holds numbers, so its classes publish numbers unless another rendering is named."""
SETTINGS = taken_by("estimator")
"""The settings of a plan that are keywords here, too, with the same defaults."""


class Anonymizer(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Every row among at least k look-alikes, as a transformer; the parameters are those of :func:`shoal.anonymize`.

    Takes arrays, and frames of pandas, Polars, PyArrow or DuckDB; gives the same kind, rows in their order, a pandas
    index of plain row numbers kept. ``quasi_identifiers`` are all columns unless named; the columns of an array are
    called ``x0``, ``x1`` and so on. Arrays publish means unless ``render`` says otherwise.

    After ``fit``: ``labels_``, the class of each row; ``release_``, with table, plan, verdict and measurements;
    ``n_features_in_`` and, of frames, ``feature_names_in_``. ``transform`` lets new rows join the fitted classes and
    shows what those publish. What is promised then holds for the fitted table and the new rows published together, and
    is checked on both; rows that fit no class, or break a model, are refused. The same rows as in ``fit`` give what
    ``fit_transform`` gave, but that equal rows in different classes all join the first of these.

    A fitted estimator holds the coordinates of all records: it is as private as the table. So is the order of the
    rows: publish ``shoal.anonymize(...).save(...)``, which shuffles them, not what this returns.
    """

    @takes(SETTINGS)
    def __init__(
        self,
        k: int = 10,
        *,
        quasi_identifiers: Iterable[str] | None = None,
        sensitive: Iterable[str] = (),
        identifiers: Iterable[str] = (),
        insensitive: Iterable[str] = (),
        drop: Iterable[str] = (),
        hierarchies: Mapping[str, Any] | None = None,
        kinds: Mapping[str, str] | None = None,
        orders: Mapping[str, Sequence[str]] | None = None,
        date_format: str | Mapping[str, str] | None = None,
        decimal: str | Mapping[str, str] | None = None,
        thousands: str | Mapping[str, str] | None = None,
        weights: Mapping[str, float] | None = None,
        scales: Mapping[str, str] | None = None,
        render: str | Mapping[str, str] | None = None,
        models: Mapping[str, Mapping[str, Any]] | None = None,
        seed: int = 0,
        **settings: Any,
    ) -> None:
        self.k = k
        self.quasi_identifiers = quasi_identifiers
        self.sensitive = sensitive
        self.identifiers = identifiers
        self.insensitive = insensitive
        self.drop = drop
        self.hierarchies = hierarchies
        self.kinds = kinds
        self.orders = orders
        self.date_format = date_format
        self.decimal = decimal
        self.thousands = thousands
        self.weights = weights
        self.scales = scales
        self.render = render
        self.models = models
        self.seed = seed
        for one in SETTINGS:
            setattr(self, one.name, settings.get(one.name, one.keyword_default))

    # -- fitting ------------------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None) -> Anonymizer:  # noqa: N803
        """Find the classes of the rows; ``y`` is not looked at."""
        self._fit(X)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:  # noqa: N803
        """The rows as their classes publish them, of the same kind and in the same order; ``y`` is not looked at."""
        data = self._fit(X)
        return data.back(self.release_.released, _changed(self.release_))

    def _fit(self, X: Any) -> Given:  # noqa: N803
        with as_value_errors():
            data = self._given(X, reset=True)
            plan = self._plan(data)
            _check_rows(data.table, plan)
            release = run(data.table, plan)
            self._classes = FittedClasses.of(encode(data.table, release.plan), release.classes, release.plan)
        release.warn(stacklevel=4)
        # What goes with the original would be copied wherever the estimator is.
        self.release_ = release.publishable(portrayed=False)
        self.labels_ = release.classes
        self._names = data.table.names
        return data

    def _given(self, X: Any, *, reset: bool) -> Given:  # noqa: N803
        """The input as a table, with the number and names of its columns as they were in ``fit``."""
        data = given(X)
        try:
            validation.validate_data(self, data.checked, reset=reset, skip_check_array=True)
        except ValueError as problem:  # it tells numbers and names of columns, and no cell
            raise InvalidInputError(
                str(problem),
                where="X",
                allowed="the columns that were given to fit, in their order",
                received=f"{len(data.table.names)} columns",
                todo="give the same columns as in fit, or fit again",
            ) from None
        return data if reset else data.as_fitted(self._names)

    def _plan(self, data: Given) -> Plan:
        names = data.table.names
        own = self.quasi_identifiers
        others = {*self.sensitive, *self.identifiers, *self.insensitive, *self.drop}
        plan = Plan.of(
            _whole(self.k),
            quasi_identifiers=[name for name in names if name not in others] if own is None else own,
            render=(ARRAY_RENDER if data.is_array else None) if self.render is None else self.render,
            models=self.models or {},
            seed=_whole(self.seed),
            keep_order=True,
            **{name: getattr(self, name) for name in AS_GIVEN},
            **{one.name: value for one in SETTINGS if (value := getattr(self, one.name)) is not None},
        )
        able = catalog.load("algorithms", plan.method).CAPABILITIES
        if kind_named(able.releases).weaker or able.suppresses:
            raise InvalidInputError(
                "The method does not keep every row in one table of classes, which a transformer must.",
                where=f"method {plan.method!r}",
                allowed="a method that releases all rows in classes",
                received=f"a method that releases {able.releases}" + ", and leaves rows out" * able.suppresses,
                todo="choose another method, or use shoal.anonymize",
            )
        return plan

    # -- new rows -----------------------------------------------------------------------------------------

    def transform(self, X: Any) -> Any:  # noqa: N803
        """New rows as the fitted classes publish them, checked together with the fitted table."""
        validation.check_is_fitted(self, "labels_")
        with as_value_errors():
            data = self._given(X, reset=False)
            classes = self._classes.assign(as_known(data.table, self.release_.plan))
        outside = int((classes == NOWHERE).sum())
        if outside:
            raise CannotAssignError(
                "Some rows lie outside of what every class publishes, so that no label would be true of them.",
                where="transform",
                allowed="rows that are inside the published ranges, nodes or sets of one of the classes",
                received=f"{outside} others (of {len(classes)} rows)",
                todo="fit again with the new rows, or publish centres, e.g. render='mean'",
            )
        shown = self._shown(data.table, classes)
        self._check_together(shown)
        return data.back(shown, _changed(self.release_))

    def _shown(self, table: Table, classes: NDArray[np.int64]) -> Table:
        """The new rows with the published cells of their classes instead of their own."""
        released, plan = self.release_.released, self.release_.plan
        parts: list[Table] = [table]
        for name in plan.quasi_identifiers:
            for shown in plan.published(name):
                rows = _one_of_each(self.labels_, released.missing(shown))[classes]
                if plan.missing == "wildcard":  # a missing cell stays missing, whatever its class shows
                    rows = np.where(table.missing(name), -1, rows)
                parts.insert(0, released.select([shown]).take_or_missing(rows))
        return side_by_side(parts, released.names)

    def _check_together(self, shown: Table) -> None:
        released, plan = self.release_.released, self.release_.plan
        verdict = check(stacked([released, shown], released.names), plan=plan)
        if not verdict.holds:
            broken = [one for one in verdict.findings if one.holds is False]
            raise CannotAssignError(
                "With the new rows, the released table would break a promise.",
                where=f"transform, model {listed(one.model for one in broken)}",
                allowed="rows with which every model that was asked for still holds",
                received=listed(one.statement for one in broken),
                todo="fit again with the new rows",
            )

    # -- what scikit-learn asks ---------------------------------------------------------------------------

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """The names of the columns that are published; of an array, ``input_features`` may name its columns."""
        validation.check_is_fitted(self, "labels_")
        plan = self.release_.plan
        named = zip(self._names, validation._check_feature_names_in(self, input_features))
        gone = plan.removed
        shown = {
            old: [new + label[len(old) :] for label in (plan.published(old) if old in plan.columns else [old])]
            for old, new in named
            if old not in gone
        }
        return np.array([label for labels in shown.values() for label in labels], dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        return tags


def _changed(release: Release) -> frozenset[str]:
    return frozenset(release.plan.published_quasi_identifiers)


def _whole(number: Any) -> Any:
    """Whole numbers of numpy, which searches over parameters make, as those of Python."""
    return int(number) if isinstance(number, np.integer) else number


def _check_rows(table: Table, plan: Plan) -> None:
    if len(table) < plan.k:
        raise InvalidInputError(
            "There are fewer rows than a class needs.",
            where="X",
            allowed=f"at least k = {plan.k} rows",
            received=f"n_samples = {len(table)}",
            todo="give more rows, or choose a smaller k",
        )


def _one_of_each(labels: NDArray[np.int64], missing: NDArray[np.bool_]) -> NDArray[np.int64]:
    """[class] a row of it, one with a cell that is not missing where it has one."""
    order = np.lexsort((np.arange(len(labels)), missing, labels))
    first: NDArray[np.int64] = order[np.searchsorted(labels[order], np.arange(labels.max() + 1))]
    return first
