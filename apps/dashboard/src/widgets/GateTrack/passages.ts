import type { LifecycleState } from "@gatehouse/contract";
import type { AuditEntryView, Plugin } from "@gatehouse/contract/routes";

/** open: passed; next: the one somebody may open now; shut: not yet; again: was open, and other bytes closed it. */
export type LeafState = "open" | "next" | "shut" | "again";

/** A line under a gate: who and when come from the audit log, as far as it can be read. */
export interface GateLine {
  readonly text: string;
  readonly actor?: string | undefined;
  readonly at?: string | undefined;
}

export interface Gate {
  readonly name: GateName;
  readonly leaf: LeafState;
  readonly title: string;
  readonly lines: readonly GateLine[];
}

export type GateName = "publish" | "verify" | "activate" | "apply";

/** One digest's way through the four gates. */
export interface Passage {
  readonly key: string;
  readonly version: string;
  readonly artifactSha256: string;
  readonly word: string;
  readonly isOld: boolean;
  readonly gates: readonly Gate[];
}

/** What moves this digest on; `null` when no move is open. */
export interface NextMove {
  readonly to: LifecycleState;
  readonly label: string;
  /** What pressing it does, and what it does not. */
  readonly sentence: string;
}

type Entries = readonly AuditEntryView[];

/** The passage of the bytes that speak now, then those of the bytes before them, the newest first. */
export function passagesOf(plugin: Plugin, entries: Entries, threshold: number | undefined): Passage[] {
  return [
    currentPassage(plugin, entries, threshold),
    ...plugin.history.toReversed().map((old) => closedPassage(old, entries)),
  ];
}

export function nextMoveOf({ status, moves, version, change }: Plugin): NextMove | null {
  if (status === "verified" && moves.includes("installed")) {
    const down = change?.downgrade === true ? " It is older than a version that was accepted before." : "";
    return {
      to: "installed",
      label: `Accept ${version}…`,
      sentence: `You let these exact bytes run on this server later. Nothing runs yet.${down}`,
    };
  }
  if (!moves.includes("active")) return null;
  return {
    to: "active",
    label: `Activate ${version}…`,
    sentence: "The artifact is hashed again and a private copy is armed. No host is changed.",
  };
}

function currentPassage(plugin: Plugin, entries: Entries, threshold: number | undefined): Passage {
  const { version, artifactSha256, payloadSha256, available } = plugin;
  const mine = entries.filter(({ detail }) => detail["payloadSha256"] === payloadSha256);
  const keys = plugin.signers.length;
  const verify: Gate = available
    ? {
        name: "verify",
        leaf: "open",
        title: "Every check passed",
        lines: [{ text: "By the loader, at a start" }, { text: "Verified", at: plugin.verifiedAt }],
      }
    : {
        name: "verify",
        leaf: "again",
        title: "Not loaded",
        lines: [{ text: plugin.runtime.message ?? "No such bundle at the last start" }],
      };
  return {
    key: payloadSha256,
    version,
    artifactSha256,
    word: available ? "on disk" : "not on disk",
    isOld: false,
    gates: [
      {
        name: "publish",
        leaf: "open",
        title: `Signed by ${count(keys, "key")}${threshold === undefined ? "" : `, ${threshold} needed`}`,
        lines: [
          { text: plugin.publisher },
          ...plugin.signers.map((key) => ({ text: `${key.slice(0, 4)}…${key.slice(-4)}` })),
        ],
      },
      verify,
      activateGate(plugin, mine),
      {
        name: "apply",
        leaf: "shut",
        title: "Shut",
        lines: [
          { text: plugin.status === "active" ? "Being active changes no host." : "Opens plan by plan, once active." },
          { text: "This server holds no plans yet." },
        ],
      },
    ],
  };
}

function activateGate(plugin: Plugin, mine: Entries): Gate {
  const { status, available, installedAt, activatedAt, disabledAt } = plugin;
  const accepted = step("Accepted", mine, "plugin.installed", installedAt);
  const name = "activate";
  if (status === "active") {
    const lines = [accepted, step("Activated", mine, "plugin.activated", activatedAt)];
    return { name, leaf: available ? "open" : "again", title: available ? "Active" : "Held back", lines };
  }
  if (!available) return { name, leaf: "shut", title: "Shut", lines: [{ text: "Only loaded bytes can be moved on." }] };
  if (status === "verified") return { name, leaf: "next", title: "Yours to decide, step 1 of 2", lines: [] };
  if (status === "installed") return { name, leaf: "next", title: "Yours to decide, step 2 of 2", lines: [accepted] };
  const failed = mine.find(({ detail }) => "to" in detail)?.action === "plugin.activation_failed";
  const off = failed
    ? step("Activation failed", mine, "plugin.activation_failed", disabledAt)
    : step("Disabled", mine, "plugin.disabled", disabledAt);
  return { name, leaf: "next", title: failed ? "Failed, and shut" : "Disabled", lines: [accepted, off] };
}

function closedPassage(old: Plugin["history"][number], entries: Entries): Passage {
  const mine = entries.filter(({ detail }) => detail["payloadSha256"] === old.payloadSha256);
  const was: Readonly<Record<LifecycleState, string>> = {
    verified: "Never accepted; closed",
    installed: "Accepted, not activated, until",
    active: "Was active until",
    disabled: "Was disabled until",
  };
  const accepted = old.installedAt !== null;
  const closed: GateLine = { text: was[old.status] };
  return {
    key: `${old.payloadSha256} ${old.closedAt}`,
    version: old.version,
    artifactSha256: old.artifactSha256,
    word: "superseded",
    isOld: true,
    gates: [
      { name: "publish", leaf: "open", title: "Signed", lines: [{ text: old.publisher }] },
      {
        name: "verify",
        leaf: "open",
        title: "Every check passed",
        lines: [{ text: "Verified", at: old.verifiedAt }],
      },
      {
        name: "activate",
        leaf: accepted ? "again" : "shut",
        title: accepted ? "Closed again" : "Closed",
        lines: accepted
          ? [{ ...closed, at: old.closedAt }, step("Accepted", mine, "plugin.installed", old.installedAt)]
          : [{ ...closed, at: old.closedAt }],
      },
      {
        name: "apply",
        leaf: accepted ? "again" : "shut",
        title: "Closed",
        lines: [{ text: "Other bytes took its place." }],
      },
    ],
  };
}

/** Entries come the newest first, so the first that fits is the one that holds. */
function step(text: string, mine: Entries, action: string, at: string | null): GateLine {
  const found = mine.find((entry) => entry.action === action);
  return { text, actor: found?.actor, at: at ?? found?.at };
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}
