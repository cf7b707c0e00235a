import { describe, expect, test } from "vitest";
import { brokerFaults } from "../broker-faults.ts";
import { capabilityNames } from "../capabilities.ts";
import { brokerMethodNames, isBrokerMethod } from "../plugin-names.ts";
import { visibleText } from "../visible-text.ts";
import { brokerMethods } from "./broker-methods.ts";
import { actionAnswer, actionRequest, brokerAnswer, brokerCall, brokerErrorNumber } from "./broker-protocol.ts";
import { actionLimits, describeResult, healthResult } from "./plugin-actions.ts";

const envelope = { jsonrpc: "2.0" };

describe("messages", () => {
  test("an action is asked for with id 0, and only a plan has an input and nodes", () => {
    const plan = { ...envelope, id: 0, method: "plan", params: { input: null, nodes: [] } };
    expect(actionRequest.safeParse(plan).success).toBe(true);
    expect(actionRequest.safeParse({ ...envelope, id: 0, method: "health", params: {} }).success).toBe(true);
    for (const wrong of [
      { ...envelope, id: 1, method: "health", params: {} },
      { ...envelope, id: 0, method: "apply", params: {} },
      { ...envelope, id: 0, method: "plan", params: {} },
      { ...envelope, id: 0, method: "plan", params: { input: null } },
      { ...envelope, id: 0, method: "health", params: { nodes: [] } },
      { ...envelope, id: 0, method: "health", params: { input: 1 } },
      { ...envelope, id: 0, method: "health", params: {}, extra: 1 },
      [{ ...envelope, id: 0, method: "health", params: {} }],
    ]) {
      expect(actionRequest.safeParse(wrong).success).toBe(false);
    }
  });

  test("an answer has a result or an error, never both and never neither", () => {
    const error = { code: 1, message: "no" };
    expect(actionAnswer.safeParse({ ...envelope, id: 0, result: null }).success).toBe(true);
    expect(actionAnswer.safeParse({ ...envelope, id: 0, error }).success).toBe(true);
    expect(actionAnswer.safeParse({ ...envelope, id: 0 }).success).toBe(false);
    expect(actionAnswer.safeParse({ ...envelope, id: 0, result: 1, error }).success).toBe(false);
    expect(actionAnswer.safeParse({ ...envelope, id: 1, result: 1 }).success).toBe(false);
  });

  test("a call can never be taken for the answer, nor a text for a number", () => {
    const call = { ...envelope, id: 1, method: "kv.get", params: { key: "a" } };
    expect(brokerCall.safeParse(call).success).toBe(true);
    for (const id of [0, -1, 1.5, 2 ** 31, "1", null])
      expect(brokerCall.safeParse({ ...call, id }).success).toBe(false);
    expect(actionAnswer.safeParse(call).success).toBe(false);
  });

  test("a refusal carries a code of the broker", () => {
    const refusal = { ...envelope, id: 3, error: { code: -32_000, message: "m", data: { code: "broker.quota" } } };
    expect(brokerAnswer.safeParse(refusal).success).toBe(true);
    const foreign = { ...refusal, error: { ...refusal.error, data: { code: "store.conflict" } } };
    expect(brokerAnswer.safeParse(foreign).success).toBe(false);
    expect(brokerErrorNumber("broker.unknown_method")).toBe(-32_601);
    expect(Object.keys(brokerFaults).every((code) => code.startsWith("broker."))).toBe(true);
  });
});

describe("methods", () => {
  test("each needs a capability that a manifest can declare", () => {
    for (const name of brokerMethodNames) expect(capabilityNames).toContain(brokerMethods[name].capability);
    expect(isBrokerMethod("kv.get")).toBe(true);
    expect(isBrokerMethod("toString")).toBe(false);
  });

  test("while a plan is drawn up nothing can be read, so a plan depends on its input alone", () => {
    const readable = brokerMethodNames.filter((name) =>
      (brokerMethods[name].during as readonly string[]).includes("plan"),
    );
    expect(readable).toEqual(["kv.put", "kv.delete", "log.write"]);
    for (const name of readable) expect(brokerMethods[name].result.safeParse({ value: "x" }).success).toBe(false);
  });

  test("a header cannot steer the connection or smuggle a line", () => {
    const { params } = brokerMethods["http.fetch"];
    const fetchWith = (headers: Record<string, string>) =>
      params.safeParse({ url: "https://a.example/", headers }).success;
    expect(fetchWith({ accept: "text/plain", "x-trace": "1" })).toBe(true);
    for (const name of ["host", "Accept", "connection", "proxy-authorization", "x-forwarded-for", "a b", "a:b", ""]) {
      expect(fetchWith({ [name]: "1" })).toBe(false);
    }
    expect(fetchWith({ accept: "a\r\nhost: b" })).toBe(false);
    expect(params.safeParse({ url: "http://a.example/" }).success).toBe(false);
    expect(params.safeParse({ url: "https://a.example/ x" }).success).toBe(false);
  });
});

describe("results", () => {
  const node = (end: string) => `node_${"0".repeat(25)}${end}`;
  const line = { from: node("1"), to: node("2"), label: "office", state: "up" };

  test("describe may draw a thousand lines on the map and no more", () => {
    const described = (count: number) => ({
      name: "WireGuard",
      version: "1.0.0",
      summary: "Networks",
      mapLines: Array.from({ length: count }, () => line),
    });
    expect(describeResult.safeParse(described(actionLimits.mapLines)).success).toBe(true);
    expect(describeResult.safeParse(described(actionLimits.mapLines + 1)).success).toBe(false);
  });

  test("health is one of three words", () => {
    expect(healthResult.safeParse({ status: "ok" }).success).toBe(true);
    expect(healthResult.safeParse({ status: "OK" }).success).toBe(false);
  });

  test("a text that is shown hides nothing", () => {
    const text = visibleText(10);
    for (const good of ["a", "Grüße 1", "日本語"]) expect(text.safeParse(good).success).toBe(true);
    for (const bad of ["", " a", "a ", "a\nb", "a\u202eb", "a\u200bb", "\u001b[1m", "a\u00a0b", "12345678901"]) {
      expect(text.safeParse(bad).success).toBe(false);
    }
  });
});
