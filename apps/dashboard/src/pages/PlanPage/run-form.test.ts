import { wantedRun, waveLimits } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { type RunForm, readRunForm, sayRun, usualRun } from "./run-form.ts";

const waves: RunForm = { ...usualRun, how: "in-waves", canary: "" };

test("without a word about it all hosts get the plan at once, and the server is told nothing", () => {
  expect(readRunForm(usualRun)).toEqual({ run: undefined });
  expect(readRunForm({ ...usualRun, tags: "Ärger", size: "-1" })).toEqual({ run: undefined });
});

test("what is typed becomes what the contract takes", () => {
  const typed = { ...waves, canary: " 2 ", tags: "fra1, ams1", size: "50", haltAt: "3" };
  const read = readRunForm(typed);
  expect(read).toEqual({ run: { waves: { canary: 2, tags: ["fra1", "ams1"], size: 50 }, halt: { after: 3 } } });
  expect("run" in read && wantedRun.parse(read.run)).toEqual("run" in read && read.run);
  expect(readRunForm({ ...usualRun, haltAt: "10", haltIn: "percent" })).toEqual({ run: { halt: { percent: 10 } } });
});

test("in waves something has to be said of them", () => {
  expect(readRunForm({ ...waves, haltAt: "1" })).toEqual({
    wrong: { canary: "Say how many go first, name a tag, or say how many a wave has." },
  });
  expect(readRunForm({ ...waves, tags: "edge" })).toEqual({ run: { waves: { tags: ["edge"] } } });
});

test.each(["0", "1", "100", "101", "1.5", "-1", "1e2", "many", "10000", "10001", "999999", "9999999"])(
  "%s is taken for a number of hosts where the contract takes it, and else its field says what is right",
  (text) => {
    const judged = (form: Partial<RunForm>, wanted: unknown) =>
      expect("run" in readRunForm({ ...waves, ...form })).toBe(wantedRun.safeParse(wanted).success);
    const number = /^[0-9.-]+$/.test(text) ? Number(text) : Number.NaN;
    judged({ canary: text }, { waves: { canary: number } });
    judged({ size: text }, { waves: { size: number } });
    judged({ canary: "1", haltAt: text }, { waves: { canary: 1 }, halt: { after: number } });
    judged({ canary: "1", haltAt: text, haltIn: "percent" }, { waves: { canary: 1 }, halt: { percent: number } });
  },
);

test("each field that is wrong says so, all at once", () => {
  const tags = Array.from({ length: waveLimits.tags + 1 }, (_, at) => `tag-${at}`).join(",");
  expect(readRunForm({ ...waves, canary: "no", tags, size: "0", haltAt: "101", haltIn: "percent" })).toEqual({
    wrong: {
      canary: "Write a whole number from 1 to 100.",
      tags: "A plan has at most 32 waves by tag.",
      size: "Write a whole number from 1 to 10,000.",
      haltAt: "Write a whole number from 1 to 100.",
    },
  });
  expect(readRunForm({ ...waves, tags: "Ärger" })).toEqual({
    wrong: { tags: expect.stringMatching(/^Ärger is no tag/) },
  });
});

test.each([
  [undefined, undefined, "All 12 hosts get it at once.", "Nothing but a person halts it."],
  [undefined, { after: 2 }, "All 12 hosts get it at once.", "It halts at 2 hosts that have not kept the change."],
  [
    { canary: 1 },
    undefined,
    "1 host first, then the rest.",
    "It halts at the first host that has not kept the change.",
  ],
  [
    { canary: 2, tags: ["fra1", "ams1"], size: 5 },
    { percent: 10 },
    "2 hosts first, then those tagged fra1, then those tagged ams1, then the rest; 5 hosts at a time at most.",
    "It halts when 10 % of the hosts of one wave have not kept the change.",
  ],
  [
    { tags: ["fra1"] },
    { after: 3 },
    "Those tagged fra1, then the rest.",
    "It halts at 3 hosts of one wave that have not kept the change.",
  ],
  [{ size: 5 }, undefined, "5 hosts at a time at most.", "It halts at the first host that has not kept the change."],
  [{ canary: 20 }, undefined, "12 hosts first.", "It halts at the first host that has not kept the change."],
])("words tell what will happen: %j, %j", (wanted, halt, order, halts) => {
  const run = { ...(wanted && { waves: wanted }), ...(halt && { halt }) };
  expect(sayRun(run, 12)).toEqual({ order, halt: halts });
});
