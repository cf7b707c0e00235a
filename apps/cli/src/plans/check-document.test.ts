import { planDigest, serialisePlan } from "@gatehouse/plan";
import { expect, test } from "vitest";
import { samplePlan } from "../../test/sample-plan.ts";
import { sha256Of } from "../sha256-of.ts";
import { checkDocument } from "./check-document.ts";

const { plan, document, bytes } = samplePlan();
const [first, second] = document.sections;

test("a document with the digest that the server names is the plan", () => {
  expect(checkDocument(plan, bytes)).toEqual(document);
});

test.each([
  ["a section that was left out", { ...document, sections: first === undefined ? [] : [first] }],
  ["another title", { ...document, header: { ...document.header, title: "Nothing much" } }],
  [
    "another text to write",
    {
      ...document,
      sections: document.sections.map((section) => ({
        ...section,
        operations: section.operations.map((one) => (one.kind === "file.write" ? { ...one, text: "Bye\n" } : one)),
      })),
    },
  ],
  [
    "the state of another moment",
    {
      ...document,
      sections: document.sections.map((section) => ({
        ...section,
        preconditions: section.preconditions.map((one) => ({ ...one, state: "e".repeat(64) })),
      })),
    },
  ],
])("%s is another plan, whatever the server says", (_, other) => {
  expect(() => checkDocument(plan, serialisePlan(other))).toThrow(
    expect.objectContaining({
      code: "cli.plan_differs",
      detail: expect.stringContaining("the server shows another plan than its digest names"),
    }),
  );
});

test("a plan whose hosts are to change together is not shown to anybody who could sign it", () => {
  const nodes = document.sections.map(({ node }) => node);
  const together = { ...document, header: { ...document.header, schema: 2 as const, together: nodes } };
  const digest = planDigest(sha256Of, together);
  expect(() => checkDocument({ ...plan, digest }, serialisePlan(together))).toThrow(
    /^plan\.together: .*hosts together$/,
  );
});

test.each([
  ["no JSON", "not a plan"],
  ["a blank more", ` ${new TextDecoder().decode(bytes)}`],
  ["sections in another order", new TextDecoder().decode(serialisePlan({ ...document, sections: swapped() }))],
])("%s is no plan", (_, text) => {
  expect(() => checkDocument(plan, new TextEncoder().encode(text))).toThrow(
    expect.objectContaining({ code: "cli.plan_differs", detail: expect.stringContaining("cannot be read here") }),
  );
});

test.each([
  ["title", { title: "Nothing much" }],
  ["summary", { summary: "Nothing." }],
  ["nodes", { nodes: 1 }],
  [
    "source",
    {
      source: {
        from: "plugin",
        plugin: "netguard",
        version: "1.0.0",
        artifactSha256: "a".repeat(64),
        inputSha256: "b".repeat(64),
      },
    },
  ],
] as const)("the server cannot tell another %s than stands in the plan", (field, change) => {
  expect(() => checkDocument({ ...plan, ...change }, bytes)).toThrow(
    expect.objectContaining({ code: "cli.plan_differs", detail: expect.stringContaining(`another ${field}`) }),
  );
});

function swapped() {
  return [second, first].flatMap((section) => section ?? []);
}
