import { join } from "node:path";

/** Every place on a host that the agent uses. Root is another directory in tests alone. */
export interface AgentPaths {
  readonly root: string;
  /** The program, and the name by which people find it. */
  readonly binary: string;
  readonly link: string;
  /** The last program that was confirmed; what undoes changes. */
  readonly rescue: string;
  /** What local root decides: read by the agent, never written by it. */
  readonly settings: string;
  readonly ceiling: string;
  readonly server: string;
  readonly trust: string;
  /** What the helper keeps, root's. */
  readonly helperState: string;
  readonly hostKey: string;
  /** The approvals that were used here, and the latest time that the host has been sure of. */
  readonly used: string;
  readonly clockFloor: string;
  /** A directory: what was written down at each step of every change. Beside it the lock of whoever writes. */
  readonly journal: string;
  readonly journalLock: string;
  /** What was confirmed here, part by part, and how it was when it was hashed last. */
  readonly drift: string;
  /** A directory: artifacts on their way in. What stands there when the helper starts is nobody's. */
  readonly inbox: string;
  /** Directories: what was there before the change that is open; and what somebody else had changed meanwhile. */
  readonly snapshots: string;
  readonly foreign: string;
  /** A directory: the firewall tables that were confirmed, as the next boot loads them. */
  readonly tables: string;
  /** A directory: the keys of WireGuard interfaces, and those interfaces that were confirmed, as the next boot sets them up. */
  readonly wireguard: string;
  /** What the network part keeps; systemd gives it to the unit's own user. */
  readonly networkState: string;
  readonly channelKey: string;
  /** A directory: what waits for the server. */
  readonly outbox: string;
  readonly status: string;
  readonly units: string;
  /** What the kernel keeps of the ceiling: for the helper, and for what puts files back at boot. */
  readonly helperDropIn: string;
  readonly bootDropIn: string;
  readonly groupFile: string;
  readonly helperSocket: string;
}

export function agentPaths(root = "/"): AgentPaths {
  const at = (...parts: string[]) => join(root, ...parts);
  return {
    root,
    binary: at("usr/lib/gatehouse/gatehouse-agent"),
    link: at("usr/bin/gatehouse-agent"),
    rescue: at("usr/lib/gatehouse/rescue/gatehouse-agent"),
    settings: at("etc/gatehouse"),
    ceiling: at("etc/gatehouse/ceiling.json"),
    server: at("etc/gatehouse/server.json"),
    trust: at("etc/gatehouse/trust.json"),
    helperState: at("var/lib/gatehouse"),
    hostKey: at("var/lib/gatehouse/host.key"),
    used: at("var/lib/gatehouse/used"),
    clockFloor: at("var/lib/gatehouse/clock.json"),
    journal: at("var/lib/gatehouse/journal"),
    journalLock: at("var/lib/gatehouse/journal.lock"),
    drift: at("var/lib/gatehouse/drift.json"),
    inbox: at("var/lib/gatehouse/inbox"),
    snapshots: at("var/lib/gatehouse/snapshots"),
    foreign: at("var/lib/gatehouse/foreign"),
    tables: at("var/lib/gatehouse/tables"),
    wireguard: at("var/lib/gatehouse/wireguard"),
    networkState: at("var/lib/private/gatehouse-agent"),
    channelKey: at("var/lib/private/gatehouse-agent/channel.key"),
    outbox: at("var/lib/private/gatehouse-agent/outbox"),
    status: at("var/lib/private/gatehouse-agent/status.json"),
    units: at("etc/systemd/system"),
    helperDropIn: at("etc/systemd/system/gatehouse-helper.service.d/50-ceiling.conf"),
    bootDropIn: at("etc/systemd/system/gatehouse-boot.service.d/50-ceiling.conf"),
    groupFile: at("etc/sysusers.d/gatehouse.conf"),
    helperSocket: at("run/gatehouse/helper.sock"),
  };
}
