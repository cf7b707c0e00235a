import { expect, test } from "vitest";
import { sampleApproval, samplePlan } from "../../widgets/Plans/sample-plan.ts";
import { listed, sayApprovers, sayDecision, sayGiven, sayReach, slotsOf, timeLeft } from "./inbox-words.ts";

const now = Date.parse("2026-11-17T03:12:00.000Z");
const nameOf = (actor: string) => actor.slice(4);

test("persons fill slots: two keys of one are one, and two statements are not added up", () => {
  const [ruth, ines] = [sampleApproval(), sampleApproval({ user: "usr_ines" })];
  const given = (...approvals: (typeof ruth)[]) => slotsOf({ approvals, needed: 2 }, now).given;
  expect(given()).toBe(0);
  expect(given(ruth, { ...ruth, keyId: "ef" })).toBe(1);
  expect(given(ruth, ines)).toBe(2);
  expect(given(ruth, { ...ines, id: "ee" })).toBe(1);
  expect(given({ ...ruth, notAfter: "2026-11-17T03:11:30.000Z" })).toBe(0);
});

test("more signatures than needed fill no slot, and a plan of before says only what was given", () => {
  const approvals = [sampleApproval(), sampleApproval({ user: "usr_ines" })];
  expect(slotsOf({ approvals, needed: 1 }, now)).toEqual({ given: 1, needed: 1 });
  expect(sayGiven({ approvals, needed: 3 }, now)).toBe("2 of 3");
  expect(sayGiven({ approvals, needed: null }, now)).toBe("2 given");
  expect(sayGiven({ approvals: [], needed: 0 }, now)).toBe("no host takes changes");
});

test.each([
  ["2026-11-17T03:59:30.000Z", "47 min left", true],
  ["2026-11-18T00:30:00.000Z", "21 h left", false],
  ["2026-11-17T03:00:00.000Z", "time is over", true],
])("until %s there is: %s", (expiresAt, words, isSoon) => {
  expect(timeLeft(expiresAt, now)).toEqual({ words, isSoon });
});

test.each([
  [{ state: "rejected", movedBy: "usr_ines", reason: "not tonight" }, "ines rejected it: not tonight"],
  [{ state: "rejected", movedBy: "usr_mara", reason: null }, "mara took it back."],
  [
    { state: "expired", needed: 2, approvals: [sampleApproval()] },
    "Expired with 1 of 2. Nothing ran. Plan it again to ask anew.",
  ],
  [{ state: "expired", replacedBy: "plan_2" }, "Another plan took its place. Nothing ran."],
  [
    { state: "running", approvals: [sampleApproval(), sampleApproval({ user: "usr_ines" })] },
    "Approved by ruth and ines.",
  ],
] as const)("a decision names who decided and what: %j", (more, words) => {
  expect(sayDecision(samplePlan(more as Parameters<typeof samplePlan>[0]), nameOf)).toBe(words);
});

test("what a plan reaches is said in words, and a kind of a newer server by its name", () => {
  expect(sayReach({ kinds: ["firewall.apply"], nodes: 12 })).toBe("Firewall on 12 hosts");
  expect(sayReach({ kinds: ["file.write", "network.wireguard", "service.restart"], nodes: 1 })).toBe(
    "File, WireGuard and restart of a service on 1 host",
  );
  expect(sayReach({ kinds: ["binary.replace", "service.restart"], nodes: 2 })).toBe(
    "Program and restart of a service on 2 hosts",
  );
  expect(sayReach({ kinds: ["moon.phase"], nodes: 1_200 })).toBe("moon.phase on 1,200 hosts");
});

test("names are listed, and of many approvers two are named", () => {
  expect([listed([]), listed(["A"]), listed(["A", "B", "C"])]).toEqual(["", "A", "A, B and C"]);
  const approvals = ["usr_a", "usr_b", "usr_c", "usr_a"].map((user) => sampleApproval({ user }));
  expect(sayApprovers({ approvals }, nameOf)).toBe("a, b and 1 more");
  expect(sayApprovers({ approvals: approvals.slice(0, 1) }, nameOf)).toBe("a");
});
