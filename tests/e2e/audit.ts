import { statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { openApi } from "./api.ts";
import { enter } from "./browser.ts";
import type { Checks } from "./checks.ts";
import { logRefused } from "./journeys/log-refused.ts";
import { type Form, formWords, playOn, type Stage } from "./stage.ts";
import { admin, World } from "./world.ts";

const desktop: Form = { hand: "mouse", size: "desktop", theme: "light" };
const phone: Form = { hand: "keyboard", size: "phone", theme: "dark" };

const names = {
  sandbox: "a server without a bundle says quietly that its sandbox was not tested",
  verdict: "the verdict on the audit chain is the server's, with its age and what is newer",
  refused: "a log that a host refuses is told on every page, until the host takes it",
  damage: "an audit log that is cut under the running server is refused by name on its page, and in readiness",
} as const;

/** Whether what the page says of the audit log and of a fresh server is so. */
export async function judgeAudit(checks: Checks, browser: Browser): Promise<void> {
  for (const form of [desktop, phone]) {
    await checks.run(`${names.refused}, by ${formWords(form)}`, async () => {
      // Its own server: a host that refuses its log is on every page of it.
      await using refused = await new World().start();
      // The first head is signed when a log that has begun is opened; the next a minute later.
      await refused.stop();
      await refused.start();
      return await playOn(browser, refused, form, "", logRefused);
    });
  }
  if (!checks.wants(names.sandbox, names.verdict, names.damage)) return;
  await using world = await new World().start();
  const play = (act: (stage: Stage) => Promise<string | void>) => () => playOn(browser, world, desktop, "", act);
  await checks.run(names.sandbox, play(untestedSandbox));
  await checks.run(names.verdict, play(serversVerdict));
  await checks.run(names.damage, async () => {
    // Its own server: on the other one a stream that ends late could have read the record before it is cut.
    await using cut = await new World().start();
    return await playOn(browser, cut, desktop, "", cutLog);
  });
}

async function untestedSandbox({ page, window, judge }: Stage): Promise<void> {
  await enter(window, admin);
  await page.goto("/plugins");
  await page.getByText("Sandbox not tested yet: there is no bundle to run.").waitFor();
  if ((await page.getByText("No plugin can run").count()) > 0) throw new Error("it is called broken");
  await judge("plugins of a fresh server");
}

async function serversVerdict({ world, page, window, judge }: Stage): Promise<string> {
  await enter(window, admin);
  await page.goto("/audit");
  await page.getByRole("status").filter({ hasText: "Whole, as far as this server says." }).waitFor();
  const chain = page.getByLabel("The chain", { exact: true });
  const line = chain.filter({ hasText: /Whole to #\d/ });
  await line.filter({ hasText: "Nobody else knows this log." }).waitFor();
  const before = positionIn(await line.innerText());
  const api = await openApi(world);
  await api.newUser("somebody-newer", "viewer");
  await line.filter({ hasText: /Newer\s*\d+ entr/ }).waitFor();
  const kept = await page.evaluate("Object.entries(localStorage).concat(Object.entries(sessionStorage)).join()");
  if (/verif|chain|audit/i.test(String(kept))) throw new Error(`the browser keeps a verdict: ${String(kept)}`);
  await page.getByRole("button", { name: "Verify now" }).click();
  await line.filter({ hasText: "Asked for by you" }).waitFor();
  const after = positionIn(await line.innerText());
  if (after <= before) throw new Error(`it was verified to #${before}, and asked again to #${after}`);
  await judge("audit page after a verification");
  await page.reload();
  // What a person asked for went into the server's own verdict, and is told to everybody from there.
  await line.filter({ hasNotText: "Asked for by you" }).waitFor();
  if (positionIn(await line.innerText()) < after) throw new Error("the server forgot what it had verified");
  await page.goto("/");
  await page
    .getByRole("heading", { level: 1 })
    .filter({ hasText: /whole to #[\d,]+, verified/ })
    .waitFor();
  return `to #${before}, then to #${after}`;
}

async function cutLog({ world, page, window, judge }: Stage): Promise<void> {
  window.expectComplaint(/status of 500/);
  await enter(window, admin);
  // Nobody listens or reads: the last record, the sign-in above, is in the log alone.
  const log = join(world.dataDir, "state.json.audit-wal");
  truncateSync(log, statSync(log).size - 300);
  await page.goto("/audit");
  const refusal = page.getByRole("alert").filter({ hasText: "The audit log could not be read" });
  await refusal.filter({ hasText: "The audit log is damaged: state.json.audit-wal, from #" }).waitFor();
  await page.getByText("store.log_damaged").first().waitFor();
  await page
    .getByRole("status")
    .filter({ hasText: /Chain broken at #\d+, in state\.json\.audit-wal/ })
    .waitFor();
  await judge("audit page over a damaged log");
  await page.goto("/");
  const said = /The audit log is not as it was written from #\d/;
  await page.getByRole("heading", { level: 1 }).filter({ hasText: said }).waitFor();
  await page.getByRole("list", { name: "Broken" }).getByRole("link", { name: said }).waitFor();
  await judge("overview over a damaged log");
  const ready = (await (await fetch(`${world.baseUrl}/api/ready`)).json()) as { checks: { audit: string } };
  if (ready.checks.audit !== "failed") throw new Error(`readiness says ${JSON.stringify(ready)}`);
}

function positionIn(text: string): number {
  return Number(/#([\d,]+)/.exec(text)?.[1]?.replaceAll(",", ""));
}
