import { expect, test } from "vitest";
import { shortFingerprint, waitingWords } from "./approval-words.ts";
import { sampleApproval, samplePlan } from "./sample-plan.ts";

test("a fingerprint keeps its kind, its beginning and its end", () => {
  expect(shortFingerprint("SHA256:Qx3mH0v7dVZr2tC4m9bYw1Jk8uLpNs5aRf6eGh0iTbE")).toBe("SHA256:Qx3mH0v7…iTbE");
  expect(shortFingerprint("SHA256:short")).toBe("SHA256:short");
});

test("a plan in review says how many hosts wait, before the first approval and after it", () => {
  expect(waitingWords(samplePlan())).toEqual({ isWaiting: true, says: "Nobody has approved it yet." });
  expect(waitingWords(samplePlan({ awaiting: 1 }))?.says).toBe("1 host still waits for approvals.");
  expect(waitingWords(samplePlan({ awaiting: 1_200 }))?.says).toBe("1,200 hosts still wait for approvals.");
});

test("an approved plan waits for nobody, and one that ended says nothing of it", () => {
  expect(waitingWords(samplePlan({ state: "approved", awaiting: 0 }))?.isWaiting).toBe(false);
  const approvals = [sampleApproval()];
  expect(waitingWords(samplePlan({ state: "done", approvals }))).toBeUndefined();
  expect(waitingWords(samplePlan({ state: "rejected" }))?.says).toBe("Nobody approved it.");
});
