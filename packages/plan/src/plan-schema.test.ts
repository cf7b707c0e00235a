import { expect, test } from "vitest";
import { readOwnSection } from "./byte-form.ts";
import type { Operation } from "./operations/table.ts";
import { finishPlan, planLimits, type PlanSection } from "./plan-document.ts";

const node = `node_${"0".repeat(25)}1`;
const restarts = { node, operations: [{ kind: "service.restart" as const, unit: "nginx.service" }] };
const small = finishPlan({ title: "t", summary: "s", sections: [restarts] }, { from: "person" }, () => "absent");

test("a plan that brings artifacts has schema 2, and every other one 1, which older hosts read", () => {
  const header = { ...small.header, schema: 2 } as const;
  const [section] = small.sections as [PlanSection];
  const replace: Operation = {
    kind: "binary.replace",
    path: "/opt/tool",
    name: "tool",
    version: "1.2.3",
    architecture: "x64",
    sha256: "ab".repeat(32),
    size: 1,
    publisher: "acme",
    signature: { keyId: "0".repeat(32), ed25519: `${"A".repeat(86)}==` },
  };
  const brings = {
    ...section,
    operations: [replace],
    preconditions: [{ subject: "binary:/opt/tool", state: "absent" }],
  };
  expect(readOwnSection(small.header, brings)).toEqual({
    ok: false,
    reason: "/header/schema: must be 2 in a plan that brings artifacts",
  });
  expect(readOwnSection(header, brings).ok).toBe(true);
  // The artifacts may be for other hosts.
  expect(readOwnSection(header, section).ok).toBe(true);
  const draft = { title: "t", summary: "s", sections: [{ node: section.node, operations: [replace] }] };
  expect(finishPlan(draft, { from: "person" }, () => "absent").header.schema).toBe(2);
});

test("a host gets no more programs in one plan than it can put back in time", () => {
  const replace = (path: string, size: number): Operation => ({
    kind: "binary.replace",
    path,
    name: "tool",
    version: "1.2.3",
    architecture: "x64",
    sha256: "ab".repeat(32),
    size,
    publisher: "acme",
    signature: { keyId: "0".repeat(32), ed25519: `${"A".repeat(86)}==` },
  });
  const sizes = [planLimits.artifactBytes - 1, 1, 1];
  const readAll = (count: number) => {
    const paths = sizes.slice(0, count).map((_, index) => `/opt/tool${index}`);
    const operations = paths.map((path, index) => replace(path, sizes[index] ?? 0));
    const preconditions = paths.map((path) => ({ subject: `binary:${path}`, state: "absent" }));
    return readOwnSection({ ...small.header, schema: 2 }, { node, operations, preconditions });
  };
  expect(readAll(2).ok).toBe(true);
  expect(readAll(3)).toEqual({
    ok: false,
    reason: `/sections/0/operations: must have programs of at most ${planLimits.artifactBytes} bytes together`,
  });
});

test("only a header of schema 2 can say that its hosts change together", () => {
  const nodes = ["1", "2"].map((end) => `node_${end.repeat(26)}`);
  const [section] = small.sections;
  const read = (header: object) => readOwnSection({ ...small.header, ...header }, section).ok;
  expect(read({ schema: 2, together: nodes })).toBe(true);
  expect(read({ schema: 1, together: nodes })).toBe(false);
  expect(read({ schema: 2, together: nodes.toReversed() })).toBe(false);
  expect(read({ schema: 2, together: nodes.slice(1) })).toBe(false);
});
