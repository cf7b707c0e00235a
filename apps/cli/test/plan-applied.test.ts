import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Plan } from "@gatehouse/contract/routes";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { SshApprover } from "../../../tests/support/ssh-approver.ts";
import { makeAgentHost } from "../../../tests/support/agent-host.ts";
import { type FrontedServer, startFrontedServer } from "./fronted-server.ts";
import type { Person } from "./gatehouse.ts";
import { owner } from "./real-server.ts";

/** From a plan to the host's own judgement: server, agent, helper and command line are the product's own. */
let fronted: FrontedServer;
beforeAll(async () => {
  fronted = await startFrontedServer();
  await writeFile(join(fronted.directory, "app.conf"), "new\n");
});
afterAll(() => fronted.stop());

async function newHost(person: Person, name: string, ...trust: string[]) {
  const made = await person.json(`node enrol --digest ${fronted.agent} --name ${name}`);
  const [{ code } = { code: "" }] = made["items"] as readonly { readonly code: string }[];
  const host = await makeAgentHost(code, { "etc/app/app.conf": "old\n" });
  onTestFinished(() => host.stop());
  const set = await host.run("ceiling", "set", "managed", "--allow", "file.write:/etc/app", ...trust);
  expect(set, set.err).toMatchObject({ code: 0 });
  host.connect();
  // Seldom enough for the server's limit of requests.
  await expect
    .poll(() => person.json(`node show ${host.nodeId}`), { interval: 250 })
    .toMatchObject({ code: 0, node: { state: "online", facts: { mode: "managed" } } });
  return host;
}

async function newPlan(person: Person, name: string): Promise<Plan> {
  const line = `plan create --write /etc/app/app.conf=${join(fronted.directory, "app.conf")} --node ${name}`;
  const made = await person.json(line);
  expect(made).toMatchObject({ code: 0, ok: true });
  return made["plan"] as Plan;
}

/** A host that is no more than a directory knows no users: it takes what was approved, finds that out, and ends it in its own word. */
const end = (name: string) =>
  new RegExp(`${name} .* failed_before_change: validate\\.failed: .*root \\(the host's own word\\)`);

test("a plan that an approver signed is taken by its host, which says with its own key how it ended", async () => {
  const admin = await fronted.signIn(owner);
  const ada = { username: "ada", password: "nine quick badgers" };
  const created = "user create --username ada --role approver --password-stdin";
  expect(await admin.run(created, { input: `${ada.password}\n` })).toMatchObject({ code: 0 });
  const [approver, stranger] = [new SshApprover(), new SshApprover()];
  onTestFinished(() => {
    for (const one of [approver, stranger]) one.remove();
  });
  const host = await newHost(admin, "web-1", "--approver", approver.line, "--fingerprint", approver.fingerprint);
  const { id, digest } = await newPlan(admin, "web-1");
  const approve = (key: SshApprover) => `plan approve ${id} --key ${key.keyFile} --yes ${digest.slice(0, 12)}`;
  expect(await admin.json(approve(approver))).toMatchObject({ code: 1, error: { code: "plan.self_approval" } });
  expect(await admin.json(`plan apply ${id}`)).toMatchObject({ code: 1, error: { code: "plan.not_approved" } });
  const person = await fronted.signIn(ada);
  expect(await person.json(approve(stranger))).toMatchObject({ code: 1, error: { code: "cli.key_not_known" } });
  expect(await person.json(approve(approver))).toMatchObject({ code: 0, plan: { state: "approved", awaiting: 0 } });
  const { code, out } = await admin.run(`plan apply ${id}`);
  expect({ code, out }).toEqual({ code: 1, out: expect.stringMatching(end("web-1")) });
  expect((await admin.run(`plan watch ${id}`)).out).toContain("0 of 1 hosts applied it, 1 did not");
  expect(await readFile(join(host.paths.root, "etc/app/app.conf"), "utf8")).toBe("old\n");
});

test("a host that trusts its server takes a word; the author gives it once an owner has allowed that", async () => {
  const admin = await fronted.signIn(owner);
  await newHost(admin, "web-2", "--server-trusted");
  const { id, digest } = await newPlan(admin, "web-2");
  const approve = `plan approve ${id} --server --yes ${digest.slice(0, 12)}`;
  expect(await admin.json(approve)).toMatchObject({ code: 1, error: { code: "plan.self_approval" } });
  expect(await admin.json("settings set plans.selfApproval true")).toMatchObject({ code: 0 });
  expect(await admin.json(approve)).toMatchObject({ code: 0, plan: { state: "approved" } });
  const { code, out } = await admin.run(`plan apply ${id}`);
  expect({ code, out }).toEqual({ code: 1, out: expect.stringMatching(end("web-2")) });
});
