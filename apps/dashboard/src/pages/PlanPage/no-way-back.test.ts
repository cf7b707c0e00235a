import { expect, test } from "vitest";
import { ApiError } from "../../api/api-error.ts";
import { noWayBack } from "./no-way-back.ts";

test("a refusal to undo names its hosts with the reasons, and how many more there are", () => {
  const nodes = [{ node: "node_a", name: "web-1", why: ["file.write: nothing was there before"] }];
  const refusal = new ApiError(409, { code: "plan.not_undoable", nodes, more: 3 });
  expect(noWayBack(refusal)).toEqual({ hosts: nodes, more: 3 });
});

test("any other refusal names no host", () => {
  expect(noWayBack(new ApiError(409, { code: "plan.not_undoable" }))).toEqual({ hosts: [], more: 0 });
  expect(noWayBack(new ApiError(409, { code: "plan.node_offline", nodes: [{}] }))).toEqual({ hosts: [], more: 0 });
  expect(noWayBack(new Error("lost"))).toEqual({ hosts: [], more: 0 });
});
