import { createHash } from "node:crypto";
import type { Artifact, Plan } from "@gatehouse/contract/routes";
import { interfaceLinkOf, type NetworkWireguard, type Operation, type PlanDocument } from "@gatehouse/plan";
import { describe, expect, test } from "vitest";
import { askToUndo, startChanging } from "./applied-plan.ts";
import { nginx } from "./planned-fleet.ts";
import type { Visitor } from "./visitor.ts";

const digestOf = (text: string) => createHash("sha256").update(text).digest("hex");
const rights = { mode: "0644", owner: "root", group: "root" };
const write = (text: string, path = "/etc/motd") => ({ kind: "file.write", path, text, ...rights });
const fileOf = (text: string) => ({ sha256: digestOf(text), ...rights });
const restart = { kind: "service.restart", unit: "nginx.service" };
const table = (policy: string) => ({
  kind: "firewall.apply",
  table: "gatehouse_web",
  input: { policy, rules: [{ label: "all", verdict: "accept" }] },
});
const tableOf = (policy: string) => {
  const at = { family: "inet", table: "gatehouse_web" };
  return {
    nftables: [
      { table: { family: "inet", name: "gatehouse_web" } },
      { chain: { ...at, name: "input", type: "filter", hook: "input", prio: 0, policy } },
      { rule: { ...at, chain: "input", comment: "all", expr: [{ accept: null }] } },
    ],
  };
};

async function sectionsOf(by: Visitor, { id }: Plan): Promise<readonly (readonly Operation[])[]> {
  const { body } = await by.call<PlanDocument>("GET", `/api/plans/${id}/document`);
  return body.sections.map(({ operations }) => operations);
}

const undone = async (by: Visitor, plan: Plan, body: object = {}): Promise<Plan> => {
  const answer = await askToUndo(by, plan, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
};

describe("the plan that takes another one back", () => {
  test("puts back what each host had signed, is reviewed and applied like every plan, and can be taken back itself", async () => {
    const parts = [{ "service:nginx.service": nginx }, { "service:nginx.service": nginx }];
    const { server, owner, author, changed, change } = await startChanging(parts);
    const say = (policy: string, text: string) =>
      parts.forEach((says) => {
        Object.assign(says, { "firewall:gatehouse_web": tableOf(policy), "file:/etc/motd": fileOf(text) });
      });
    await changed([write("Hello\n")]);
    say("accept", "Hello\n");
    const log = { kind: "log.tail", source: { from: "journal", unit: "nginx.service" }, lines: 5 };
    const plan = await changed([table("drop"), write("Bye\n"), restart, log]);
    say("drop", "Bye\n");
    const back = await undone(author, plan, { management: ["192.0.2.0/24"], expiresInHours: 2 });
    expect(back).toMatchObject({
      title: "Undo: Change",
      source: { from: "person" },
      undoes: plan.id,
      state: "in_review",
      nodes: 2,
      management: ["192.0.2.0/24"],
      kinds: ["file.write", "firewall.apply", "service.restart"],
    });
    expect(back.summary).toContain(plan.digest);
    const operations = [write("Hello\n"), table("accept"), restart];
    expect(await sectionsOf(author, back)).toEqual([operations, operations]);
    expect((await askToUndo(author, back)).body.code).toBe("plan.move_refused");
    const entry = (await server.audit()).find(({ subject }) => subject === `plan/${back.id}`);
    expect(entry).toMatchObject({ action: "plan.created", detail: { undoes: plan.id } });
    await change(back);
    say("accept", "Hello\n");
    const forth = await undone(author, back);
    expect(forth).toMatchObject({ title: "Undo: Undo: Change", undoes: back.id });
    expect((await sectionsOf(owner, forth))[0]).toEqual([table("drop"), write("Bye\n"), restart]);
  });

  test("names the interface as the last plan before set it up, with the places of its peers that no host tells", async () => {
    const key = (letter: string) => `${letter.repeat(42)}A=`;
    const at = (host: string, mtu: number): NetworkWireguard => ({
      kind: "network.wireguard",
      interface: "wg0",
      publicKey: null,
      listenPort: 51_820,
      mtu,
      addresses: ["10.9.0.1/24"],
      peers: [{ label: "office", publicKey: key("c"), allowedIps: ["10.9.0.2/32"], endpoint: { host, port: 51_820 } }],
    });
    const says: Record<string, object> = { "wireguard:wg0": { publicKey: key("a"), interface: null } };
    const { server, author, changed } = await startChanging([says]);
    const set = async (one: NetworkWireguard, end: "applied" | "rolled_back") => {
      server.clock.advance(1_000);
      const plan = await changed([one], [end]);
      if (end === "applied") {
        says["wireguard:wg0"] = { publicKey: key("a"), interface: interfaceLinkOf(one, key("a")) };
      }
      return plan;
    };
    const first = await set(at("203.0.113.1", 1_400), "applied");
    await set(at("203.0.113.2", 1_400), "applied");
    await set(at("203.0.113.3", 1_400), "rolled_back");
    const plan = await set(at("203.0.113.4", 1_300), "applied");
    await set(at("203.0.113.5", 1_400), "applied");
    expect(await sectionsOf(author, await undone(author, plan))).toEqual([[at("203.0.113.2", 1_400)]]);
    const { body } = await askToUndo(author, first);
    expect(body).toMatchObject({ code: "plan.not_undoable", detail: expect.stringContaining("no such interface") });
  });

  test("names the artifact of the program that was there", async () => {
    const says: Record<string, object> = { "binary:/opt/tool": { ...fileOf("tool 1"), mode: "0755" } };
    const { owner, author, changed } = await startChanging([says]);
    const brought = async (text: string, version: string) => {
      const facts = {
        name: "tool",
        version,
        architecture: "x64",
        sha256: digestOf(text),
        size: text.length,
        publisher: "acme",
        signature: { keyId: "0a".repeat(16), ed25519: `${"A".repeat(86)}==` },
      };
      const announced = await owner.call<Artifact>("POST", "/api/artifacts", { body: { kind: "binary", ...facts } });
      const { id } = announced.body;
      await owner.call("PUT", `/api/artifacts/${id}/parts/0`, { bytes: Buffer.from(text) });
      return { id, operation: { kind: "binary.replace", path: "/opt/tool", ...facts } };
    };
    const plan = await changed([(await brought("tool 2", "2.0.0")).operation]);
    const { body } = await askToUndo(author, plan);
    expect(body.detail).toContain(`expected the artifact ${digestOf("tool 1")} whole on this server`);
    const { operation, id } = await brought("tool 1", "1.0.0");
    expect(await sectionsOf(author, await undone(author, plan))).toEqual([[operation]]);
    expect((await owner.call("DELETE", `/api/artifacts/${id}`)).code).toBe("artifact.in_use");
  });

  test("is made once for one key, however often it is asked for, and out of review where the author says so", async () => {
    const says = { "file:/etc/motd": fileOf("Hello\n") };
    const { author, changed } = await startChanging([says]);
    const plan = await changed([write("Hello\n")]);
    const key = { "Idempotency-Key": "undo-once-please" };
    const first = await askToUndo(author, plan, {}, key);
    const second = await askToUndo(author, plan, {}, key);
    expect([first.status, second.status, second.body.id]).toEqual([201, 201, first.body.id]);
    expect((await askToUndo(author, plan, { review: false }, key)).body.code).toBe("request.key_reused");
    expect((await askToUndo(author, first.body, {}, key)).body.code).toBe("request.key_reused");
    expect(await undone(author, plan, { review: false })).toMatchObject({ state: "linted" });
  });

  test("keeps a long title within the length that titles have", async () => {
    const { author, change, nodes } = await startChanging([{ "file:/etc/motd": fileOf("Hello\n") }]);
    const title = `${"a".repeat(112)}😀😀😀`;
    const made = await author.call<Plan>("POST", "/api/plans", {
      body: { title, summary: "s", operations: [write("Hello\n")], nodes },
    });
    await change(made.body);
    const { title: cut } = await undone(author, made.body);
    expect(cut).toBe(`Undo: ${"a".repeat(112)}…`);
  });
});
