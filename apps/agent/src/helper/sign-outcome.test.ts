import { decodeBase64url, outcomeBody, readOutcome } from "@gatehouse/channel";
import { readSigned } from "@gatehouse/keys/frame";
import { expect, test } from "vitest";
import { makeHostDirectory } from "../../test/host-directory.ts";
import { sampleAccepted } from "../../test/restored-host.ts";
import { makeHostIdentity } from "../local/host-key.ts";
import { endOf } from "../safety/end-change.ts";
import { signOutcome } from "./sign-outcome.ts";

const why = { code: "service.down", detail: "\u{1f600}".repeat(1_000) };
const line = "漢".repeat(400);

/** As many parts that somebody else has changed as leave room for what was read. */
const foreign = Array.from({ length: 30 }, (_, at) => `file:/${"x".repeat(580)}${at}`);

test("the largest end that tells what was read fits into the one message that carries it", async () => {
  const identity = await makeHostIdentity(makeHostDirectory());
  const told = [{ operation: 0, lines: Array.from({ length: 13 }, () => line) }];
  const end = endOf({ accepted: sampleAccepted, told }, "failed_after_change", why, foreign);
  expect(end.told).toEqual(told);
  const note = { seq: 9, at: 1_000, task: `task_${"0".repeat(26)}`, kind: "ended", link: new Uint8Array(32) } as const;
  const signed = signOutcome(identity, { ...note, end });
  expect(outcomeBody.safeParse({ signed }).success).toBe(true);
  expect(readSigned(decodeBase64url(signed), [64], readOutcome)?.value.detail).toMatchObject({ told, foreign });
});

test("an end that read nothing is signed without a word about it", async () => {
  const identity = await makeHostIdentity(makeHostDirectory());
  const end = endOf({ accepted: sampleAccepted, told: [] }, "applied", { code: "", detail: "" });
  const note = { seq: 9, at: 1_000, task: `task_${"0".repeat(26)}`, kind: "ended", link: new Uint8Array(32) } as const;
  const read = readSigned(decodeBase64url(signOutcome(identity, { ...note, end })), [64], readOutcome);
  expect(read?.value.detail).toEqual({ code: "", detail: "", foreign: [] });
});
