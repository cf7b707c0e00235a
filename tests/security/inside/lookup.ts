import { manualClock } from "@gatehouse/base";
import type { Node, NodePlace, PlaceLookup } from "@gatehouse/contract/routes";
import { memoryTelemetry } from "@gatehouse/store/telemetry";
import { type GeoDeps, openGeo } from "../../../apps/server/src/features/geo/index.ts";
import { openResolve } from "../../../apps/server/src/platform/egress/index.ts";
import { openLog } from "../../../apps/server/src/platform/log/index.ts";
import { NodeFilter } from "../../../apps/server/src/platform/route/index.ts";
import { startDnsPeer, type Zone } from "../../../apps/server/test/dns-peer.ts";
import { makeAuthority, startTlsPeer, type TlsPeer } from "../../support/tls-peer.ts";
import { until } from "../../support/until.ts";

/** The door to the lookup of places: whole, with a lookup service of the test behind a real name server. */
export const lookupHost = "geo.example.test";
/** One that nobody believes. */
export const strangeAuthority = makeAuthority;
export const lookupSecret = "canary-of-the-template";
const authority = makeAuthority();
const certificate = authority.issue([lookupHost]);

export interface LookupWorld extends AsyncDisposable {
  readonly peer: TlsPeer;
  readonly questions: readonly string[];
  /** Somebody looks at the map, on which there is one node with this address. */
  begin(address: string): Promise<void>;
  /** What the map shows of a node with this address when its question has ended, and all that was said about it anywhere. */
  look(address: string): Promise<{ readonly shown: NodePlace | undefined; readonly said: string }>;
}

export interface LookupOptions {
  readonly zone?: Zone;
  readonly certificate?: { readonly key: string; readonly cert: string };
  readonly connect?: GeoDeps["network"]["connect"];
}

export async function makeLookup(
  answer: Parameters<typeof startTlsPeer>[1],
  { zone = () => ({ a: ["8.8.4.4"], aaaa: [] }), connect, ...options }: LookupOptions = {},
): Promise<LookupWorld> {
  const peer = await startTlsPeer(options.certificate ?? certificate, answer);
  const dns = await startDnsPeer(zone);
  const clock = manualClock();
  const logLines: string[] = [];
  const timers = new Set<() => void>();
  let nodes: readonly Node[] = [];
  const geo = openGeo({
    template: `https://${lookupHost}/{ip}?token=${lookupSecret}`,
    telemetry: memoryTelemetry(),
    clock,
    log: openLog({ format: "text", write: (line) => logLines.push(line) }),
    after: (_, act) => {
      timers.add(act);
      return () => timers.delete(act);
    },
    network: {
      ca: authority.ca,
      connect: connect ?? peer.connect,
      resolve: openResolve({ servers: [dns.server] }),
    },
    findNode: (id) => Promise.resolve(nodes.find((node) => node.id === id)),
    listNodes: () => Promise.resolve({ items: nodes, nextCursor: null }),
  });
  const read = async () => {
    const filter = new NodeFilter(undefined);
    const [row] = geo.routes;
    const call = { nodes: filter, query: {} } as unknown as Parameters<NonNullable<typeof row>["handle"]>[0];
    return filter.dataOf(await row?.handle(call)) as { items: readonly NodePlace[]; lookup: PlaceLookup };
  };
  const begin = async (address: string) => {
    nodes = [{ id: `node_${address}`, place: null, address, facts: null } as Node];
    // Whatever pause the question before has left is over.
    clock.advance(60 * 60_000);
    await read();
    for (const act of timers) {
      timers.delete(act);
      act();
    }
  };
  return {
    peer,
    questions: dns.questions,
    begin,
    look: async (address) => {
      await begin(address);
      let last = await read();
      await until("the question has ended", async () => {
        last = await read();
        return last.items[0]?.why !== "waiting";
      });
      const answer = JSON.stringify(last).replaceAll(`node_${address}`, "");
      return { shown: last.items[0], said: `${answer}${logLines.join("")}` };
    },
    [Symbol.asyncDispose]: async () => {
      await geo.close();
      await peer[Symbol.asyncDispose]();
      await dns[Symbol.asyncDispose]();
    },
  };
}

/** A public address of its own for each question. */
export function publicAddressOf(n: number): string {
  return `9.${1 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}`;
}
