import { expect, test } from "vitest";
import { sampleArtifact } from "../../widgets/ChangeFields/sample-artifact.ts";
import { partCount, sayAll, sayArrival, sayMissing } from "./artifact-words.ts";

const part = 32 * 1024 * 1024;
const arriving = (parts: number[], size = 5 * part - 1) => sampleArtifact({ state: "arriving", size, parts });

test("an artifact that arrives says how many of its parts are there, and which are to come", () => {
  expect(partCount(arriving([]))).toBe(5);
  expect(sayArrival(arriving([0, 2]))).toEqual({ state: "run", word: "2 of 5 parts" });
  expect(sayArrival(arriving([], 1))).toEqual({ state: "run", word: "0 of 1 part" });
  expect(sayMissing(arriving([0, 2]))).toMatch(/^Still to come: parts 2, 4 to 5 of 5\. /);
  expect(sayMissing(arriving([3, 2, 1, 0]))).toMatch(/^Still to come: part 5 of 5\. /);
  expect(sayMissing(arriving([0, 1, 2, 3, 4]))).toMatch(/^All parts are there/);
});

test("one that is whole says so, and that nothing is missing", () => {
  expect(sayArrival(sampleArtifact())).toEqual({ state: "ok", word: "Whole" });
  expect(sayMissing(sampleArtifact())).toBeUndefined();
});

test("all of them are counted with the room that they have", () => {
  expect(sayAll([sampleArtifact({ size: 1024 })])).toBe("One artifact, 1.0 KiB.");
  expect(sayAll([sampleArtifact({ size: part }), arriving([], part)])).toBe("2 artifacts, 64.0 MiB; one is arriving.");
  expect(sayAll([arriving([], 1), arriving([], 1), arriving([], 1)])).toBe("3 artifacts, 3 bytes; 3 are arriving.");
});
