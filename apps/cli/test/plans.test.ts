import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Plan } from "@gatehouse/contract/routes";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../../../tests/support/until.ts";
import { newAnsweringHost } from "./answering-host.ts";
import { type FrontedServer, startFrontedServer } from "./fronted-server.ts";
import type { Person } from "./gatehouse.ts";
import { owner } from "./real-server.ts";

/** The verbs of plans against the real server, with hosts that have no machine and sign what they say. */
let fronted: FrontedServer;
beforeAll(async () => {
  fronted = await startFrontedServer();
  await writeFile(join(fronted.directory, "motd.txt"), "Hello\n");
});
afterAll(() => fronted.stop());

const unit = { fragmentSha256: "f".repeat(64), enabled: "enabled" };
const newHost = (person: Person, name: string, tag: string) =>
  newAnsweringHost(fronted, person, { name, tag, states: { "service:nginx.service": unit } });

async function planOf(person: Person, line: string): Promise<Plan> {
  const answer = await person.json(line);
  expect(answer, line).toMatchObject({ code: 0, ok: true });
  return answer["plan"] as Plan;
}

const restart = "plan create --restart nginx.service";

test("a plan of a real server is made, and holds against what its host signed", async () => {
  const ada = await fronted.signIn(owner);
  const host = await newHost(ada, "web-1", "shown");
  const line = `plan create --write /etc/motd=${join(fronted.directory, "motd.txt")} --restart nginx.service --node web-1`;
  const { code, out, err } = await ada.run(line);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(/^Write \/etc\/motd, restart nginx\.service: in_review\n/);
  expect(out).toContain(`web-1 (${host.id.slice(-8)})  ${host.id}`);
  expect(out).toContain("Writes /etc/motd: 6 bytes, mode 0644, root:root.");
  expect(out).toMatch(/made from +what the host signed at 20/);
  expect(out).not.toContain("the server alone says so");
  const [, id = ""] = /id +(plan_\w{26})/.exec(out) ?? [];
  const digits = id.slice(-8);
  expect((await ada.run(`plan show ${digits}`)).out).toBe(out);
  expect((await ada.run(`plan diff ${digits} --node web-1`)).out).toMatch(/\n {4}\+ Hello\n {2}2\. service\.restart /);
  expect((await ada.run("plan list --state in_review")).out).toMatch(
    new RegExp(`${digits} +in_review +Write .* 1 +1 note `),
  );
  const shown = await ada.json(`plan show ${id}`);
  const [section] = shown["sections"] as readonly { readonly operations: unknown; readonly signedAt: unknown }[];
  expect(section).toMatchObject({ operations: [{ kind: "file.write" }, { kind: "service.restart" }] });
  await host.close();
});

test("a plan is offered, rejected with a reason, taken back, and takes another's place", async () => {
  const ada = await fronted.signIn(owner);
  const host = await newHost(ada, "web-2", "moved");
  const first = await planOf(ada, `${restart} --tag moved --no-review`);
  expect(first.state).toBe("linted");
  expect(await planOf(ada, `plan review ${first.id.slice(-8)}`)).toMatchObject({ state: "in_review" });
  expect(await ada.json(`plan review ${first.id}`)).toMatchObject({ error: { code: "plan.move_refused" } });
  expect(await planOf(ada, `plan reject ${first.id} --reason No`)).toMatchObject({ state: "rejected", reason: "No" });
  const second = await planOf(ada, `${restart} --tag moved --expires-in-hours 1 --management 192.0.2.0/24`);
  const third = await planOf(ada, `${restart} --tag moved --replaces ${second.id}`);
  expect(third).toMatchObject({ digest: second.digest, replaces: second.id });
  expect(await planOf(ada, `plan show ${second.id}`)).toMatchObject({ state: "expired", replacedBy: third.id });
  expect(await planOf(ada, `plan withdraw ${third.id}`)).toMatchObject({ state: "rejected", reason: null });
  await host.close();
});

test("a host that is away is named; a plan goes on without it when that is said", async () => {
  const ada = await fronted.signIn(owner);
  const [here, away] = [await newHost(ada, "here", "some"), await newHost(ada, "away", "some")];
  await away.close();
  await until("it is away", async () => {
    const { node } = (await ada.json("node show away")) as unknown as { node: { state: string } };
    return node.state === "offline";
  });
  const refused = await ada.run(`${restart} --tag some`);
  expect(refused).toMatchObject({
    code: 1,
    err: expect.stringMatching(/plan\.node_offline: .*away\n.*--skip-offline/),
  });
  const { code, out } = await ada.run(`${restart} --tag some --skip-offline`);
  expect([code, out]).toEqual([0, expect.stringContaining(`away, ${away.id}: it was not connected`)]);
  expect(await ada.json(`${restart} --node away --skip-offline`)).toMatchObject({ error: { code: "plan.no_nodes" } });
  await here.close();
});

// The last ones: from here on the server's clock is ahead.

test("all plans are stopped without a password; an owner ends it with one, and a token never", async () => {
  const ada = await fronted.signIn(owner);
  const { out: token } = await ada.run("token issue --name stop --scope plan:stop,plan:read,settings:admin");
  const env = { GATEHOUSE_TOKEN: token.trim() };
  await fronted.server.passSixMinutes();
  expect(await ada.run("plan stop --reason Fire", { env })).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^All plans are stopped since .*: Fire\n/),
  });
  expect((await ada.run("plan list")).out).toContain("All plans are stopped since ");
  const end = "settings set plans.stopped none";
  expect(await ada.json(end, { env })).toMatchObject({ code: 1, error: { code: "auth.session_required" } });
  expect(await ada.run(end)).not.toMatchObject({ code: 0 });
  const input = `${owner.password}\n`;
  expect(await ada.run(`${end} --password-stdin`, { input })).toMatchObject({ code: 0 });
  expect(await ada.json("settings set plans.selfApproval true")).toMatchObject({ code: 0 });
  expect(await ada.json("settings show", { env })).toMatchObject({
    settings: { plans: { selfApproval: true, stopped: null } },
  });
});
