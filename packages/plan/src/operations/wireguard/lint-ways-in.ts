import { findHostAddress } from "../../address-ranges.ts";
import { findNetwork, liesIn, networksIn, type Prefix, writePrefix } from "../../addresses.ts";
import { type LintAround, type LintFinding, lintFinding } from "../../lint-finding.ts";
import { reachOf, routesOf, type WireguardLink } from "./interface-of.ts";
import { leadsAway } from "./tunnel-networks.ts";
import type { NetworkWireguard } from "./wireguard-interface.ts";

/** Where somebody is connected from now, or the host is managed from. */
interface WayIn {
  readonly says: string;
  readonly from: Prefix;
}

/** Answers that would go into the tunnel from now on, or in it to somebody else. What stays as it is changes for nobody. */
export function lintWaysIn(operation: NetworkWireguard, around: LintAround): LintFinding[] {
  const { interface: name } = operation;
  const now = around.wireguard?.[name]?.interface;
  const before = openRoutes(now?.isUp === true ? now : { addresses: [], routes: [], peers: [] });
  const after = openRoutes({ ...operation, routes: routesOf(operation) });
  return waysInto(around).flatMap(({ says, from }) => {
    const held = before.holding(from);
    // Of all routes the narrowest decides: a wider one than the tunnel has already draws nobody in.
    const isLed = (one: Prefix) =>
      liesIn(one, from) ? before.has(one) : held !== undefined && held.length >= one.length;
    const drawn = narrowest(after.all.filter((one) => leadsAway(one, from) && !isLed(one)));
    if (drawn !== undefined) {
      return [lintFinding("wireguard.ssh_cut", `${says}, and answers to ${writePrefix(drawn)} would go into ${name}.`)];
    }
    const [old, fresh] = [held === undefined ? undefined : before.peerOf(from), after.peerOf(from)];
    if (old === undefined || old === fresh) return [];
    const through = `${says}, through the peer ${old} of ${name}`;
    const where = fresh === undefined ? "to nobody" : `to the peer ${fresh}`;
    return [lintFinding("wireguard.ssh_cut", `${through}, and answers would go ${where}.`)];
  });
}

/** Each network once, and as somebody who is connected rather than as one from which people may be. */
function waysInto({ ssh, management }: LintAround): WayIn[] {
  const connected = (ssh?.peers ?? []).map((text) => ({ text, says: `${text} is connected over SSH now` }));
  const managed = management.map((text) => ({ text, says: `People reach the host from ${text}` }));
  const ways = new Map<string, WayIn>();
  for (const { text, says } of [...connected, ...managed]) {
    const from = findNetwork(text) ?? findHostAddress(text);
    const key = from === undefined ? "" : writePrefix(from);
    if (from !== undefined && !ways.has(key)) ways.set(key, { says, from });
  }
  return [...ways.values()];
}

/** Where an interface leads to, and to whom of its peers. */
function openRoutes({ addresses, routes, peers }: Pick<WireguardLink, "addresses" | "routes"> & WithPeers) {
  const all = networksIn(...reachOf({ addresses, peers: [] }), ...routes);
  const texts = new Set(all.map(writePrefix));
  const allowed = peers.flatMap(({ publicKey, allowedIps }) =>
    networksIn(...allowedIps).map((one) => ({ ...one, publicKey })),
  );
  return {
    all,
    has: (network: Prefix): boolean => texts.has(writePrefix(network)),
    holding: (from: Prefix) => narrowest(all.filter((one) => liesIn(from, one))),
    /** The key of the one to whom all of a network is sent. */
    peerOf: (from: Prefix) => narrowest(allowed.filter((one) => liesIn(from, one)))?.publicKey,
  };
}

interface WithPeers {
  readonly peers: readonly { readonly publicKey: string; readonly allowedIps: readonly string[] }[];
}

function narrowest<One extends Prefix>(all: readonly One[]): One | undefined {
  return all.toSorted((one, other) => other.length - one.length)[0];
}
