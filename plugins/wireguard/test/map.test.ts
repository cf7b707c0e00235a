import { describeResult, healthResult, mapLine } from "@gatehouse/contract/broker";
import { BrokerFault, type PlanQuestion } from "@gatehouse/plugin-sdk";
import { describe, expect, test } from "vitest";
import { wireguard } from "../src/wireguard.ts";
import { brokerWith } from "./memory-broker.ts";
import { firstQuestion, hubQuestion, nodeIds, sampleQuestion } from "./sample-input.ts";

describe("the map", () => {
  test("shows the pairs of a plan that was drawn up, and nothing before", async () => {
    const { broker } = brokerWith();
    expect(describeResult.parse(await wireguard.actions.describe(broker)).mapLines).toEqual([]);
    await wireguard.actions.plan(broker, firstQuestion);
    expect(describeResult.parse(await wireguard.actions.describe(broker)).mapLines).toEqual([]);
    await wireguard.actions.plan(broker, sampleQuestion);
    const { mapLines = [] } = describeResult.parse(await wireguard.actions.describe(broker));
    expect(mapLines).toEqual([
      { from: nodeIds[0], to: nodeIds[1], label: "office", state: "planned" },
      { from: nodeIds[0], to: nodeIds[2], label: "office", state: "planned" },
      { from: nodeIds[1], to: nodeIds[2], label: "office", state: "planned" },
    ]);
    await wireguard.actions.plan(broker, hubQuestion as PlanQuestion);
    expect(describeResult.parse(await wireguard.actions.describe(broker)).mapLines).toHaveLength(2);
  });

  test("is never given more than a thousand lines, nor what another version left in the store", async () => {
    const nodes = Array.from({ length: 64 }, (_, index) => `node_${String(index).padStart(26, "0")}`);
    const { broker } = brokerWith(
      new Map([
        ["network/large", JSON.stringify({ form: "mesh", nodes })],
        ["network/old", "not json"],
        ["network/odd", JSON.stringify({ form: "star", nodes: ["x"] })],
      ]),
    );
    const { mapLines = [] } = describeResult.parse(await wireguard.actions.describe(broker));
    expect(mapLines).toHaveLength(1_000);
    for (const line of mapLines) expect(mapLine.safeParse(line).success).toBe(true);
  });

  test("may be missing without harm to a plan; health says so", async () => {
    const { broker } = brokerWith();
    const refused = () => Promise.reject(new BrokerFault("broker.quota", "full"));
    const full = { ...broker, kv: { ...broker.kv, put: refused, list: refused } };
    await expect(wireguard.actions.plan(full, sampleQuestion)).resolves.toMatchObject({
      title: expect.any(String) as string,
    });
    expect(healthResult.parse(await wireguard.actions.health(full))).toEqual({
      status: "degraded",
      message: "The map has no lines: broker.quota.",
    });
    expect(healthResult.parse(await wireguard.actions.health(broker))).toEqual({ status: "ok" });
  });
});
