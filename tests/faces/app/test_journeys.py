# SPDX-License-Identifier: Apache-2.0
"""The journeys of people through the app, in a real browser; nothing leaves the machine."""

from __future__ import annotations

import hashlib
import http.server
import json
import re
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.faces.app.conftest import RunningApp, Visitor

SCREENS = ("file", "columns", "columns/1", "columns/4/tree", "protection", "result", "compare", "attack", "check")
SCREENS += ("words", "plan")


def downloaded(visitor: Visitor, words: str, place: Path) -> Path:
    """What a link gives to take away."""
    with visitor.page.expect_download() as found:
        visitor.page.get_by_role("link", name=words).first.click()
    found.value.save_as(place)
    return place


def release(visitor: Visitor) -> None:
    """Make one, from the screen of columns."""
    visitor.see("columns")
    visitor.click("Make it safe to share")
    visitor.until("result/")


def test_the_first_release(visitor: Visitor, tmp_path: Path, patients: Path) -> None:
    """Two clicks with the suggestions accepted: the table, and a folder that the checker accepts."""
    visitor.quick()
    visitor.see("columns")
    expect(visitor.page.locator("#exposed strong")).to_contain_text("rows are alone")
    visitor.page.keyboard.press("Tab")
    visitor.page.get_by_role("button", name="Make it safe to share").focus()
    visitor.page.keyboard.press("Enter")  # the first activation
    visitor.until("result/")
    expect(visitor.page.locator(".verdict strong").first).to_contain_text("Holds")
    table = downloaded(visitor, "Download the table to publish", tmp_path / "table.csv")  # the second
    assert table.read_text().splitlines()[0] == "age,sex,postcode,marital_status,diagnosis"
    archive = downloaded(visitor, "Keep the folder", tmp_path / "release.zip")
    zipfile.ZipFile(archive).extractall(tmp_path)
    names = {one.name for one in (tmp_path / "release").iterdir()}
    assert names >= {"table.csv", "report.html", "report.json", "plan.toml", "manifest.json"}
    assert shoal_says("check", tmp_path / "release").returncode == 0
    plan = downloaded(visitor, "Save the plan", tmp_path / "plan.zip")
    zipfile.ZipFile(plan).extractall(tmp_path / "plan")
    again = shoal_says(
        "anonymize", patients, "--plan", tmp_path / "plan" / "plan.toml", "-o", tmp_path / "again", "--quiet"
    )
    assert again.returncode == 0, again.stderr
    assert sha256(tmp_path / "again" / "table.csv") == sha256(table) == sha256(tmp_path / "release" / "table.csv")
    assert sha256(patients.parent / "out" / "release-1" / "table.csv") == sha256(table)  # --out


def shoal_says(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """The command line."""
    return subprocess.run(
        [sys.executable, "-m", "shoal", *map(str, arguments)], check=False, capture_output=True, text=True
    )


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_wrong_file_says_what_is_wrong(visitor: Visitor, tmp_path: Path) -> None:
    """No stack of calls, no cell, what to do next; and the table that was open is still there."""
    (tmp_path / "broken.csv").write_text("a,b\n1,2\nmarker-cell,3,4\n")
    visitor.see("file")
    visitor.page.set_input_files("#upload", tmp_path / "broken.csv")
    visitor.until("run")
    problem = visitor.page.get_by_role("alert")
    expect(problem).to_contain_text("next")
    assert "marker-cell" not in visitor.page.content()
    visitor.see("columns")
    expect(visitor.page.locator(".table-name")).to_have_text("patients.csv")
    visitor.see("file")
    visitor.page.fill("#path", "/no/such/file.csv")
    visitor.click("Open")
    expect(visitor.page.get_by_role("alert")).to_contain_text("There is no such file")
    visitor.complaints[:] = [one for one in visitor.complaints if "400" not in one]  # the refusal itself


def test_what_keeps_the_button_from_working_stands_beside_it(visitor: Visitor) -> None:
    """No recognisable column, or fewer rows than k: said in words, and undone by Undo."""
    visitor.see("columns")
    for place in range(6):
        visitor.page.check(f"input[name='role.{place}'][value=identifier]")
    visitor.page.locator(".go button", has_text="Save").first.click()
    expect(visitor.page.locator("#blocked")).to_contain_text("No column is marked")
    expect(visitor.page.get_by_role("button", name="Make it safe to share")).to_be_disabled()
    visitor.click("Undo")
    visitor.quick(301)
    visitor.see("columns")
    expect(visitor.page.locator("#blocked")).to_contain_text("300 rows")
    visitor.click("Undo")
    expect(visitor.page.locator("#blocked")).to_be_hidden()


def test_quality_that_is_required_is_a_gate(visitor: Visitor) -> None:
    """What can be required is listed; passed it stands in the verdict, missed there is no release, and it is undone."""
    visitor.quick()
    for gate, seen in (("loss <= 0.99", "required is loss <= 0.99, and it is"), ("loss <= 0", "not as good as was")):
        visitor.see("protection")
        visitor.page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        expect(visitor.page.locator("dt", has_text="query_error")).to_be_visible()
        visitor.page.fill("#f-require", gate)
        visitor.click("Make it safe to share")
        expect(visitor.page.locator(".verdict, [role=alert]").first).to_contain_text(seen)
        if gate == "loss <= 0.99":
            light = visitor.page.locator(".facts div", has_text="required: <= 0.99")
            expect(light.locator(".good")).to_contain_text("✔ 0.")
    for _ in range(2):
        visitor.click("Undo")


def test_the_list_of_actions_goes_into_the_report(visitor: Visitor) -> None:
    """On request: with times and without a value; the folder with it still holds, and the next report is without it."""
    visitor.quick(6)
    visitor.see("plan")
    visitor.click("Put this list into the reports to come")
    expect(visitor.page.locator("main")).to_contain_text("It goes into the report of the next release")
    release(visitor)
    visitor.page.goto(visitor.page.url + "/report")
    expect(visitor.page.locator("body")).to_contain_text("What led to the plan", ignore_case=True)
    expect(visitor.page.locator("body")).to_contain_text("protection (k = 6")
    visitor.see("plan")
    visitor.click("Leave this list out of reports")
    visitor.click("Undo")


def test_back_forward_and_many_tabs(visitor: Visitor, tab: BrowserContext) -> None:
    """Every screen has its address; eight tabs all answer, also while they ask how far a job is."""
    for screen in ("columns", "protection", "words"):
        visitor.see(screen)
    visitor.page.go_back()
    expect(visitor.page.get_by_role("heading", level=1)).to_have_text("How well must people be hidden?")
    visitor.page.go_forward()
    visitor.page.reload()
    expect(visitor.page.get_by_role("heading", level=1)).to_have_text("What do the words mean?")
    pages = [tab.new_page() for _ in range(8)]
    for page in pages:
        page.goto(f"{visitor.base}/columns")
    assert [page.locator("h1").inner_text() for page in pages] == ["What is each column?"] * 8
    for page in pages:
        page.close()


def test_an_identifier_is_not_published_by_oversight(visitor: Visitor) -> None:
    """A column that names persons is refused as “neither” until somebody accepts it by a tick."""
    visitor.quick()
    visitor.see("columns")
    visitor.page.check("input[name='role.0'][value=insensitive]")
    visitor.click("Make it safe to share")
    expect(visitor.page.get_by_role("alert")).to_contain_text("point to persons")
    visitor.see("columns")
    expect(visitor.page.locator(".accept")).to_have_count(1)
    visitor.click("Undo")


def test_a_tree_is_edited_and_undone(visitor: Visitor) -> None:
    """Merge, rename, split, move, dissolve: each a step that Undo takes back; what is not covered is counted."""
    visitor.see("columns/4/tree")
    page = visitor.page
    page.locator(".count").or_(page.get_by_role("link", name="Rows are counted: show them")).first.wait_for()
    visitor.see("columns/4/tree")
    expect(page.locator(".count").first).to_be_visible()
    before = visitor.page.locator(".tree li").count()
    page.locator(".tree input").nth(0).check()
    page.locator(".tree input").nth(1).check()
    page.fill("#label", "Together")
    visitor.click("Merge")
    expect(page.locator(".tree li")).to_have_count(before - 1)
    page.get_by_role("link", name="Open the group Together").click()
    page.fill("#renamed", "Joined")
    visitor.click("Rename")
    expect(page.locator(".way strong")).to_have_text("Joined")
    page.locator(".tree input").nth(0).check()
    page.fill("#label", "Apart")
    visitor.click("Split off")
    expect(page.locator("#target option", has_text="Apart")).to_have_count(1)
    visitor.see("columns/4/tree")
    page.locator(".tree li", has_not_text="open").locator("input").first.check()
    page.select_option("#target", label="Apart")
    visitor.click("Move")
    page.get_by_role("link", name="Open the group Apart").click()
    expect(page.locator(".tree li")).to_have_count(2)
    visitor.click("Dissolve this group")
    expect(page.locator("#target option", has_text="Apart")).to_have_count(0)
    for _ in range(5):
        visitor.click("Undo")
    visitor.see("columns/4/tree")
    expect(page.locator(".tree li")).to_have_count(before)


def test_a_tree_that_lacks_values_says_so(visitor: Visitor, tmp_path: Path) -> None:
    """A level file that misses values is taken, the gap is counted, and one click places the rest."""
    (tmp_path / "tree.csv").write_text("married;together;*\nwidowed;alone;*\n")
    visitor.see("columns/4/tree")
    visitor.page.set_input_files("#bring", tmp_path / "tree.csv")
    expect(visitor.page.locator(".stale")).to_contain_text("Not covered")
    visitor.page.get_by_role("button", name=re.compile("Place them")).click()
    expect(visitor.page.locator("p.good")).to_contain_text("Every value")
    visitor.click("Undo")
    visitor.click("Undo")


@pytest.mark.long
def test_fix_a_column(visitor: Visitor) -> None:
    """What would help is measured; one click tries it, and both results stand side by side."""
    visitor.quick()
    release(visitor)
    visitor.page.get_by_role("link", name=re.compile("Fix the column")).first.click()
    visitor.click("Measure what would help")
    visitor.until("result/.*/fix/")
    expect(visitor.page.locator("tbody tr")).to_have_count(3)
    visitor.page.locator("button[value=drop]").click()
    visitor.until(r"result/[^/]+$")
    expect(visitor.page.get_by_role("heading", name="Beside your other results")).to_be_visible()
    visitor.click("Undo")


def test_compare_and_pick(visitor: Visitor, tmp_path: Path) -> None:
    """No method is below the bound; the chosen point becomes plan and release; the saved plan can be used again."""
    visitor.quick()
    visitor.see("compare")
    visitor.page.evaluate("document.querySelectorAll('[name=method]').forEach(one => one.checked = false)")
    visitor.page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    visitor.page.check("input[name=method][value=hilbert]")
    visitor.page.check("input[name=method][value=k_members]")
    visitor.page.fill("#sizes", "5, 20")
    visitor.click("Compare")
    visitor.until("compare")
    gaps = visitor.page.locator("tbody tr td:nth-child(5)").all_inner_texts()
    assert len(gaps) == 4
    assert all(float(gap) >= 1 for gap in gaps)
    visitor.page.get_by_label("hilbert, k = 20").check()
    visitor.click("Use this, and make the release")
    visitor.until("result/")
    expect(visitor.page.locator(".verdict")).to_contain_text("k = 20")
    visitor.see("plan")
    expect(visitor.page.locator("#plan-toml")).to_contain_text('name = "hilbert"')
    saved = downloaded(visitor, "Save the plan", tmp_path / "plan.zip")
    visitor.click("Undo")
    visitor.see("file")
    visitor.page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    visitor.page.set_input_files("#plan-upload", saved)
    visitor.until("columns")
    expect(visitor.page.locator(".go")).to_contain_text("at least 20")
    visitor.click("Undo")


def test_points_appear_as_they_finish(visitor: Visitor) -> None:
    """While a slow method runs, those that have ended are drawn and listed; the rest can be left out."""
    search_for_ever(visitor)
    visitor.see("compare")
    visitor.page.evaluate("document.querySelectorAll('[name=method]').forEach(one => one.checked = false)")
    visitor.page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    for method in ("hilbert", "shoal"):
        visitor.page.check(f"input[name=method][value={method}]")
    visitor.page.fill("#sizes", "5")
    visitor.click("Compare")
    expect(visitor.page.locator(".points tbody tr")).to_have_count(1, timeout=120_000)  # two processes start
    expect(visitor.page.locator("#so-far svg")).to_contain_text("lower bound")
    visitor.click("Stop and look at what there is")
    visitor.until("compare")
    expect(visitor.page.get_by_label("hilbert, k = 5")).to_be_visible()
    visitor.click("Undo")


def search_for_ever(visitor: Visitor) -> None:
    """A plan whose search does not end by itself."""
    visitor.quick()
    visitor.see("protection")
    visitor.page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    visitor.page.fill("#f-time_budget", "")
    visitor.page.fill("#f-steps", "100000000")
    visitor.page.locator(".go button", has_text="Save").click()
    visitor.until("protection")


def test_check_a_defective_file(visitor: Visitor, tmp_path: Path) -> None:
    """A foreign table with a running number and a row of its own: k found, the leak named; then the claim refused."""
    rows = [f"{number},[30, 39],f,{'x' if number % 2 else 'y'}" for number in range(20)]
    lines = [
        "index;age;sex;illness",
        *(row.replace(",", ";").replace("[30; 39]", "[30, 39]") for row in rows),
        "20;41;m;z",
    ]
    (tmp_path / "released.csv").write_text("\n".join(lines) + "\n")
    visitor.see("check")
    visitor.page.set_input_files("#upload", tmp_path / "released.csv")
    visitor.until("check")
    expect(visitor.page.locator(".verdict")).to_contain_text("k = 1")
    visitor.page.fill("#k", "5")
    visitor.click("Check again")
    visitor.until("check")
    expect(visitor.page.locator(".verdict")).to_contain_text("Does not hold")
    expect(visitor.page.locator("main")).to_contain_text("index")


def test_attack_the_release(visitor: Visitor, tmp_path: Path, patients: Path) -> None:
    """By who knows all, and by who holds a table from outside; on paper stands no value of the original."""
    visitor.quick()
    release(visitor)
    visitor.see("attack")
    visitor.page.locator("main form button").first.click()
    visitor.until("attack")
    expect(visitor.page.locator(".verdict")).to_contain_text("No attack learned more")
    names = {line.partition(",")[0] for line in patients.read_text().splitlines()[1:]}
    assert not [name for name in names if name in visitor.page.content()]
    assert visitor.page.pdf().startswith(b"%PDF")
    visitor.see("result")
    visitor.page.emulate_media(media="print")
    paper = visitor.page.inner_text("body")
    assert "Holds" in paper
    assert not [name for name in names if name in paper]
    visitor.page.emulate_media(media="screen")
    visitor.see("attack")
    register = tmp_path / "register.csv"
    lines = [line.split(",") for line in patients.read_text().splitlines()]
    register.write_text("\n".join(",".join(line[:3]) for line in lines) + "\n")
    visitor.page.set_input_files("#upload", register)
    expect(visitor.page.locator("main")).to_contain_text("register.csv", timeout=120_000)


def test_cancel_and_run_again_and_take_the_best_so_far(visitor: Visitor) -> None:
    """A long search is cancelled within seconds and nothing is left; the next one ends with the best so far."""
    search_for_ever(visitor)
    visitor.see("columns")
    visitor.page.locator("button.main").dblclick()  # one job all the same
    expect(visitor.page.locator("#finish")).to_be_visible(timeout=30_000)
    expect(visitor.page.locator("#so-far")).to_contain_text("nobody can get below")
    visitor.click("Cancel")
    expect(visitor.page.locator(".lead")).to_contain_text("Cancelled")
    visitor.see("columns")
    expect(visitor.page.locator("#job")).to_be_empty()
    expect(visitor.page.locator("#needs")).to_contain_text("GB of memory")
    visitor.click("Make it safe to share")
    expect(visitor.page.locator("#finish")).to_be_visible(timeout=30_000)
    visitor.page.reload()
    expect(visitor.page.locator("#finish")).to_be_visible(timeout=30_000)
    visitor.click("Stop and use the best so far")
    visitor.until("result/")
    expect(visitor.page.locator("main")).to_contain_text("took the best so far")
    visitor.click("Undo")
    visitor.click("Undo")


def test_two_tabs(visitor: Visitor, tab: BrowserContext, app: RunningApp) -> None:
    """What an older page wants to change is refused with a page that says so; nothing is lost."""
    visitor.see("protection")
    other = Visitor(tab.new_page(), visitor.base)
    other.quick(7)
    visitor.page.fill("#k", "9")
    visitor.page.locator(".go button", has_text="Save").click()
    expect(visitor.page.get_by_role("heading", level=1)).to_have_text("The plan was changed in another tab")
    visitor.see("protection")
    expect(visitor.page.locator("#k")).to_have_value("7")
    other.page.close()
    visitor.complaints[:] = [one for one in visitor.complaints if "409" not in one]  # the refusal itself


def test_values_can_be_covered(visitor: Visitor) -> None:
    """For who shares a screen: no cell can be read, on any screen, until they are shown again."""
    visitor.see("columns")
    visitor.click("Cover values")
    colours = "[...document.querySelectorAll('.cells')].map(one => getComputedStyle(one).color)"
    for screen in ("columns", "columns/4/tree", "result"):
        visitor.see(screen)
        assert set(visitor.page.evaluate(colours)) == {"rgba(0, 0, 0, 0)"}, screen
    visitor.click("Show values")


@pytest.mark.parametrize(
    ("width", "scheme"),
    [(390, "dark"), *(pytest.param(wide, "light", marks=pytest.mark.long) for wide in (320, 1280))],
)
def test_every_screen_is_accessible_and_fits(
    app: RunningApp, tab: BrowserContext, chromium: Browser, width: int, scheme: str
) -> None:
    """Names, headings, contrast by axe-core, every fold open; no screen is wider than a telephone."""
    context = chromium.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme)
    context.add_cookies(tab.cookies(f"http://127.0.0.1:{app.port}{app.base}/"))
    visitor = Visitor(context.new_page(), f"http://127.0.0.1:{app.port}{app.base}")
    found = {}
    for screen in SCREENS:
        visitor.see(screen)
        visitor.page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        wide = visitor.page.evaluate("document.documentElement.scrollWidth")
        found[screen] = [*visitor.violations(), *([f"{wide} wide"] if wide > width else [])]
    context.close()
    assert {screen: faults for screen, faults in found.items() if faults} == {}
    assert visitor.complaints == []


@pytest.fixture
def elsewhere(app: RunningApp, tab: BrowserContext) -> Iterator[str]:
    """Another server of this computer, whose page wants to use the app: by a form, by a frame, by asking."""
    aim = f"http://127.0.0.1:{app.port}{app.base}"
    page = f"""<!doctype html><title>x</title><form method=post action="{aim}/plan/step"><input name=way value=undo>
    <input name=revision value=1><button>Go</button></form><iframe src="{aim}/columns"></iframe>"""

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(page.encode())

        def log_message(self, *_: object) -> None: ...

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


def test_other_pages_reach_nothing_in_a_browser_that_is_let_in(
    app: RunningApp, tab: BrowserContext, elsewhere: str
) -> None:
    """A page of another port is not framed and changes nothing; a name that was made to lead here gets no page."""
    page = tab.new_page()
    page.goto(elsewhere)
    assert "What is each column" not in page.frames[1].content()
    with page.expect_navigation() as sent:
        page.get_by_role("button", name="Go").click()
    assert sent.value.status == 403
    assert page.goto(f"http://evil.test:{app.port}{app.base}/columns").status == 421
    page.close()


def test_without_scripts_the_pages_explain_themselves(app: RunningApp, tab: BrowserContext, chromium: Browser) -> None:
    """The door takes a token by hand, a file is opened by its path; in another profile nothing opens."""
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    base = f"http://127.0.0.1:{app.port}"
    assert page.goto(f"{base}{app.base}/columns").status == 401
    assert "prints a new link" in page.inner_text("main")
    page.goto(f"{base}/open")
    assert page.get_by_label("paste what stands behind the #").is_visible()
    context.add_cookies(tab.cookies(f"{base}{app.base}/"))
    page.goto(f"{base}{app.base}/file")
    assert "Without JavaScript a file is opened by its path" in page.inner_text("main")
    context.close()


def test_nothing_of_the_table_is_logged(app: RunningApp, visitor: Visitor, patients: Path) -> None:
    """What the app said on the way names no column, no file and no person."""
    visitor.see("columns")
    said = app.stderr()
    assert "patients" not in said
    assert "marital" not in said
    assert json.dumps(said).count("Traceback") == 0
