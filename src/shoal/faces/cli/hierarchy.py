# SPDX-License-Identifier: Apache-2.0
r"""Build, show, check and edit hierarchies: how the values of a column get coarser.

\b
    shoal hierarchy build people.csv age --kind nice_numbers -o age.csv
    shoal hierarchy show age.csv --picture age.svg
    shoal hierarchy check age.csv --of people.csv
    shoal hierarchy edit age.csv --rename "[0, 49]=young"
"""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from shoal.faces.cli import _flags as flags
from shoal.faces.cli._hierarchies import edited, in_editor, looked_up, nested_facts, write_whole
from shoal.faces.cli._listing import listing
from shoal.faces.cli._output import note, say, say_json
from shoal.faces.cli._settings import all_reading_flags, reading_of

table_flags = flags.together(
    click.option("--of", type=flags.place, metavar="TABLE", help="The table that the column stands in."),
    click.option("--column", metavar="NAME", help="The column; the file's name unless given."),
    all_reading_flags,
)


@click.group(help=flags.shown(__doc__), invoke_without_command=True)
@click.pass_context
def command(context: click.Context) -> None:
    """The group of commands; alone it helps."""
    if context.invoked_subcommand is None:
        say(context.get_help())


command.add_command(listing("hierarchy_kinds", "The ways to build a hierarchy, one line each."), "kinds")


@command.command()
@click.argument("source", metavar="TABLE", type=flags.place)
@click.argument("column")
@click.option("--kind", default="similarity", show_default=True, metavar="NAME", help="How; see shoal hierarchy kinds.")
@click.option("--from", "taken_from", metavar="FILE", help="The file of a mapping, or of ARX.")
@flags.settings_flag
@click.option("-o", "--output", type=flags.path, metavar="FILE", help="Where to write it; printed unless given.")
@click.option("--overwrite", is_flag=True, help="Replace the file if there is one.")
@all_reading_flags
def build(
    source: Path | str,
    column: str,
    kind: str,
    taken_from: str | None,
    output: Path | None,
    overwrite: bool,
    **given: Any,
) -> None:
    """Build the hierarchy of a column and write it as ARX reads it."""
    from shoal.hierarchies.building import build_hierarchy
    from shoal.hierarchies.level_files import even, levels_text
    from shoal.hierarchies.review import review
    from shoal.tables.sources import read_table

    settings = {**given["set"], **({"file": taken_from} if taken_from is not None else {})}
    reading = reading_of(given)
    written = {"date_format": reading.date_format, "decimal": reading.decimal, "thousands": reading.thousands}
    with warnings.catch_warnings(action="ignore"):  # said below
        built = build_hierarchy(read_table(source, reading).table, column, kind, **written, **settings)
    tree = even(built)
    if output is None:
        say(levels_text(tree).rstrip("\n"))
        return
    write_whole(output, levels_text(tree), overwrite=overwrite)
    say(f"{output}: " + "; ".join(replace(review(tree), ungrouped=review(built).ungrouped).shape()))


@command.command()
@click.argument("file", type=flags.path)
@click.option("--depth", type=click.IntRange(min=0), metavar="N", help="How many levels below the root to show.")
@click.option("--most", type=click.IntRange(min=1), metavar="N", help="How many children of one node to show.")
@click.option("--picture", type=flags.path, metavar="FILE", help="Also draw it, as SVG.")
@click.option("--overwrite", is_flag=True, help="Replace the picture if there is one.")
@table_flags
@flags.json_flag
def show(
    file: Path,
    depth: int | None,
    most: int | None,
    picture: Path | None,
    overwrite: bool,
    as_json: bool,
    **given: Any,
) -> None:
    """Show a hierarchy as a tree, with the rows of a table if one is named."""
    from shoal.hierarchies.drawing import draw
    from shoal.hierarchies.level_files import read_levels
    from shoal.hierarchies.outline import outline

    tree = read_levels(file)
    counts = looked_up(file, given)
    if picture is not None:
        write_whole(
            picture, draw(tree, counts, title=file.stem, **({"most": most} if most else {})), overwrite=overwrite
        )
    if as_json:
        say_json(nested_facts(tree, counts))
    else:
        say(outline(tree, counts, depth=depth, most=most))


@command.command()
@click.argument("file", type=flags.path)
@click.option("--values", is_flag=True, help="List the values that are lacking: cells of the table!")
@table_flags
@flags.json_flag
@click.pass_context
def check(context: click.Context, /, file: Path, values: bool, as_json: bool, **given: Any) -> None:
    """Say whether a hierarchy covers its column, and how balanced it is. Exit 1: it lacks values."""
    from shoal.hierarchies.level_files import read_levels
    from shoal.hierarchies.review import review

    found = review(read_levels(file), looked_up(file, given))
    shown = list(found.lacking) if values else []
    if as_json:
        say_json({**found.to_dict(), **({"lacking_values": shown} if values else {})})
    else:
        say("\n".join([*found.sentences(), *(f"  {value}" for value in shown)]))
    context.exit(0 if found.covers else 1)


@command.command()
@click.argument("file", type=flags.path)
@flags.labels_flag("--rename", "OLD=NEW", "Another label for a group.")
@flags.labels_flag("--add", "VALUE=GROUP", "One more value, under a group or the root.")
@flags.labels_flag("--move", "LABEL=GROUP", "Hang a value or group under another group.")
@flags.labels_flag("--merge", "NEW=LABEL,...", "Put neighbours into one group.")
@click.option("--remove", multiple=True, metavar="LABEL", help="Take a value away, or dissolve a group.")
@click.option("--arx", is_flag=True, help="Make all lines equally long and the root *, as ARX asks.")
@click.option("-o", "--output", type=flags.path, metavar="FILE", help="Write the result there and keep FILE.")
@click.option("--overwrite", is_flag=True, help="Replace the file given with -o if there is one.")
@flags.quiet_flag
def edit(file: Path, arx: bool, output: Path | None, overwrite: bool, quiet: bool, **changes: Any) -> None:
    """Change a hierarchy: by flags, in the order rename, add, move, merge, remove; without flags in $EDITOR.

    The result is checked before it is written, and written whole or not at all.
    """
    from shoal.hierarchies.level_files import even, levels_text, read_levels

    tree = read_levels(file)
    new = edited(tree, changes) if any(changes.values()) or arx else in_editor(file)
    new = even(new) if arx else new
    if new.rows() == tree.rows() and output is None:
        note("Nothing changed.", quiet=quiet)
        return
    write_whole(output or file, levels_text(new), overwrite=output is None or overwrite)
    note(f"{output or file}: {len(new.leaf_labels)} values, {new.levels} levels", quiet=quiet)
