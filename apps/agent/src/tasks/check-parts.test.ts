import { writeContainer } from "@gatehouse/approval";
import { expect, test } from "vitest";
import { approvalOf, makeKey, signedBy } from "../../../../tests/support/signed-task.ts";
import { sampleChange } from "../../test/fake-judge.ts";
import { checkParts } from "./check-parts.ts";

const { parts } = sampleChange().task;
const sized = (name: "header" | "digests" | "section" | "approvals", size: number) => {
  return { ...parts, [name]: { ...parts[name], size } };
};
const artifactAt = (place: number, size = 100) => ({ sha256: place.toString(16).padStart(64, "0"), size });
const artifacts = (count: number, size = 100) => {
  return { ...parts, artifacts: Array.from({ length: count }, (_, place) => artifactAt(place, size)) };
};

test.each([
  ["a header at its limit", sized("header", 64 * 1024)],
  ["a section at its limit", sized("section", 16 * 1024 * 1024)],
  ["ten thousand digests", sized("digests", 320_000)],
  ["approvals at their limit", sized("approvals", 128 * 1024)],
  ["one small part twice", { ...parts, section: parts.header }],
  ["the most artifacts there can be", artifacts(64)],
  ["an artifact of a byte", artifacts(1, 1)],
  ["an artifact at its limit", artifacts(1, 512 * 1024 * 1024)],
])("%s is fetched", (_, announced) => {
  expect(() => checkParts(announced)).not.toThrow();
});

test.each([
  ["a header above its limit", sized("header", 64 * 1024 + 1), "plan.too_large"],
  ["a section above its limit", sized("section", 16 * 1024 * 1024 + 1), "plan.too_large"],
  ["a digest too many", sized("digests", 320_032), "plan.too_large"],
  ["approvals above their limit", sized("approvals", 128 * 1024 + 1), "task.malformed"],
  ["a digest of 31 bytes", sized("digests", 63), "task.malformed"],
  ["a part without bytes", sized("section", 0), "task.malformed"],
  ["one digest with two sizes", { ...parts, section: { ...parts.header, size: 1 } }, "task.malformed"],
  ["an artifact too many", artifacts(65), "task.malformed"],
  ["an artifact above its limit", artifacts(1, 512 * 1024 * 1024 + 1), "task.malformed"],
  ["an artifact without bytes", artifacts(1, 0), "task.malformed"],
  ["an artifact twice", { ...parts, artifacts: [artifactAt(1), artifactAt(1)] }, "task.malformed"],
  ["artifacts in another order", { ...parts, artifacts: [artifactAt(2), artifactAt(1)] }, "task.malformed"],
  ["an artifact that is another part too", { ...parts, artifacts: [parts.section] }, "task.malformed"],
])("%s is refused before anything is fetched", (_, announced, code) => {
  expect(() => checkParts(announced)).toThrow(new RegExp(`^${code}: `));
});

test("sixteen statements about the largest plan, for as many trust files as one can name, are fetched", () => {
  const trust = Array.from({ length: 64 }, (_, index) => index.toString(16).padStart(64, "0"));
  const approval = approvalOf({ planDigest: "a".repeat(64), index: 0, count: 10_000 }, trust);
  const signed = signedBy(makeKey("sk-ecdsa-sha2-nistp256@openssh.com", 1), approval);
  const { byteLength } = writeContainer(Array.from({ length: 16 }, () => signed));
  expect(byteLength).toBeGreaterThan(64 * 1024);
  expect(() => checkParts(sized("approvals", byteLength))).not.toThrow();
});
