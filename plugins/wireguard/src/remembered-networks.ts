import { nodeId } from "@gatehouse/contract";
import type { MapLine } from "@gatehouse/contract/broker";
import { type StoreReader, z } from "@gatehouse/plugin-sdk";
import type { WireguardInput } from "./input.ts";
import { pairsOf } from "./plan-network.ts";

/** What stays of a plan, for the map: which nodes it joins, and how. */
const remembered = z.strictObject({
  form: z.enum(["mesh", "hub"]),
  hub: nodeId.optional(),
  nodes: z.array(nodeId),
});

const prefix = "network/";
const mostLines = 1_000;
/** One call lists them, and each is read by one more; an action has 64. */
const mostNetworks = 48;

export function remember({ network, nodes }: WireguardInput): { key: string; value: string } {
  const { shape } = network;
  const value: z.output<typeof remembered> = {
    form: shape.form,
    ...(shape.form === "hub" ? { hub: shape.hub } : {}),
    nodes: nodes.map(({ id }) => id).toSorted(),
  };
  return { key: `${prefix}${network.name}`, value: JSON.stringify(value) };
}

/** A line for each pair of nodes that a plan joins. Nothing here knows yet if the plan was applied, so they are planned. */
export async function mapLinesOf(kv: StoreReader): Promise<MapLine[]> {
  const { keys } = await kv.list({ prefix, limit: mostNetworks });
  const networks = await Promise.all(
    keys.map(async (key) => ({ label: key.slice(prefix.length), value: await kv.get(key) })),
  );
  const lines = networks.flatMap(({ label, value = "" }) => {
    const network = readRemembered(value);
    if (network === undefined) return [];
    const { form, hub, nodes } = network;
    const pairs = pairsOf(form === "hub" && hub !== undefined ? { form, hub } : { form: "mesh" }, nodes);
    return pairs.map(([from, to]): MapLine => ({ from, to, label, state: "planned" }));
  });
  return lines.slice(0, mostLines);
}

/** Undefined for what another version may have left there. */
function readRemembered(text: string): z.output<typeof remembered> | undefined {
  try {
    return remembered.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
