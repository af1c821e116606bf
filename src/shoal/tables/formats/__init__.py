# SPDX-License-Identifier: Apache-2.0
"""How tables stand in files and databases: one format per file.

A format holds ``EXTENSIONS`` (or ``SCHEMES``, of addresses), ``read(path, reading) -> (Table, Reading)`` and, if it can
be released in, ``write(table, path, reading)``. ``KEEPS`` says in a few words what comes back as it was; ``LOSES`` what
does not, by the words of ``shoal.testing.formats.DECLARED`` or words of its own. A table of cells without types is
made with ``untyped=True``. A format of files beyond memory has ``read_parts(path, reading)``, which gives what ``read``
gives some records at a time, and ``write_parts(tables, path, reading)``. Where it fits: ``PACKED`` (it may be packed,
as ``.gz``), ``RELEASED_AS`` (the format of a release of such a table), ``EXTRA`` (what to install).
"""
