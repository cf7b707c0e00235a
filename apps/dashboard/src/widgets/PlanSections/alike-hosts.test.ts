import { expect, test } from "vitest";
import { groupAlike } from "./alike-hosts.ts";
import { sampleSection } from "./sample-section.ts";

const names = (groups: ReturnType<typeof groupAlike>) => groups.map(({ hosts }) => hosts.map(({ name }) => name));

test("hosts on which the same happens are one group, also when others stand between them", () => {
  const other = [{ kind: "service.restart", words: ["Restarts haproxy.service."], diff: [] }];
  const sections = [
    sampleSection(),
    sampleSection({ index: 1, node: "node_b", name: "web-2", operations: other }),
    sampleSection({ index: 2, node: "node_c", name: "web-3", preconditions: [] }),
  ];
  expect(names(groupAlike(sections))).toEqual([["web-1", "web-3"], ["web-2"]]);
});

test("hosts of a group are named in the order of their names", () => {
  const sections = ["web-10", "web-9"].map((name, index) => sampleSection({ index, node: `node_${index}`, name }));
  expect(names(groupAlike(sections))).toEqual([["web-9", "web-10"]]);
});

test("hosts that take another word for a change stand apart", () => {
  const sections = (["signed", "server", "signed"] as const).map((accepts, index) =>
    sampleSection({ index, node: `node_${index}`, name: `web-${index}`, accepts }),
  );
  expect(names(groupAlike(sections))).toEqual([["web-0", "web-2"], ["web-1"]]);
});

test("a host with a finding of its own stands alone", () => {
  const finding = { severity: "warn", code: "x.y", says: "Look.", operation: 0, packet: null } as const;
  const sections = [sampleSection(), sampleSection({ node: "node_b", name: "web-2", findings: [finding] })];
  expect(names(groupAlike(sections))).toEqual([["web-1"], ["web-2"]]);
});
