# SPDX-License-Identifier: Apache-2.0
"""Published labels, read back: the one place that knows what ``[35, 39]``, ``{a, b}``, ``554**`` and ``*`` say.

Whoever judges a release, or computes with one, asks here. What others may use, module by module:

* ``spelling``, labels as text: ``ANYTHING``, ``members`` of a set, the ``readings`` of a range and the values it
  ``ends_in``;
* ``letters``, what a reader sees of a text: its ``skeleton``;
* ``lines``, labels of numbers, dates and ordered values as a ``Stretch`` of positions (``EVERYTHING`` for ``*``): a
  ``Line`` reads those of its column, ``line_of`` and ``order_line`` make one, ``span_of`` needs none;
* ``values``, single numbers and moments: ``figure_of``, ``moment_of``;
* ``noting``, how labels are written: ``as_read`` gives a table what plan and labels tell;
* ``ends``, a column of numbers or dates to compute with: ``ends_of`` (``Ends``), ``bounds_together``;
* ``trees``, labels of categories: a ``LabelTree`` reads them as nodes;
* ``reach``, a published column beside its original: ``column_of`` (the line or tree), ``labels_of``,
  ``value_positions`` and ``bounds_of`` (the cells), ``reach_of`` (a ``RowReach``, row by row); ``CENTRES`` tell none;
* ``cells``, a whole column for the loss metrics: ``cells_of`` (``PublishedCells``).
"""
