import { trustsServer } from "../../support/pretend-state.ts";
import { until } from "../../support/until.ts";
import { type Api, openApi, userPassword } from "../api.ts";
import { enter } from "../browser.ts";
import { bringHost, type TakenChange } from "../connect-host.ts";
import { serverCeiling } from "../host-ceilings.ts";
import type { Stage } from "../stage.ts";
import { admin } from "../world.ts";

/** A plan runs one host after the other, is stopped by hand, goes on, and is taken back by a plan; another has no way back. */
export async function planWaves({ world, page, hand, window, word, judge }: Stage): Promise<void> {
  const api = await openApi(world);
  const tag = `wave-${word}`;
  const taken: TakenChange[] = [];
  const ways = { tell: trustsServer, ceiling: serverCeiling, takes: (change: TakenChange) => void taken.push(change) };
  const names = ["a", "b", "c"].map((letter) => `${letter}-${word}`);
  const hosts = await Promise.all(names.map((name) => bringHost(world, api, { name, tags: [tag] }, ways)));
  const nodes = hosts.map(({ id }) => id);
  const approver = `ruth-${word}`;
  await api.newUser(approver, "approver");
  const other = await openApi(world, { username: approver, password: userPassword });
  const title = `Close the edge of ${word}`;
  const first = await approvedPlan(
    { api, other },
    { title, nodes, operations: [firewall(Number(new URL(world.baseUrl).port))] },
  );
  const takenAs = async (count: number): Promise<TakenChange> => {
    await until(`${count} changes are taken`, () => taken.length >= count);
    return taken[count - 1] as TakenChange;
  };

  await enter(window, admin);
  await page.goto(`/plans/${first.id}`);
  await hand.press(page.getByRole("button", { name: "Apply…" }));
  const apply = page.getByRole("dialog", { name: "Apply the plan" });
  await apply.getByText("All 3 hosts get it at once. Nothing but a person halts it.").waitFor();
  await hand.choose(apply.getByLabel("In waves"));
  await hand.write(apply.getByLabel("Hosts first"), "101");
  await hand.press(apply.getByRole("button", { name: "Apply the plan" }));
  await apply.getByText("Write a whole number from 1 to 100.").waitFor();
  await judge("waves with a number that is wrong");
  await hand.write(apply.getByLabel("Hosts first"), "1");
  await hand.press(apply.getByRole("button", { name: `Then tag ${tag}` }));
  await hand.write(apply.getByLabel("Hosts in a wave"), "1");
  const order = `1 host first, then those tagged ${tag}, then the rest; 1 host at a time at most.`;
  await apply.getByText(`${order} It halts at the first host that has not kept the change.`).waitFor();
  await judge("the dialog that applies a plan in waves");
  await hand.press(apply.getByRole("button", { name: "Apply the plan" }));
  await apply.waitFor({ state: "hidden" });
  (await takenAs(1)).end(first.approval, "applied");
  const second = await takenAs(2);

  await hand.press(page.getByRole("button", { name: "Stop this plan…" }));
  const stop = page.getByRole("dialog", { name: "Stop this plan" });
  await stop.getByText("each confirms or restores itself").waitFor();
  await hand.write(stop.getByLabel("Reason"), "Mail is slow.");
  await judge("the dialog that stops one plan");
  await hand.press(stop.getByRole("button", { name: "Stop sending" }));
  await page.getByRole("status").filter({ hasText: "By you" }).filter({ hasText: "Mail is slow." }).waitFor();
  second.end(first.approval, "rolled_back", { code: "confirm.late", detail: "no proof before the deadline" });
  await page.getByRole("button", { name: "Undo…" }).waitFor();
  await judge("a plan that was stopped");
  await hand.press(page.getByRole("button", { name: "Go on…" }));
  const again = page.getByRole("dialog", { name: "Go on with the plan" });
  await again.getByText("From here on it halts again at the first host that has not kept the change.").waitFor();
  await judge("the dialog that goes on with a plan");
  await hand.press(again.getByRole("button", { name: "Go on with the plan" }));
  await again.waitFor({ state: "hidden" });
  (await takenAs(3)).end(first.approval, "applied");
  await page.getByRole("status").filter({ hasText: "Done" }).waitFor();

  await hand.press(page.getByRole("button", { name: "Undo…" }));
  const undo = page.getByRole("dialog", { name: "Undo the plan" });
  await undo.getByText("nothing is changed before it is applied").waitFor();
  await judge("the dialog that undoes a plan");
  await hand.press(undo.getByRole("button", { name: "Draw up the plan" }));
  await page.getByRole("heading", { level: 1, name: `Undo: ${title}` }).waitFor();
  await page.getByRole("term").filter({ hasText: "Takes back" }).waitFor();
  await page.getByRole("link", { name: first.id }).waitFor();

  const restart = { kind: "service.restart", unit: "nginx.service" };
  const wish = { title: `Restart for ${word}`, nodes: nodes.slice(0, 1), operations: [restart] };
  const without = await approvedPlan({ api, other }, wish);
  await api.call("POST", `${without.path}/apply`, undefined, {
    "If-Match": (await api.call("GET", without.path)).etag,
  });
  (await takenAs(4)).end(without.approval, "applied");
  await until("the restart is done", async () => (await api.call("GET", without.path)).body["state"] === "done");
  window.expectComplaint(/status of 409.*undo/);
  await page.goto(`/plans/${without.id}`);
  await hand.press(page.getByRole("button", { name: "Undo…" }));
  await hand.press(undo.getByRole("button", { name: "Draw up the plan" }));
  await undo.getByRole("list", { name: "Hosts without a way back" }).getByText(String(names[0])).waitFor();
  await judge("a plan that cannot be taken back");
  for (const { close } of hosts) close();
}

interface Both {
  readonly api: Api;
  /** Whoever approves. */
  readonly other: Api;
}

async function approvedPlan(
  { api, other }: Both,
  wish: { readonly title: string; readonly nodes: readonly string[]; readonly operations: readonly object[] },
) {
  const made = await api.call("POST", "/api/plans", { ...wish, summary: "For a test." });
  if (made.status !== 201) throw new Error(`the plan was answered ${made.status} ${JSON.stringify(made.body)}`);
  const id = String(made.body["id"]);
  const path = `/api/plans/${id}`;
  const { etag } = await api.call("GET", path);
  const approved = await other.call("POST", `${path}/approvals`, { server: true }, { "If-Match": etag });
  const [given] = (approved.body["approvals"] ?? []) as { readonly id: string }[];
  if (given === undefined)
    throw new Error(`the approval was answered ${approved.status} ${JSON.stringify(approved.body)}`);
  return { id, path, approval: given.id };
}

/** One whose table a host of a test had before, so that there is a way back. */
function firewall(gatehouse: number) {
  const open = (label: string, ...ports: readonly number[]) => ({
    label,
    verdict: "accept",
    protocol: "tcp",
    ports: ports.map((port) => ({ from: port, to: port })),
  });
  const rules = [
    { label: "loopback", verdict: "accept", interfaces: ["lo"] },
    { label: "answers", verdict: "accept", states: ["established", "related"] },
    open("ssh", 22),
    open("gatehouse", gatehouse),
  ];
  return { kind: "firewall.apply", table: "gatehouse_edge", input: { policy: "drop", rules } };
}
