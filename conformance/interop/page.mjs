// Opens a page of acp-conform in Chromium as a reader would, and says what it found, as JSON: node page.mjs PAGE CHROMIUM SHOTS
//
// Nothing of the page may reach for the network, fail in the console, or be serious to axe-core.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [page, executablePath, shots] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const url = pathToFileURL(page).href;
const found = { requests: [], console: [], violations: [], steps: {} };

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
try {
  for (const colorScheme of ["light", "dark"]) {
    const context = await browser.newContext({ colorScheme, viewport: { width: 1100, height: 1400 } });
    const tab = await context.newPage();
    tab.on("request", (r) => { if (r.url() !== url) found.requests.push(r.url()); });
    tab.on("console", (m) => found.console.push(m.text()));
    tab.on("pageerror", (e) => found.console.push(String(e)));
    await tab.goto(url);
    found.steps[`background ${colorScheme}`] = await tab.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await tab.evaluate(() => document.querySelectorAll("details").forEach((d) => { d.open = true; }));
    await tab.evaluate(axe);
    const result = await tab.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
    for (const v of result.violations) {
      if (v.impact === "serious" || v.impact === "critical") {
        found.violations.push(`${colorScheme}: ${v.id}: ${v.nodes[0].html} ${v.nodes[0].failureSummary}`);
      }
    }
    await tab.goto(url);
    if (shots) await tab.screenshot({ path: `${shots}/report-${colorScheme}.png` });
    await context.close();
  }
  const tab = await browser.newPage();
  await tab.goto(url);
  const visible = () => tab.locator("details.rule:not([hidden])").count();
  found.steps.all = await visible();
  await tab.fill("#find", "cancel stop-reason-cancelled");
  found.steps.found = await visible();
  found.steps.said = await tab.textContent("#shown");
  await tab.fill("#find", "");
  for (const box of await tab.locator("input[name=show]:not([value=fail]):enabled").all()) await box.uncheck();
  found.steps.failed = await visible();
  const first = tab.locator("details.rule[data-verdict=pass]").first();
  await tab.locator("input[name=show][value=pass]").check();
  await first.locator("summary").first().focus();
  await tab.keyboard.press("Enter");
  found.steps.expanded = await first.evaluate((d) => d.open);
  const raw = tab.locator("details.rule[data-verdict=fail] details.raw").first();
  await raw.locator("summary").click();
  found.steps.raw = await raw.locator("pre").textContent();
  await tab.goto(`${url}#${await first.getAttribute("id")}`);
  found.steps.linked = await first.evaluate((d) => d.open);
  await tab.goto("about:blank");
  await tab.goto(url);
  await tab.fill("#find", "no rule has these words");
  await tab.evaluate((id) => { location.hash = id; }, await first.getAttribute("id"));
  await first.locator("summary").first().waitFor({ state: "visible", timeout: 5000 });
  found.steps.saidOfLinked = await tab.textContent("#shown");

  const plain = await browser.newContext({ javaScriptEnabled: false });
  const quiet = await plain.newPage();
  await quiet.goto(url);
  found.steps.withoutScripts = await quiet.locator("details.rule").count();
  found.steps.filtersWithoutScripts = await quiet.locator(".filters").isVisible();
} finally {
  await browser.close();
}
console.log(JSON.stringify(found));
