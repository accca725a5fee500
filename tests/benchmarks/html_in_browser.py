"""How fast the HTML report of 10,000 cases with 1,000 failures opens in a browser, and answers its filters.

    python tests/benchmarks/html_in_browser.py [RUNS]

Prints milliseconds, the least of RUNS: to the end of loading, and for each filter to the frame after it. What the
report adds to a run is in reports_cost.py, whose suite this is. Needs playwright and a Chromium.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright
from reports_cost import IMPLEMENTATION, write_suite

sys.path.insert(0, str(Path(__file__).parent.parent))
from browsers import find_browser

FILTERS = ("q=rejection", "q=recovers+B-7", "clause=SV-RES-1", "verdict=passed", "tag=bonus", "")

FILTER = """query => new Promise(done => {
    const began = performance.now();
    const after = () => requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
    addEventListener('hashchange', after, {once: true});
    location.hash = query || 'none';
})"""


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        write_suite(folder / "suite.yaml")
        (folder / "solution.py").write_text(IMPLEMENTATION)
        words = ["--impl", "solution.py", "--cases", "suite.yaml", "-q", "--report", "html=report.html"]
        subprocess.run([sys.executable, "-m", "specharness", *words], cwd=folder, capture_output=True, check=False)
        page = folder / "report.html"
        browser = playwright.chromium.launch(executable_path=find_browser())
        times: dict[str, list[float]] = {}
        shown = {}
        for _ in range(runs):
            tab = browser.new_page()
            began = time.perf_counter()
            tab.goto(page.as_uri())
            times.setdefault("open", []).append((time.perf_counter() - began) * 1000)
            for query in FILTERS:
                times.setdefault(query or "cleared", []).append(tab.evaluate(FILTER, query))
                shown[query or "cleared"] = tab.inner_text("#shown")
            tab.close()
        browser.close()
        print(f"{page.stat().st_size:,} bytes")
        for what, taken in times.items():
            print(f"{what:16} {min(taken):6.0f} ms  {shown.get(what, '')}")


if __name__ == "__main__":
    main()
