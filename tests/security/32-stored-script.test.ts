import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openFileStore } from "@gatehouse/store";
import { expect, onTestFinished, test } from "vitest";
import { openApi } from "../e2e/api.ts";
import { enter, openBrowser, openWindow } from "../e2e/browser.ts";
import { admin, politeArtifact, World } from "../e2e/world.ts";
import { inventedEntry } from "../support/invented-entry.ts";
import { stopMs } from "../support/stopped.ts";
import { counts } from "./support/chance.ts";
import { scriptPayloads } from "./support/script-payloads.ts";
import { count, tried } from "./support/tried.ts";

/** Woodpecker, Grafana: what somebody else wrote was put into the page as it was, and ran with the reader's session. */
const all = scriptPayloads(1_200);
const entries = all.slice(0, 600);
const sold = all.slice(600, 900);
const named = all.slice(900, 1_100);
const more = all.slice(1_100);
const plugins = counts["32 plugins"];
const inBrowser = { size: "desktop", theme: "light" } as const;

/** Rows come when they are scrolled to: some frames later, however long a frame takes on this machine. */
const drawnAnew =
  "new Promise((done) => { let left = 5; const next = () => (left-- > 0 ? requestAnimationFrame(next) : setTimeout(done)); next(); })";

test("nothing that a plugin, a user or a file says runs in the dashboard", async (context) => {
  const world = new World();
  onTestFinished(() => world[Symbol.asyncDispose]());
  const stored = await fill(world);
  await world.start();
  const api = await openApi(world);
  const placed = await live(api);
  const browser = await openBrowser();
  onTestFinished(() => browser.close());
  const window = await openWindow(browser, world, inBrowser);
  const { page } = window;
  page.setDefaultTimeout(stopMs);
  // Some of the plugins fail on purpose, and the browser tells of each refusal.
  window.expectComplaint(/status of 422 .*\/actions\//);
  window.expectComplaint(/status of (429|503) /);
  const executed: number[] = [];
  await window.context.exposeFunction("__canary", (which: number) => void executed.push(which));
  page.on("dialog", (dialog) => void dialog.dismiss().then(() => executed.push(-1)));

  // The canary itself works, or nothing below would mean anything.
  await page.goto("/login");
  await page.evaluate("window.__canary(-2)");
  expect(executed).toEqual([-2]);
  executed.length = 0;

  await enter(window, admin);
  const shown = new Set<string>();
  const look = async (path: string) => {
    await page.goto(path);
    await page.getByRole("heading", { level: 1 }).filter({ visible: true }).first().waitFor();
    // Parts of a page are loaded when they are needed, and only then say that they read something.
    await window.quiet();
    await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
    for (const end = Date.now() + stopMs; ; ) {
      if (Date.now() > end) throw new Error(`stopped while reading ${path}`);
      const text = await page.locator("body").innerText();
      for (const [, which] of text.matchAll(/__canary\((\d+)\)/g)) shown.add(which ?? "");
      const before = await page.evaluate("scrollY");
      await page.evaluate("window.scrollBy(0, 800)");
      await page.evaluate(drawnAnew);
      if ((await page.evaluate("scrollY")) !== before) continue;
      // The log goes on for as long as it has older entries: those may be on their way.
      if (path !== "/audit" || text.includes("the log has no older match")) break;
    }
  };
  const paths = [
    "/",
    "/plugins",
    "/marketplace",
    "/tokens",
    "/users",
    "/settings/security",
    "/settings/about",
    "/audit",
    ...placed.map((id) => `/plugins/${id}`),
    ...placed.slice(0, 5).map((id) => `/apps/${id}`),
    ...[40, 41, 42, 43].slice(0, counts["32 links into the log"]).map((at) => `/audit?at=${at}`),
    ...more.slice(0, counts["32 searches"]).map((text) => `/audit?text=${encodeURIComponent(text)}`),
  ];
  for (const path of paths) await look(path);
  await page.goto("/");
  await page.getByRole("heading", { level: 1 }).filter({ visible: true }).first().waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.type("<");
  await window.quiet();

  expect(executed, "payloads that ran").toEqual([]);
  expect(await window.complaints(), "what the policy refused or the console told").toEqual([]);
  expect(world.policyReports(), "reports to the policy's address").toBe(0);
  // Texts that are never shown prove nothing: most of them have to have stood on a page.
  expect(shown.size).toBeGreaterThan(500);
  tried(context, `${count(stored, "stored payloads")} on ${paths.length} pages, ${shown.size} of them seen, 0 ran`);
});

/** What lies on the disk before the start: a log, bundles, entries that are no bundles, and a marketplace. */
async function fill(world: World): Promise<number> {
  const store = await openFileStore({ directory: world.dataDir });
  await Promise.all(
    entries.map((text, at) =>
      store.commit(
        inventedEntry({
          at: Date.now() - (entries.length - at) * 1_000,
          actor: at % 3 === 0 ? text : "usr_somebody",
          action: "node.seen",
          subject: `node/${text}`,
          detail: { reason: text, [text]: "as a key" },
        }),
      ),
    ),
  );
  await store.close();
  world.sell(
    Array.from({ length: 150 }, (_none, at) => ({
      id: `acme-sold-${at}`,
      name: short(sold[at * 2] ?? ""),
      publisher: "acme",
      version: "1.0.0",
      summary: sold[at * 2 + 1],
      capabilities: [],
    })),
  );
  for (let at = 0; at < plugins; at += 1) {
    const id = `acme-named-${at}`;
    const title = short(named[at * 3 + 1] ?? "");
    const nav = [{ component: "plugin.page", title, path: `/apps/${id}`, scope: "plan:read" }];
    const summary = named[at * 3 + 2] ?? "";
    const artifact = at % 4 === 3 ? shouting(summary) : politeArtifact(summary);
    world.bundle(
      { id, name: short(named[at * 3] ?? ""), contributions: { nav: nav as never, enhancements: [] } },
      artifact,
    );
  }
  for (const text of more.slice(20, 60)) {
    const place = join(world.plugins, text.replaceAll("/", "∕").slice(0, 80));
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, "manifest.json"), JSON.stringify({ id: text, name: text }));
  }
  return entries.length + sold.length + plugins * 3 + 40 + 30;
}

/** What comes about at runtime: tokens, and plugins that answer and that fail with such words. */
async function live({ call, move }: Awaited<ReturnType<typeof openApi>>): Promise<string[]> {
  for (const text of more.slice(60, 90)) {
    const made = await call("POST", "/api/tokens", { name: text.slice(0, 80), scopes: ["audit:read"] });
    expect(made.status).toBe(201);
  }
  const ids = Array.from({ length: plugins }, (_none, at) => `acme-named-${at}`);
  for (const id of ids) {
    await move(id, "installed", "active");
    for (const action of ["describe", "health"]) await call("POST", `/api/plugins/${id}/actions/${action}`, {});
  }
  return ids;
}

/** Fails, and says such words on its way out. */
function shouting(text: string): string {
  return `#!/bin/sh\nread -r line\ncat >&2 <<'END'\n${text}\nEND\nexit 3\n`;
}

function short(text: string): string {
  return text.slice(0, 60).trim();
}
