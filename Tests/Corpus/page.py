"""Opens the page of 50 plugins and 5,000 findings in Chromium: page.py NPI_PACK CHROMIUM.

It must be small, open in a second, work by keyboard alone, fit on a phone, need no network, and pass axe-core.
"""
import json, pathlib, random, subprocess, sys, tempfile
import axe_playwright_python
from playwright.sync_api import sync_playwright

PLUGINS, EACH, BYTES, SECONDS = 50, 100, 3_000_000, 1.0
AXE = (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
PAINTED = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now()))))"


def report(program, folder):
    random.seed(1)
    for plugin in range(PLUGINS):
        others = [other for other in range(PLUGINS) if other != plugin]
        queries = [f"Plugin{random.choice(others)}.query{plugin}_{number}" for number in range(EACH)]
        policy = {"plugin": f"Plugin{plugin}", "sends": {"queries": queries}}
        (folder / f"Plugin{plugin}.policy.json").write_text(json.dumps(policy))
    files = sorted(path.name for path in folder.glob("*.json"))
    command = [program, "check", "--format", "html", "-o", "report.html", *files]
    status = subprocess.run(command, cwd=folder, stderr=subprocess.DEVNULL).returncode
    assert status == 1, f"the check ends with {status}"
    return folder / "report.html"


def opens(browser, page_file):
    times = []
    for _ in range(5):
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        page.goto(page_file.as_uri())
        times.append(page.evaluate(PAINTED) / 1000)
        page.close()
    print("opens in", *(f"{time:.2f}" for time in times), "seconds")
    assert sorted(times)[2] < SECONDS, "the page opens slowly"


def is_accessible(browser, page_file):
    for scheme in ["light", "dark"]:
        context = browser.new_context(color_scheme=scheme, bypass_csp=True)
        page = context.new_page()
        page.goto(page_file.as_uri())
        page.locator(".finding > summary").first.click()
        page.evaluate(AXE)
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
        assert not found, [(rule["id"], rule["nodes"][0]["html"]) for rule in found]
        context.close()


def works_by_keyboard(browser, page_file):
    page = browser.new_page()
    page.goto(page_file.as_uri())
    focused = "document.activeElement.matches('.finding > summary')"
    for _ in range(200):
        page.keyboard.press("Tab")
        if page.evaluate(focused):
            break
    assert page.evaluate(focused), "Tab reaches no finding"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.parentElement.open"), "Enter does not open a finding"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("!!document.querySelector(':popover-open')"), "no explanation of the rule"
    page.keyboard.press("Escape")
    count = page.evaluate("[...document.querySelectorAll('.finding > summary')].filter(one => one.tabIndex >= 0).length")
    assert count == PLUGINS * EACH, f"a keyboard reaches {count} findings"
    page.goto(page_file.as_uri() + "#f4321")
    page.reload()
    assert page.evaluate("document.getElementById('f4321').open"), "a link does not open its finding"
    page.close()


def fits_on_a_phone(browser, page_file):
    page = browser.new_page(viewport={"width": 400, "height": 800})
    outside = []
    page.on("request", lambda request: outside.append(request.url))
    page.goto(page_file.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= 400, "the page is wider than a phone"
    assert outside == [page_file.as_uri()], outside
    page.close()


with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
    file = report(str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(folder))
    size = file.stat().st_size
    print(size, "bytes")
    assert size < BYTES, "the page is large"
    browser = playwright.chromium.launch(executable_path=sys.argv[2], args=["--no-sandbox"])
    for look in [opens, is_accessible, works_by_keyboard, fits_on_a_phone]:
        look(browser, file)
    browser.close()
