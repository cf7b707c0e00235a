import { sectionBits, writeContainer } from "@gatehouse/approval";
import { firstTrust, parseTrust, type Trust } from "@gatehouse/approval/verify";
import { memoryBlobs } from "@gatehouse/store/blobs";
import { expect, test } from "vitest";
import { makeKey, signedBy } from "../../../../../tests/support/approvers.ts";
import { countAwaiting } from "./count-awaiting.ts";
import { judgeSignature } from "./judge-approval.ts";
import { readKeptStatement } from "./kept-statements.ts";
import type { PlanHost } from "./plan-hosts.ts";

const now = 1_800_000_000_000;
const key = makeKey("ssh-ed25519", 1);
const digest = "ab".repeat(32);

/** A trust file that counts how often somebody looks for a person in it. */
function countedTrust(): { trust: Trust; looks: () => number } {
  const { persons, ...trust } = parseTrust(firstTrust([{ name: "Ada", keys: [key] }]));
  let looks = 0;
  const counted = {
    ...trust,
    get persons() {
      looks += 1;
      return persons;
    },
  };
  return { trust: counted, looks: () => looks };
}

const hostsWith = (count: number, trust: Trust, risks: PlanHost["risks"] = ["change"]): PlanHost[] =>
  Array.from({ length: count }, (_, index) => ({
    index,
    node: `node_${index}`,
    name: `web-${index}`,
    accepts: "signed",
    said: undefined,
    trust,
    risks,
  }));

const statementFor = (hosts: readonly PlanHost[], trust: Trust) =>
  writeContainer([
    signedBy(key, {
      approvalId: "cd".repeat(16),
      planDigest: digest,
      sections: sectionBits(hosts.length, hosts.keys()),
      issuedAt: now,
      notBefore: now,
      notAfter: now + 60_000,
      rollbackWindow: 60,
      confirmation: 1,
      settle: 0,
      trust: [trust.digest],
    }),
  ]);

test("ten thousand hosts of one trust file judge a signature once", () => {
  const [few, many] = [2, 10_000].map((count) => {
    const { trust, looks } = countedTrust();
    const hosts = hostsWith(count, trust);
    expect(judgeSignature(statementFor(hosts, trust), digest, hosts, now).sections).toBe(count);
    return looks();
  });
  expect(many).toBe(few);
});

test("persons are counted once for each trust file, however many hosts wait", () => {
  const { trust, looks } = countedTrust();
  const hosts = hostsWith(10_000, trust);
  const offer = { sections: sectionBits(10_000, [0, 9_999]), keyIds: new Set<string>() };
  expect(countAwaiting(hosts, { offers: [offer], hasServerWord: false }, now)).toBe(10_000);
  expect(looks()).toBe(1);
});

test("a host whose trust file ends waits, whoever has signed", () => {
  const trust = parseTrust(firstTrust([{ name: "Ada", keys: [key] }], { notAfter: now }));
  const hosts = hostsWith(1, trust);
  const keyIds = new Set(trust.persons.flatMap(({ keys }) => keys.map(({ id }) => id)));
  const standing = { offers: [{ sections: sectionBits(1, [0]), keyIds }], hasServerWord: false };
  expect([now, now + 1].map((at) => countAwaiting(hosts, standing, at))).toEqual([0, 1]);
  const unsound = hosts.map((host) => ({ ...host, trust: undefined }));
  expect(countAwaiting(unsound, standing, now)).toBe(1);
});

test("a failure that is no verdict of a host is none of its refusals", () => {
  const { trust } = countedTrust();
  const broken = { ...trust, digest: "ef".repeat(32), thresholds: trust.thresholds, persons: null as never };
  const hosts = hostsWith(1, broken);
  expect(() => judgeSignature(statementFor(hosts, broken), digest, hosts, now)).toThrow(TypeError);
});

test("bytes that were kept and are no signed statement are nobody's approval", async () => {
  const blobs = memoryBlobs();
  const other = await blobs.put([Buffer.from("[]")]);
  await expect(readKeptStatement(blobs, other)).rejects.toThrow(/that was kept is none/);
});
