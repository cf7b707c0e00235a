import { trustsServer } from "../../support/pretend-state.ts";
import { openApi } from "../api.ts";
import { bringHost, type TakenChange } from "../connect-host.ts";
import { enter } from "../browser.ts";
import { serverCeiling } from "../host-ceilings.ts";
import type { Stage } from "../stage.ts";
import { startPlan } from "../start-plan.ts";
import { admin } from "../world.ts";

/** Hosts take a change and tell their steps; one confirms it, one takes it back, one is left half changed, and one without a service. */
export async function planSteps({ world, page, window, word, judge }: Stage): Promise<void> {
  const api = await openApi(world);
  const names = ["good", "back", "half", "down"].map((kind) => `${kind}-${word}`);
  const taken = names.map(() => Promise.withResolvers<TakenChange>());
  const ways = { tell: trustsServer, ceiling: serverCeiling };
  const hosts = await Promise.all(
    names.map((name, at) =>
      bringHost(world, api, { name }, { ...ways, takes: (change) => taken[at]?.resolve(change) }),
    ),
  );
  const { path, approval } = await startPlan(world, api, {
    word,
    wanted: {
      title: `Restart nginx.service for ${word}`,
      summary: "The certificate was renewed.",
      nodes: hosts.map(({ id }) => id),
      operations: [
        { kind: "service.restart", unit: "nginx.service" },
        { kind: "log.tail", source: { from: "journal", unit: "nginx.service" }, lines: 60 },
      ],
    },
  });
  await enter(window, admin);
  await page.goto(path.slice("/api".length));
  const answers = page.getByRole("table", { name: "What became of it on each host" });
  const rowOf = (name = "") => answers.getByRole("row").filter({ hasText: name });
  const [good, back, half, down] = await Promise.all(taken.map(({ promise }) => promise));

  good?.step("validated");
  back?.step("armed");
  half?.step("checking");
  await rowOf(names[1]).getByRole("list", { name: "Steps on the host" }).waitFor();
  await rowOf(names[1]).locator("[aria-current=step]").filter({ hasText: "Armed" }).waitFor();
  await rowOf(names[2]).getByText("not kept yet").waitFor();
  await judge("hosts in the middle of a change");

  const lines = Array.from({ length: 60 }, (_, at) => `2026-11-17T05:00:${String(at).padStart(2, "0")} nginx ready`);
  good?.end(approval, "applied", { told: [{ operation: 1, lines }] });
  await rowOf(names[0]).filter({ hasText: "stays so after its next start" }).waitFor();
  await rowOf(names[0]).getByText("Operation 2 read 60 lines.").waitFor();
  await rowOf(names[0]).getByLabel("What operation 2 read").getByText("05:00:59 nginx ready").waitFor();
  back?.end(approval, "rolled_back", { code: "confirm.late", detail: "no proof before the deadline" });
  await rowOf(names[1]).filter({ hasText: "Rolled back" }).filter({ hasText: "The host is as it was." }).waitFor();
  half?.end(approval, "failed_after_change", { code: "restore.failed", detail: "the table could not be loaded" });
  await page
    .getByRole("status")
    .filter({ hasText: `Look at ${names[2]} now.` })
    .waitFor();
  const detail = "nginx.service: it failed | bind() to 0.0.0.0:80 failed | still could not bind()";
  down?.end(approval, "failed_after_change", { code: "service.down", detail });
  await page
    .getByRole("status")
    .filter({ hasText: `Look at ${names[3]} now.` })
    .filter({ hasText: "everything else was put back" })
    .waitFor();
  await rowOf(names[3]).filter({ hasText: "a service that ran is down" }).waitFor();
  await page.getByRole("status").filter({ hasText: "4 of 4 answered" }).waitFor();
  await rowOf(names[3]).locator("pre").getByText("bind() to 0.0.0.0:80 failed").waitFor();
  await page.getByText("1 of 4 confirmed. 1 host unchanged: 1 rolled back. 2 hosts failed after the change").waitFor();
  await judge("a plan that ended in four ways");

  await page.goto(`/nodes/${hosts[1]?.id}`);
  await page.getByText("(confirm.late)").first().waitFor();
  await page.goto("/");
  await page
    .getByRole("heading")
    .getByText(/rolled back|failed after a change/)
    .waitFor();
  for (const { close } of hosts) close();
}
