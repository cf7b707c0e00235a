import { capabilityNames } from "@gatehouse/contract";
import { brokerLimits } from "@gatehouse/contract/broker";
import { expect, test } from "vitest";
import { openMemoryBroker } from "./memory-broker.ts";

const setUp = (capabilities = capabilityNames) => {
  const store = new Map<string, string>();
  const broker = openMemoryBroker({ capabilities, store });
  const call = (method: string, params: object, action: "describe" | "plan" = "describe") =>
    broker(action, { jsonrpc: "2.0", id: 1, method, params: params as never });
  return { store, call };
};
const refusal = (code: string) => ({ error: { data: { code } } });

test("keeps values, and lists keys in order and in parts", () => {
  const { call } = setUp();
  for (const key of ["b", "a/2", "a/1"]) expect(call("kv.put", { key, value: "v" })).toMatchObject({ result: {} });
  expect(call("kv.get", { key: "b" })).toMatchObject({ result: { value: "v" } });
  expect(call("kv.list", { prefix: "a/", limit: 1 })).toMatchObject({ result: { keys: ["a/1"], more: true } });
  expect(call("kv.list", { prefix: "a/", after: "a/1" })).toMatchObject({ result: { keys: ["a/2"], more: false } });
  call("kv.delete", { key: "b" });
  expect(call("kv.get", { key: "b" })).toMatchObject({ result: { value: null } });
});

test("shows the nodes that it was given, by tag and in parts", () => {
  const node = (id: string, tags: string[]) => ({ id, name: id, tags, state: "online" as const, facts: null });
  const [a, b, c] = ["a", "b", "c"].map((end) => `node_${"0".repeat(25)}${end}`) as [string, string, string];
  const nodes = [node(c, ["web"]), node(a, ["web"]), node(b, [])];
  const broker = openMemoryBroker({ capabilities: capabilityNames, store: new Map(), nodes });
  const list = (params: object) =>
    broker("health", { jsonrpc: "2.0", id: 1, method: "node.list", params: params as never });
  expect(list({ limit: 2 })).toMatchObject({ result: { nodes: [{ id: a }, { id: b }], more: true } });
  expect(list({ tag: "web", after: a })).toMatchObject({ result: { nodes: [{ id: c }], more: false } });
});

test("refuses as the server does", () => {
  const { call, store } = setUp();
  expect(setUp(["kv:read"]).call("kv.put", { key: "a", value: "" })).toMatchObject(
    refusal("broker.capability_missing"),
  );
  expect(call("toString", {})).toMatchObject(refusal("broker.unknown_method"));
  expect(call("kv.get", { key: "../a" })).toMatchObject(refusal("broker.malformed"));
  expect(call("kv.get", { key: "a" }, "plan")).toMatchObject(refusal("broker.not_during_plan"));
  expect(call("kv.put", { key: "a", value: "ä".repeat(brokerLimits.valueBytes / 2 + 1) })).toMatchObject(
    refusal("broker.too_large"),
  );
  expect(call("http.fetch", { url: "https://a.example/" })).toMatchObject(refusal("broker.host_not_declared"));
  for (let key = 0; key < brokerLimits.keys; key += 1) store.set(`k${key}`, "");
  expect(call("kv.put", { key: "one-more", value: "" })).toMatchObject(refusal("broker.quota"));
  expect(call("kv.put", { key: "k0", value: "again" })).toMatchObject({ result: {} });
});
