import { brokerMethodNames, capabilities, capabilityNames } from "@gatehouse/contract";
import { actionLimits, brokerMethods } from "@gatehouse/contract/broker";
import { describe, expect, onTestFinished, test } from "vitest";
import { makeAuthority, startTlsPeer } from "../../../../../tests/support/tls-peer.ts";
import { askOf, netguard, setUpBroker } from "./broker-cases.ts";

const host = "api.example.test";
const authority = makeAuthority();

/** A world in which the declared host answers. */
async function worldOf() {
  const peer = await startTlsPeer(authority.issue([host]), (_, response) => void response.end("hello"));
  onTestFinished(() => peer[Symbol.asyncDispose]());
  return { connect: peer.connect, ca: authority.ca, resolve: () => Promise.resolve(["8.8.4.4"]) };
}

/** A call of each method, and how one sees that something happened. */
const calls = {
  "kv.get": { params: { key: "stored" }, opened: { value: "before" } },
  "kv.list": { params: {}, opened: { keys: ["stored"], more: false } },
  "kv.put": { params: { key: "a", value: "1" }, opened: {} },
  "kv.delete": { params: { key: "stored" }, opened: {} },
  "log.write": { params: { level: "info", message: "hello" }, opened: {} },
  "node.list": { params: {}, opened: { nodes: [], more: false } },
  "metric.read": { params: { node: `node_${"0".repeat(26)}` }, opened: { minutes: 0, stepSeconds: 60 } },
  "http.fetch": { params: { url: `https://${host}/` }, opened: { status: 200, body: "hello" } },
} as const;

describe("capabilities", () => {
  test.each(brokerMethodNames)("%s works with its capability, and is refused with all others", async (method) => {
    const { act } = setUpBroker({ network: await worldOf() });
    await act().ask("kv.put", { key: "stored", value: "before" });
    const { capability } = brokerMethods[method];
    const { params, opened } = calls[method];
    const others = capabilityNames.filter((name) => name !== capability);
    expect(await act({ capabilities: others }).ask(method, params)).toBe("broker.capability_missing");
    expect(await act({ capabilities: [] }).ask(method, params)).toBe("broker.capability_missing");
    const result = await act({ capabilities: [capability] }).ask(method, params);
    expect(result).toMatchObject(opened);
    expect(brokerMethods[method].result.safeParse(result).success).toBe(true);
  });

  test("a refused change changes nothing", async () => {
    const { act } = setUpBroker();
    const { ask } = act({ capabilities: ["kv:read"] });
    expect(await ask("kv.put", { key: "a", value: "1" })).toBe("broker.capability_missing");
    expect(await ask("kv.get", { key: "a" })).toEqual({ value: null });
  });

  test.each(capabilityNames)("%s opens what the table says: something, or for a plan alone nothing", async (name) => {
    const { act } = setUpBroker({ network: await worldOf() });
    const { ask } = act({ capabilities: [name] });
    const open: string[] = [];
    for (const method of brokerMethodNames) {
      if ((await ask(method, calls[method].params)) !== "broker.capability_missing") open.push(method);
    }
    // Host-risk capabilities let a plan hold such operations, and a plan needs its own approval: no call comes with them.
    if (capabilities[name].risk === "host") expect(open).toEqual([]);
    else expect(open).toEqual(brokerMethodNames.filter((method) => brokerMethods[method].capability === name));
    expect(open.length > 0).toBe(capabilities[name].risk !== "host");
  });

  test("what a plugin may do is what it was attached with", async () => {
    const { broker } = setUpBroker();
    const mine = { ...netguard, capabilities: ["kv:read"] as ("kv:read" | "kv:write")[] };
    const action = broker.attach(mine).beginAction("health");
    mine.capabilities.push("kv:write");
    expect(await askOf(action, "kv.put", { key: "a", value: "1" })).toBe("broker.capability_missing");
  });
});

describe("a call", () => {
  test.each(
    [
      ["", "kv", "kv.get ", "KV.GET", "toString", "__proto__", "constructor", "rpc.discover", "describe"],
      ["store.commit", "process.exit"],
    ].flat(),
  )("of %j is of a method that does not exist", async (method) => {
    const { act } = setUpBroker();
    expect(await act().ask(method, {})).toBe("broker.unknown_method");
  });

  test.each([
    ["kv.get", undefined],
    ["kv.get", null],
    ["kv.get", ["a"]],
    ["kv.get", "a"],
    ["kv.get", { key: "a", extra: 1 }],
    ["kv.get", { key: 1 }],
    ["kv.get", { key: "" }],
    ["kv.get", { key: "../a" }],
    ["kv.get", { key: "a@b" }],
    ["kv.get", { key: "a+b" }],
    ["kv.get", { key: "a\u0000" }],
    ["kv.put", { key: "a" }],
    ["kv.put", { key: "a", value: { a: 1 } }],
    ["kv.list", { limit: 0 }],
    ["kv.list", { limit: 1_000_000 }],
    ["kv.list", { prefix: "@" }],
    ["log.write", { level: "fatal", message: "a" }],
    ["http.fetch", { url: "http://api.example.test/" }],
    ["http.fetch", { url: "https://api.example.test/", method: "CONNECT" }],
    ["http.fetch", { url: "https://api.example.test/", headers: { cookie: "a=b" } }],
    ["http.fetch", { url: "https://api.example.test/", body: "x" }],
    ["http.fetch", { url: "https://api.example.test/", bodyEncoding: "base64" }],
    ["http.fetch", { url: "https://api.example.test/", method: "POST", body: "a===", bodyEncoding: "base64" }],
  ])("%s with %j is malformed", async (method, params) => {
    const { act } = setUpBroker();
    expect(await act().ask(method, params as never)).toBe("broker.malformed");
  });

  test.each([
    ["kv.get", { key: "a".repeat(129) }],
    ["kv.put", { key: "a", value: "x".repeat(16_385) }],
    ["kv.put", { key: "a", value: "ü".repeat(8_193) }],
    ["log.write", { level: "info", message: "x".repeat(4_001) }],
    ["http.fetch", { url: `https://api.example.test/${"a".repeat(2_048)}` }],
    ["http.fetch", { url: "https://api.example.test/", method: "POST", body: "x".repeat(65_537) }],
  ])("%s with more than it takes is too large", async (method, params) => {
    const { act } = setUpBroker();
    expect(await act().ask(method, params)).toBe("broker.too_large");
  });

  test("that reads is refused while a plan is drawn up, so that a plan depends on its input alone", async () => {
    const { act } = setUpBroker();
    const { ask } = act({}, "plan");
    for (const method of ["kv.get", "kv.list", "http.fetch"] as const) {
      expect(await ask(method, calls[method].params), method).toBe("broker.not_during_plan");
    }
    expect(await ask("kv.put", { key: "a", value: "1" })).toEqual({});
  });

  test("beyond the cap of an action is refused, and the next action begins anew", async () => {
    const { act } = setUpBroker();
    const { handle, ask } = act();
    for (let call = 0; call < actionLimits.brokerCalls; call += 1) {
      expect(await ask(call % 2 === 0 ? "kv.get" : "nothing", { key: "a" })).not.toBe("broker.too_many_calls");
    }
    expect(await ask("kv.get", { key: "a" })).toBe("broker.too_many_calls");
    expect(await askOf(handle.beginAction("health"), "kv.get", { key: "a" })).toEqual({ value: null });
  });

  test("that fails for a reason of ours tells the plugin nothing about it, and the log all", async () => {
    const { act, lines } = setUpBroker({
      replace: { "kv.get": () => Promise.reject(new Error("canary in the store")) },
    });
    const { action } = act();
    const line = await action.answer({ id: 1, method: "kv.get", params: { key: "a" } });
    expect(line).toContain("broker.failed");
    expect(line).not.toContain("canary");
    expect(lines.join("")).toContain("canary");
  });

  test("is answered under its own id, in JSON-RPC's form", async () => {
    const { act } = setUpBroker();
    const { action } = act();
    const line = await action.answer({ id: 7, method: "nothing", params: {} });
    expect(JSON.parse(line)).toEqual({
      jsonrpc: "2.0",
      id: 7,
      error: { code: -32_601, message: "there is no such method", data: { code: "broker.unknown_method" } },
    });
    expect(line).not.toContain("\n");
  });
});

describe("detaching", () => {
  const held = () => {
    const { promise, resolve } = Promise.withResolvers<{ value: string }>();
    const signals: AbortSignal[] = [];
    const set = setUpBroker({
      replace: {
        "kv.get": ({ signal }) => {
          signals.push(signal);
          return promise;
        },
      },
    });
    return { ...set, signals, resolve };
  };

  test("ends calls under way at once, and drops what they would have given", async () => {
    const { act, signals, resolve } = held();
    const { handle, ask } = act();
    const waiting = [ask("kv.get", { key: "a" }), ask("kv.get", { key: "b" })];
    handle.detach();
    expect(await Promise.all(waiting)).toEqual(["broker.detached", "broker.detached"]);
    expect(signals.every((signal) => signal.aborted)).toBe(true);
    resolve({ value: "late" });
    expect(await ask("kv.get", { key: "a" })).toBe("broker.detached");
    expect(await askOf(handle.beginAction("health"), "log.write", { level: "info", message: "x" })).toBe(
      "broker.detached",
    );
  });

  test("twice is no fault, and touches nobody else", async () => {
    const { broker, act } = setUpBroker();
    const first = act();
    const other = act({ id: "other" });
    first.handle.detach();
    first.handle.detach();
    expect(broker.attachedIds()).toEqual(["other"]);
    expect(await other.ask("kv.get", { key: "a" })).toEqual({ value: null });
  });

  test("comes by itself to bytes whose place others take", async () => {
    const { broker, act } = setUpBroker();
    const old = act();
    const now = act({ payloadSha256: "b".repeat(64) });
    expect(await old.ask("kv.get", { key: "a" })).toBe("broker.detached");
    old.handle.detach();
    expect(broker.attachedIds()).toEqual(["netguard"]);
    expect(await now.ask("kv.get", { key: "a" })).toEqual({ value: null });
  });

  test("at the end of an action is for that action only", async () => {
    const { act } = setUpBroker();
    const { handle, action, ask } = act();
    action.end();
    expect(await ask("kv.get", { key: "a" })).toBe("broker.detached");
    expect(await askOf(handle.beginAction("health"), "kv.get", { key: "a" })).toEqual({ value: null });
  });
});

describe("the record of an action", () => {
  test("says which methods and hosts were used, how often and how much, and nothing of what was said", async () => {
    const { act } = setUpBroker({ network: await worldOf() });
    const { action, ask } = act();
    await ask("kv.put", { key: "secret-key", value: "secret-value" });
    await ask("kv.put", { key: "" });
    await ask("kv.get", { key: "secret-key" });
    await ask("http.fetch", { url: `https://${host}/secret-path` });
    await ask("http.fetch", { url: "https://secret-host.test/" });
    await ask("secret-method", {});
    await ask("another-secret");
    const rows = action.calls();
    expect(rows).toMatchObject([
      { method: "http.fetch", count: 1, refused: 1 },
      { method: "http.fetch", host, count: 1, refused: 0 },
      { method: "kv.get", count: 1, refused: 0 },
      { method: "kv.put", count: 2, refused: 1 },
      { method: "unknown", count: 2, refused: 2 },
    ]);
    expect(rows.every(({ bytes }) => bytes >= 0)).toBe(true);
    expect(JSON.stringify(rows)).not.toMatch(/secret/);
  });
});
