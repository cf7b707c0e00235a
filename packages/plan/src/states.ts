import { agentArchitectures, sha256Hex } from "@gatehouse/contract";
import * as z from "zod";
import { accountName, fileMode, port, semanticVersion, wireguardKey } from "./fields.ts";

/**
 * What a host says of one of its parts, for each kind of subject. Only what a change would destroy is in it: a counter that
 * moves or a service that was restarted makes no plan stale.
 */

/** `nft -j -s list table`, without the version, handles, indexes and what counts: the same bytes after a reload and from another nft. */
export const firewallState = z.strictObject({ nftables: z.array(z.record(z.string(), z.json())).max(4_096) });
export type FirewallState = z.output<typeof firewallState>;

const attributes = {
  mode: z.union([fileMode, z.string().regex(/^[1-7][0-7]{3}$/)]),
  /** A number where the host has no name for it. */
  owner: z.union([accountName, z.string().regex(/^[0-9]{1,10}$/)]),
  group: z.union([accountName, z.string().regex(/^[0-9]{1,10}$/)]),
};

/**
 * What a file holds, by its hash. A file that others may not read is named by a MAC under a key of the host: the hash of a short
 * secret is the secret, and equality is all that a plan needs.
 */
export const fileState = z.union([
  z.strictObject({ sha256: sha256Hex, ...attributes }),
  z.strictObject({ hmac: sha256Hex, ...attributes }),
]);
export type FileState = z.output<typeof fileState>;

/** The unit's own file and whether it starts with the host; not whether it runs. */
export const serviceState = z.strictObject({
  fragmentSha256: sha256Hex,
  enabled: z.string().regex(/^[a-z-]{1,32}$/),
});
export type ServiceState = z.output<typeof serviceState>;

/** The part of a host that is its agent. */
export const agentSubject = "agent:self";

/** The program of the agent that is installed: the very one that says so. */
export const agentState = z.strictObject({
  sha256: sha256Hex,
  version: semanticVersion,
  architecture: z.enum(agentArchitectures),
});
export type AgentState = z.output<typeof agentState>;

/** Also of interfaces that others made, so in any spelling; but nothing that a reviewer's terminal would obey. */
const toldNetworks = (most: number) => z.array(z.string().regex(/^[0-9a-f.:]{2,45}\/[0-9]{1,3}$/)).max(most);

/**
 * A WireGuard interface, without what moves by itself: handshakes, what was sent, and where a peer was last heard from. The host makes
 * the key when it is first asked, and tells its public half alone.
 */
export const wireguardState = z.strictObject({
  /** Of the key that the host keeps for the interface. */
  publicKey: wireguardKey,
  /** As it is now; null where there is none. Lists are sorted. */
  interface: z
    .strictObject({
      /** Of the key that it has; null where it has none. Another one than the kept: it is somebody else's. */
      publicKey: wireguardKey.nullable(),
      listenPort: z.int().min(0).max(65_535),
      mtu: z.int().min(0).max(65_535),
      firewallMark: z.int().min(0).max(0xffff_ffff),
      isUp: z.boolean(),
      addresses: toldNetworks(256),
      routes: toldNetworks(65_536),
      peers: z
        .array(
          z.strictObject({
            publicKey: wireguardKey,
            allowedIps: toldNetworks(4_096),
            /** 0: none. */
            keepaliveSeconds: z.int().min(0).max(65_535),
            hasPresharedKey: z.boolean(),
          }),
        )
        .max(4_096),
    })
    .nullable(),
});
export type WireguardState = z.output<typeof wireguardState>;

/** Read beside the others for the lint, and never a precondition: who comes and goes makes no plan stale. */
export const sshSubject = "host:ssh";

/** On which ports the SSH server listens, and from which addresses somebody is connected with it now. */
export const sshState = z.strictObject({
  ports: z.array(port).max(16),
  peers: z.array(z.union([z.ipv4(), z.ipv6()])).max(256),
});
export type SshState = z.output<typeof sshState>;

/** Whose word the host takes: read beside the others by whoever approves, and never a precondition. */
export const trustSubject = "host:trust";

/** How root of the host lets changes be approved. `none`: not at all. */
export const trustState = z.strictObject({
  accepts: z.enum(["none", "signed", "server"]),
  /** The trust file in base64, as it stands on the host; null where there is none or it cannot be believed. */
  trust: z
    .base64()
    .max(96 * 1024)
    .nullable(),
});
export type TrustState = z.output<typeof trustState>;
