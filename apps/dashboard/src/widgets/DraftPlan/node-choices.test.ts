import { expect, test } from "vitest";
import { chosenNodes, nodeChoices } from "./node-choices.ts";

const node = (number: number, tags: string[] = [], state: "online" | "revoked" = "online") => ({
  id: `node_${String(number).padStart(26, "0")}`,
  name: `web-${number}`,
  tags,
  state,
});
const few = [node(1, ["web", "berlin"]), node(2, ["web"]), node(3, ["web"], "revoked")];
const ids = (choice: string) => chosenNodes(few, choice).map(({ name }) => name);

test("a plan is asked for all nodes, for those of a tag, or for one; never for one that is revoked", () => {
  expect(nodeChoices(few).map(({ label }) => label)).toEqual([
    "No node",
    "All nodes (2)",
    "With the tag berlin (1)",
    "With the tag web (2)",
    "web-1",
    "web-2",
  ]);
  expect(ids("")).toEqual([]);
  expect(ids("all")).toEqual(["web-1", "web-2"]);
  expect(ids("tag:web")).toEqual(["web-1", "web-2"]);
  expect(ids("tag:berlin")).toEqual(["web-1"]);
  expect(ids(node(2).id)).toEqual(["web-2"]);
  expect(ids(node(3).id)).toEqual([]);
});

test("more nodes than one question takes cannot be chosen, and a long list is not written out", () => {
  const many = Array.from({ length: 501 }, (_, at) => node(at, at === 0 ? ["one"] : []));
  expect(nodeChoices(many)).toEqual([
    { value: "", label: "No node" },
    { value: "all", label: "All nodes (501)", disabled: true },
    { value: "tag:one", label: "With the tag one (1)", disabled: false },
  ]);
  expect(nodeChoices([])).toMatchObject([{ value: "" }, { value: "all", disabled: true }]);
});
