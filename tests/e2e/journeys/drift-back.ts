import type { DriftPart } from "@gatehouse/channel";
import { trustsServer } from "../../support/pretend-state.ts";
import { until } from "../../support/until.ts";
import { openApi } from "../api.ts";
import { enter } from "../browser.ts";
import { bringHost, type TakenChange } from "../connect-host.ts";
import { serverCeiling } from "../host-ceilings.ts";
import type { Stage } from "../stage.ts";
import { startPlan } from "../start-plan.ts";
import { admin } from "../world.ts";

const rights = { mode: "0644", owner: "root", group: "root" };

/** Sees that somebody changed a host by hand, compares it with what was confirmed, and makes the plan that gives it back. */
export async function driftBack({ world, page, hand, window, word, judge }: Stage): Promise<void> {
  const api = await openApi(world);
  const name = `drift-${word}`;
  const taken = Promise.withResolvers<TakenChange>();
  const ways = { tell: trustsServer, ceiling: serverCeiling, takes: taken.resolve };
  const host = await bringHost(world, api, { name }, ways);
  const path = "/etc/nginx/conf.d/site.conf";
  const operations = [{ kind: "file.write", path, text: "server_tokens off;\n", ...rights }];
  const wanted = { title: "Tokens off", summary: "For every host.", operations, nodes: [host.id] };
  // What is planned back is what the host has kept, and nothing else.
  const plan = await startPlan(world, api, { word: name, wanted });
  (await taken.promise).end(plan.approval, "applied");
  await until("the plan has ended", async () => (await api.call("GET", plan.path)).body["state"] === "done");
  const part = (subject: string, more: Partial<DriftPart> = {}): DriftPart => ({
    subject,
    task: `task_${"0".repeat(26)}`,
    plan: plan.digest,
    confirmedAt: Date.now() - 3_600_000,
    expected: "9c41e8d0".repeat(8),
    state: "differs",
    found: "c2a790be".repeat(8),
    why: "",
    ...more,
  });
  host.drift([part(`file:${path}`)]);

  await enter(window, admin);
  await page.goto("/");
  // Beside much else that is broken it is only counted.
  await page
    .getByRole("heading", { level: 1 })
    .getByText(/ differs? from what was confirmed/)
    .waitFor();
  await page.goto(`/nodes/${host.id}`);
  await page.getByRole("status").filter({ hasText: "Differs since" }).waitFor();
  const section = page.getByRole("region", { name: "Differs from what was confirmed" });
  await section.getByText("Expected 9c41e8d09c41, found c2a790bec2a7.").waitFor();
  await hand.press(section.getByRole("button", { name: "Compare" }));
  await section
    .getByRole("list", { name: `What differs at file:${path}` })
    .getByText("server_tokens off;")
    .waitFor();
  await judge("a host that differs");

  await hand.press(section.getByRole("button", { name: "Plan it back…" }));
  const dialog = page.getByRole("dialog", { name: `Plan ${name} back` });
  await judge("the dialog that plans a host back");
  await hand.press(dialog.getByRole("button", { name: "Draw up the plan" }));
  await page.waitForURL(/\/plans\/plan_/);
  await page.getByRole("heading", { level: 1, name: `Plan back: ${name}` }).waitFor();

  await page.goto(`/nodes/${host.id}`);
  await section.waitFor();
  host.drift([]);
  await page.getByRole("region", { name: "As confirmed" }).waitFor();
  await section.waitFor({ state: "hidden" });
  await judge("a host that is as confirmed again");
  host.close();
}
