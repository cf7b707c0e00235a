import { BrokerFault, definePlugin, type PlanQuestion, readInputWith } from "@gatehouse/plugin-sdk";
import { type WireguardInput, wireguardInput } from "./input.ts";
import { wereHostsAsked } from "./members.ts";
import { planNetwork } from "./plan-network.ts";
import { mapLinesOf, remember } from "./remembered-networks.ts";

export const version = "0.3.0";

/** Draws up WireGuard networks. It answers three questions and touches no host; private keys never leave theirs. */
export const wireguard = definePlugin({
  describe: async ({ kv }) => ({
    name: "WireGuard",
    version,
    summary: "Networks of nodes, everybody with everybody or around a hub, by the public keys that their hosts tell.",
    mapLines: await mapLinesOf(kv),
  }),
  health: async ({ kv }) => {
    try {
      await kv.list({ limit: 1 });
      return { status: "ok" as const };
    } catch (error) {
      if (!(error instanceof BrokerFault)) throw error;
      return { status: "degraded" as const, message: `The map has no lines: ${error.code}.` };
    }
  },
  readInput: readInputWith(wireguardInput),
  plan: async (question: PlanQuestion<WireguardInput>, { kv }) => {
    const draft = planNetwork(question);
    // Nobody is joined yet.
    if (!wereHostsAsked(question.nodes)) return draft;
    const { key, value } = remember(question.input);
    // The map is beside the point of a plan: where its lines cannot be kept, health says so and the plan is as good.
    await kv.put(key, value).catch((error: unknown) => {
      if (!(error instanceof BrokerFault)) throw error;
    });
    return draft;
  },
});
