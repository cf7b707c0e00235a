import type { Readable } from "node:stream";
import fc from "fast-check";
import { type FirewallApply, readPlanDraft, renderFirewall } from "@gatehouse/plan";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anyOperation } from "../../packages/plan/src/plan-cases.ts";
import { netguard } from "../../plugins/netguard/src/netguard.ts";
import { sampleQuestion } from "../../plugins/netguard/test/sample-input.ts";
import { type HostPair, openHostPair } from "./namespaces.ts";
import { answeredOnce } from "./ping.ts";

/** Netguard's firewall on a real kernel: what its plan says is what the wire does. */
let hosts: HostPair;
let firewall: FirewallApply;

beforeAll(async () => {
  hosts = await openHostPair();
  const draft = readPlanDraft(await netguard.actions.plan({} as never, sampleQuestion));
  if (!draft.ok) throw new Error(draft.reason);
  const [operation] = draft.value.sections[0]?.operations ?? [];
  if (operation?.kind !== "firewall.apply") throw new Error("the plan has no firewall");
  firewall = operation;
});
afterAll(() => hosts.close());

const load = (text: string, ...flags: string[]) => hosts.one.run("nft", [...flags, "-f", "-"], text);

describe("the text", () => {
  test("is accepted by nft, for netguard's plan and for every operation that the schema lets through", async () => {
    await load(renderFirewall(firewall), "-c");
    const operations = fc
      .sample(anyOperation, { numRuns: 2_000, seed: 7 })
      .filter((one) => one.kind === "firewall.apply");
    expect(operations.length).toBeGreaterThan(100);
    // Together in one call: nft reads the whole text before it judges, and names the line it does not like.
    for (let at = 0; at < operations.length; at += 50) {
      await load(
        operations
          .slice(at, at + 50)
          .map(renderFirewall)
          .join(""),
        "-c",
      );
    }
  });
});

describe("on the wire", () => {
  test("everything is open before the plan is applied", async () => {
    await hosts.one.listen(22, 8088, 443, 9999);
    const { one, other } = hosts;
    for (const address of [one.inet4, one.inet6]) {
      // Both answers come before those of the port beside them, so silence below is the firewall's.
      expect(await other.connectBeside(22, address, 9999)).toBe("open");
      expect(await other.connectBeside(22, address, 9998)).toBe("refused");
    }
  });

  test("a shell that is open stays open while the plan is applied, and another table stays as it was", async () => {
    const { one, other } = hosts;
    await load("table inet somebody_else { chain input { type filter hook input priority 10; policy accept; }; }\n");
    const before = await one.run("nft", ["list", "table", "inet", "somebody_else"]);
    const kept = other.start(process.execPath, ["-e", keepTalking, one.inet4, "22"]);
    await wordFrom(kept.stdout, "hello");
    await load(renderFirewall(firewall));
    kept.stdin?.write("still there");
    await wordFrom(kept.stdout, "still there");
    expect(await one.run("nft", ["list", "table", "inet", "somebody_else"])).toBe(before);
  });

  test.each([22, 8088, 443])("port %i is reachable over IPv4 and IPv6", async (port) => {
    const { one, other } = hosts;
    for (const address of [one.inet4, one.inet6]) expect(await other.connect(address, port)).toBe("open");
  });

  test("a port that nobody opened gets no answer, also where nothing listens", async () => {
    const { one, other } = hosts;
    for (const port of [9999, 9998]) {
      for (const address of [one.inet4, one.inet6])
        expect(await other.connectBeside(22, address, port)).toBe("no answer");
    }
  });

  test("the host still reaches others, itself, and its neighbours after they were forgotten", async () => {
    const { one, other } = hosts;
    await other.listen(7777);
    expect(await one.connect(other.inet4, 7777)).toBe("open");
    expect(await one.connect("127.0.0.1", 9999)).toBe("open");
    for (const host of [one, other]) await host.run("ip", ["neighbour", "flush", "all"]);
    for (const address of [one.inet4, one.inet6]) await other.run("ping", answeredOnce(address));
  });

  test("applying the same plan again changes nothing", async () => {
    const before = await hosts.one.run("nft", ["list", "ruleset"]);
    await load(renderFirewall(firewall));
    expect(await hosts.one.run("nft", ["list", "ruleset"])).toBe(before);
  });
});

const keepTalking = `
  const { connect } = require("node:net");
  const socket = connect(Number(process.argv[2]), process.argv[1]);
  process.stdin.pipe(socket).pipe(process.stdout);
`;

function wordFrom(stream: Readable | null, word: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let seen = "";
    stream?.on("data", (part: Buffer) => {
      seen += part.toString();
      if (seen.includes(word)) resolve();
    });
    stream?.once("close", () => reject(new Error(`expected ${word}, found ${seen}`)));
  });
}
