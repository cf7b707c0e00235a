import { byteForm } from "@gatehouse/base";
import { expect, test } from "vitest";
import { madeHeader } from "../../../../tests/support/signed-task.ts";
import { judgePlan, mostSectionLines } from "./judge-plan.ts";
import type { WholeTask } from "./task.ts";

const node = "node_zjq786fqc9hjs4qb1wefsk24q0";

function judge(section: Uint8Array): void {
  const named: Pick<WholeTask, "task" | "planDigest" | "index"> = { task: "task", planDigest: "", index: 0 };
  const [digests, approvals] = [new Uint8Array(32), new Uint8Array(1)];
  judgePlan({ ...named, header: byteForm(madeHeader), digests, section, approvals }, node);
}

const sectionOf = (operations: readonly unknown[]) => byteForm({ node, operations, preconditions: [] });
const lineFeeds = (bytes: Uint8Array) => bytes.filter((byte) => byte === 0x0a).length;

test("a section with as many lines as are read is held to its schema, and one line more is not read", () => {
  const around = lineFeeds(sectionOf([0])) - 1;
  const most = sectionOf(Array<number>(mostSectionLines - around).fill(0));
  expect(lineFeeds(most)).toBe(mostSectionLines);
  expect(() => judge(most)).toThrow(/^plan\.schema: /);
  const more = sectionOf(Array<number>(mostSectionLines - around + 1).fill(0));
  expect(() => judge(more)).toThrow(/^plan\.too_large: expected a section of at most 100000 lines, found 100001$/);
});

test("as many items on one line are no byte form, and are not read to their end", () => {
  const text = `{"node":"${node}","operations":[${"0,".repeat(mostSectionLines)}0],"preconditions":[]}\n`;
  expect(() => judge(new TextEncoder().encode(text))).toThrow(/^plan\.form: /);
});
