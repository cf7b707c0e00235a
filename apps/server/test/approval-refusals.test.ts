import { sectionBits, serialiseTrust } from "@gatehouse/approval";
import { approverKeyId, firstTrust } from "@gatehouse/approval/verify";
import { describe, expect, test } from "vitest";
import { makeKey } from "../../../tests/support/approvers.ts";
import {
  adaAndBob,
  adaKey,
  approve,
  bobKey,
  oneOfTwo,
  refusalOf,
  signatureBody,
  startInReview,
  statementAbout,
  takesSignatures,
  twoOfTwo,
} from "./approved-plan.ts";

describe("what a host would refuse is refused with its own code, and changes nothing", () => {
  const firewall = {
    title: "Open",
    summary: "Everything.",
    operations: [{ kind: "firewall.apply", table: "gatehouse_netguard", input: { policy: "accept", rules: [] } }],
  };
  const asksApprover = firstTrust(adaAndBob, { confirm: { network: "approver" } });
  const weakBlob = new Uint8Array([...adaKey.blob.subarray(0, -32), ...new Uint8Array(32)]);
  const weakKey = { id: approverKeyId(weakBlob), kind: "ssh", key: weakBlob.toBase64() } as const;
  const weak = serialiseTrust({
    schema: 1,
    epoch: 1,
    prev: null,
    persons: [{ name: "Ada", keys: [weakKey] }],
    thresholds: { change: 1, network: 1, update: 1, terminal: 1, trust: 1 },
    publishers: {},
    auditors: [],
  });

  test.each<[string, Parameters<typeof statementAbout>[2], Parameters<typeof makeKey>[1]]>([
    ["statement.plan", { planDigest: "0".repeat(64) }, 1],
    ["statement.node", { sections: sectionBits(2, [0]) }, 1],
    ["statement.trust", { trust: [twoOfTwo] }, 1],
    ["statement.limits", { rollbackWindow: 5 }, 1],
    ["statement.limits", { settle: 60 }, 1],
    ["time.issued_in_future", { issuedAt: Date.UTC(2200, 0, 1) }, 1],
    ["time.expired", { notAfter: 1 }, 1],
    ["time.too_long", { notAfter: Date.UTC(2200, 0, 1) }, 1],
    ["signature.key_unknown", {}, 9],
  ])("%s", async (code, changed, seed) => {
    const { server, owner, plan, shown } = await startInReview([takesSignatures(oneOfTwo)]);
    const body = signatureBody(makeKey("ssh-ed25519", seed), statementAbout(server, plan, changed));
    expect((await approve(owner, plan, body)).body.code).toBe(code);
    expect(await shown()).toMatchObject({ state: "in_review", approvals: [], awaiting: null });
  });

  test("a time that has not come yet is no reason", async () => {
    const { server, owner, plan } = await startInReview([takesSignatures(oneOfTwo)]);
    const notBefore = server.clock.now() + 30 * 60 * 1_000;
    const body = signatureBody(adaKey, statementAbout(server, plan, { notBefore }));
    expect((await approve(owner, plan, body)).body.state).toBe("approved");
  });

  test("bytes that are no statement, another signature, and no signature at all", async () => {
    const { server, owner, plan } = await startInReview([takesSignatures(oneOfTwo)]);
    const good = signatureBody(adaKey, statementAbout(server, plan));
    const other = signatureBody(adaKey, statementAbout(server, plan));
    for (const [changed, code] of [
      [{ statement: "AAAA" }, "statement.malformed"],
      [{ ssh: other.ssh }, "signature.invalid"],
      [{ ssh: "AAAA" }, "signature.format"],
    ] as const) {
      expect((await approve(owner, plan, { ...good, ...changed })).body.code).toBe(code);
    }
    for (const body of [{ statement: good.statement }, { ...good, server: true }, { server: false }, {}]) {
      expect((await approve(owner, plan, body)).status).toBe(400);
    }
  });

  test("the host is named, and one is enough", async () => {
    const hosts = [takesSignatures(oneOfTwo), takesSignatures(firstTrust([{ name: "Bob", keys: [bobKey] }]))];
    const { server, owner, plan, sectionOf, shown } = await startInReview(hosts);
    const answer = await approve(owner, plan, signatureBody(adaKey, statementAbout(server, plan)));
    expect(refusalOf(answer)).toMatch(/^statement\.trust: web-1: expected the trust file/);
    expect((await shown()).approvals).toEqual([]);
    const first = statementAbout(server, plan, { sections: sectionBits(2, [sectionOf("web-0")]) });
    const { body } = await approve(owner, plan, signatureBody(adaKey, first));
    expect([body.state, body.awaiting, body.approvals[0]?.sections]).toEqual(["in_review", 1, 1]);
  });

  test("a class of operations can ask for more: the network wants its approver", async () => {
    const says = { ...takesSignatures(asksApprover), "host:ssh": { ports: [22], peers: [] } };
    const { server, owner, plan } = await startInReview([says], {}, firewall);
    const wanted = (confirmation: number) => statementAbout(server, plan, { confirmation, trust: [asksApprover] });
    expect((await approve(owner, plan, signatureBody(adaKey, wanted(1)))).body.code).toBe("statement.limits");
    expect((await approve(owner, plan, signatureBody(adaKey, wanted(2)))).body.state).toBe("approved");
  });

  test.each([
    ["there is none", null],
    ["it is damaged", Buffer.from("{}").toString("base64")],
    ["a key of it is weak", weak.toBase64()],
  ])("a trust file that cannot be believed: %s", async (_, trust) => {
    const { server, owner, plan } = await startInReview([{ "host:trust": { accepts: "signed", trust } }]);
    const answer = await approve(owner, plan, signatureBody(adaKey, statementAbout(server, plan)));
    expect(refusalOf(answer)).toMatch(/^trust\.unsound: web-0: /);
  });

  test("a trust file whose time is over", async () => {
    const ended = firstTrust(adaAndBob, { notAfter: 1 });
    const { server, owner, plan } = await startInReview([takesSignatures(ended)]);
    const statement = statementAbout(server, plan, { trust: [ended] });
    const answer = await approve(owner, plan, signatureBody(adaKey, statement));
    expect(answer.body.code).toBe("trust.expired");
  });
});
