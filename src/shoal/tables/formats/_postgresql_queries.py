# SPDX-License-Identifier: Apache-2.0
"""What a query may do on a PostgreSQL server: read tables, and nothing besides.

A read-only transaction keeps a query from changing tables. It does not keep a privileged user's query from reading
the server's files (``pg_read_file``), writing some (``lo_export``), ending other people's sessions, calling other
servers (``dblink``) or running a text as SQL (``query_to_xml``). All these are functions that the server itself holds
to have effects ("volatile"). So the server is asked to take the query apart without running it, and to say what it
calls and reads; PostgreSQL prints its parse tree for whoever sets ``debug_print_parse``.
"""

from __future__ import annotations

import re
from typing import Any

from shoal.ground.errors import TableError, listed
from shoal.tables.sql import no_single_query

SHOW_TREE = "set local client_min_messages = log; set local debug_pretty_print = off; set local debug_print_parse = on"
HIDE_TREE = "set local debug_print_parse = off; set local client_min_messages = notice"
A_SELECT = "{QUERY :commandType 1 "
HARMLESS = ("random", "random_normal", "gen_random_uuid", "uuidv4", "uuidv7", "clock_timestamp", "timeofday")
"""Functions with effects, as the server has it, that only give another answer at each call."""
TELLING = ("current_setting", "pg_show_all_settings", "pg_prepared_statement", "pg_cursor", "pg_lock_status")
ABOUT = (
    "pg_settings",
    "pg_user_mappings",
    "pg_user_mapping",
    "pg_foreign_server",
    "pg_prepared_statements",
    "pg_cursors",
)
"""Functions and tables that tell of the server: its settings, what others are doing, passwords to other servers."""

CALLED = re.compile(r":(?:funcid|aggfnoid|winfnoid|opfuncid|tsmhandler) (\d+)")
OPERATORS = re.compile(r":(?:opno|eqop|sortop) (\d+)")
RELATIONS = re.compile(r":relid (\d+)")

FUNCTIONS_WITH_EFFECTS = r"""
with called(id) as (
    select unnest(%(called)s::oid[])
    union select oprcode from pg_catalog.pg_operator where oid = any(%(operators)s::oid[])
), parts(id) as (
    select id from called
    union select unnest(array[aggtransfn, aggfinalfn, aggcombinefn]::oid[])
          from pg_catalog.pg_aggregate where aggfnoid = any(select id from called)
)
select distinct proname::text from pg_catalog.pg_proc
where oid = any(select id from parts) and provolatile = 'v'
    and not (pronamespace = 'pg_catalog'::regnamespace and proname = any(%(harmless)s))
union select proname::text from pg_catalog.pg_proc
where oid = any(select id from parts) and pronamespace = 'pg_catalog'::regnamespace
    and (proname like 'pg\_stat\_get\_%%' or proname = any(%(telling)s))
order by 1
"""
PRIVATE_RELATIONS = r"""
select relname::text from pg_catalog.pg_class
where oid = any(%(relations)s::oid[]) and relnamespace in ('pg_catalog'::regnamespace, 'pg_toast'::regnamespace)
    and (not has_table_privilege('public', oid, 'select') or relname like 'pg\_stat%%' or relname = any(%(about)s))
order by 1
"""


def refuse_what_has_effects(connection: Any, statement: str, where: str) -> None:
    """Refuse whatever is not one select of tables by functions without effects."""
    tree = _taken_apart(connection, statement, where)
    if not tree.startswith(A_SELECT):
        raise no_single_query(where)
    asked = {
        "called": _numbers(CALLED, tree),
        "operators": _numbers(OPERATORS, tree),
        "relations": _numbers(RELATIONS, tree),
        "harmless": list(HARMLESS),
        "telling": list(TELLING),
        "about": list(ABOUT),
    }
    for what, question in (("function", FUNCTIONS_WITH_EFFECTS), ("system table", PRIVATE_RELATIONS)):
        names = [name for (name,) in connection.execute(question, asked).fetchall()]
        if names:
            raise TableError(
                f"The query uses a {what} that reaches beyond the tables.",
                where=where,
                allowed="tables, views, and functions that the server holds to be stable or immutable",
                received=listed(map(repr, names)),
                todo="leave it out; whatever else has to happen is done in the database, by whoever answers for it",
            )


def _taken_apart(connection: Any, statement: str, where: str) -> str:
    """The parse tree of a statement that is not run; the extended protocol takes one statement at a time."""
    from psycopg.errors import SyntaxError as NoStatement
    from psycopg.errors import error_from_result
    from psycopg.pq import ExecStatus

    trees: list[str] = []

    def keep(notice: Any) -> None:
        trees.append(" ".join((notice.message_detail or "").split()))  # the server breaks it into lines

    connection.add_notice_handler(keep)
    try:
        connection.execute(SHOW_TREE)
        result = connection.pgconn.prepare(b"", statement.encode())
        if result.status == ExecStatus.FATAL_ERROR:
            problem = error_from_result(result)
            several = isinstance(problem, NoStatement) and "multiple commands" in str(problem)
            raise no_single_query(where) if several else problem
    finally:
        connection.remove_notice_handler(keep)
    connection.execute(HIDE_TREE)
    return " ".join(tree for tree in trees if tree.startswith("{"))


def _numbers(pattern: re.Pattern[str], tree: str) -> list[int]:
    return sorted({int(number) for number in pattern.findall(tree)})
