import type { LintAround } from "./lint-finding.ts";
import type { Operation } from "./operations/table.ts";
import { wireguardPrefix } from "./operations/wireguard/wireguard-interface.ts";
import {
  agentState,
  agentSubject,
  sshState,
  sshSubject,
  trustState,
  trustSubject,
  type WireguardState,
  wireguardState,
} from "./states.ts";

/** One part of a host, as the host told it. */
export interface ToldPart {
  readonly subject: string;
  readonly state: unknown;
}

/** What one host told, as the lint wants it. What has another form than it should is not known. */
export function aroundOfTold(states: readonly ToldPart[]): Pick<LintAround, "ssh" | "accepts" | "wireguard" | "agent"> {
  const told = (wanted: string) => states.find(({ subject }) => subject === wanted)?.state;
  const agent = agentState.safeParse(told(agentSubject)).data;
  return {
    ...(agent === undefined ? {} : { agent }),
    ssh: sshState.safeParse(told(sshSubject)).data ?? null,
    accepts: trustState.safeParse(told(trustSubject)).data?.accepts ?? null,
    wireguard: Object.fromEntries(toldInterfaces(states)),
  };
}

/** The public keys that hosts told as theirs, of all hosts together. */
export function hostKeysOf(hosts: Iterable<readonly ToldPart[]>): string[] {
  const known = keyHostsOf([...hosts].map((states) => [null, states]));
  return [...known.keys()].toSorted();
}

/** The same, each with the hosts that told it: more than one where a machine was copied, or claims the key of another. */
export function keyHostsOf<Host>(hosts: Iterable<readonly [Host, readonly ToldPart[]]>): ReadonlyMap<string, Host[]> {
  const known = new Map<string, Host[]>();
  for (const [host, states] of hosts) {
    for (const key of new Set(toldInterfaces(states).map(([, { publicKey }]) => publicKey))) {
      const holders = known.get(key);
      if (holders === undefined) known.set(key, [host]);
      else holders.push(host);
    }
  }
  return known;
}

/** The public keys that these operations let in. */
export function peerKeysOf(operations: readonly Operation[]): string[] {
  return operations.flatMap((one) =>
    one.kind === "network.wireguard" ? one.peers.map(({ publicKey }) => publicKey) : [],
  );
}

/** The public key of a part that has one. */
export function publicKeyOfTold({ subject, state }: ToldPart): string | undefined {
  return subject.startsWith(wireguardPrefix) ? wireguardState.safeParse(state).data?.publicKey : undefined;
}

function toldInterfaces(states: readonly ToldPart[]): [name: string, state: WireguardState][] {
  return states.flatMap(({ subject, state }): [string, WireguardState][] => {
    const read = subject.startsWith(wireguardPrefix) ? wireguardState.safeParse(state).data : undefined;
    return read === undefined ? [] : [[subject.slice(wireguardPrefix.length), read]];
  });
}
