import type { AcceptsMode } from "@gatehouse/contract/routes";

/** What a host's ceiling says, as far as this page can read it. The host holds to its own reading of it. */
export interface CeilingView {
  readonly level: "monitor" | "managed";
  /** Operations on their targets, `service.restart:nginx.service`, in the order of the file. */
  readonly allow: readonly string[];
  readonly logs: readonly string[];
  /** The user of a terminal, where root allows one. */
  readonly terminal: string | undefined;
  /** What every firewall table must leave open: `tcp/22:192.0.2.0/24`. `undefined`: root did not say what. */
  readonly keep: readonly string[] | undefined;
}

/** Reads the text that the host sent. It is the host's word, of a version that may be newer: whatever is unclear is no ceiling. */
export function parseCeilingView(text: string): CeilingView | undefined {
  const value = parseObject(text);
  if (value === undefined) return undefined;
  const { level, allow, read, terminal, keep } = value;
  if (level !== "monitor" && level !== "managed") return undefined;
  const allowed = allow === undefined ? [] : textsOf(allow);
  if (allowed === undefined || (level === "monitor") !== (allow === undefined)) return undefined;
  const logs = isObject(read) ? textsOf(read["logs"] ?? []) : [];
  if (logs === undefined || (read !== undefined && !isObject(read))) return undefined;
  const user = isObject(terminal) ? terminal["user"] : undefined;
  if (terminal !== undefined && typeof user !== "string") return undefined;
  const kept = keep === undefined ? undefined : textsOf(keep);
  if (keep !== undefined && kept === undefined) return undefined;
  return { level, allow: allowed, logs, keep: kept, terminal: typeof user === "string" ? user : undefined };
}

export interface CeilingRow {
  readonly title: string;
  readonly targets: readonly string[];
  /** What it costs the server to do it. */
  readonly price: string;
}

export interface CeilingTable {
  /** Above the line: refused on the host, whoever asks. */
  readonly refused: readonly string[];
  /** Under it. */
  readonly allowed: readonly CeilingRow[];
}

/** What root allowed besides what agents do counts from the version that does it. */
const notYet = "not in this version";
const byPlan = "by a plan";

const operations = {
  "firewall.apply": { does: "Change the firewall", undone: "change the firewall", price: byPlan },
  "service.restart": { does: "Restart services", undone: "restart services", price: byPlan },
  "file.write": { does: "Write files", undone: "write files", price: byPlan },
  "binary.replace": { does: "Replace programs", undone: "replace programs", price: byPlan },
  "network.wireguard": { does: "Set up WireGuard", undone: "set up WireGuard", price: byPlan },
  "agent.update": { does: "Update the agent", undone: "update the agent", price: byPlan },
} as const;
type Operation = keyof typeof operations;
const operationNames = Object.keys(operations) as Operation[];

/** The ceiling as it is drawn. An operation that this page does not know is named as the host named it. */
export function ceilingTable({ level, allow, logs, terminal }: CeilingView): CeilingTable {
  const entries = allow.map((entry) => {
    const [kind = "", ...target] = entry.split(":");
    return { kind, target: target.join(":") };
  });
  const known = operationNames.filter((name) => entries.some(({ kind }) => kind === name));
  const missing = operationNames.filter((name) => !known.includes(name)).map((name) => operations[name].undone);
  const others = entries.filter(({ kind }) => !Object.hasOwn(operations, kind));
  const changes = [
    ...known.map((name) => ({
      title: operations[name].does,
      targets: entries
        .filter(({ kind, target }) => kind === name && target !== "")
        .map(({ target }) => sayTarget(target)),
      price: operations[name].price,
    })),
    ...others.map(({ kind, target }) => ({ title: kind, targets: target === "" ? [] : [target], price: notYet })),
  ];
  return {
    refused: [
      ...(terminal === undefined ? ["Open a terminal"] : []),
      ...(level === "monitor" ? ["Change anything at all"] : []),
      ...(level === "managed" && missing.length > 0 ? [firstUpper(missing.join(", "))] : []),
      ...(level === "managed" ? ["Anything not named below"] : []),
    ],
    allowed: [
      ...(terminal === undefined ? [] : [{ title: "Open a terminal", targets: [terminal], price: notYet }]),
      ...changes,
      ...(logs.length === 0 ? [] : [{ title: "Read logs", targets: logs, price: byPlan }]),
      { title: "Read facts", targets: [], price: "by itself" },
    ],
  };
}

/** What an entry is about: `/opt/tool=acme` is a path to which the programs of one publisher alone may come. */
export interface NamedTarget {
  readonly place: string;
  readonly publisher: string | undefined;
}

/** No target of another operation has the character in it. */
export function parseTarget(target: string): NamedTarget {
  const [place = "", publisher] = target.split("=", 2);
  return { place, publisher };
}

export function sayTarget(target: string): string {
  const { place, publisher } = parseTarget(target);
  return publisher === undefined ? place : `${place} (only by ${publisher})`;
}

const everywhere: Readonly<Record<string, string>> = {
  "0.0.0.0/0": "everywhere over IPv4",
  "::/0": "everywhere over IPv6",
};

/** What stays open on a host whatever a plan says. Root that did not say what has kept SSH open, from everywhere. */
export function keepWords({ level, keep }: Pick<CeilingView, "level" | "keep">): readonly string[] | undefined {
  if (level === "monitor") return undefined;
  if (keep === undefined) return ["SSH (tcp/22) from everywhere"];
  return keep.map((entry) => {
    const [, port, network] = /^([a-z]+\/\d+):(.+)$/.exec(entry) ?? [];
    return network === undefined ? entry : `${port} from ${everywhere[network] ?? network}`;
  });
}

/** What the ceiling means, and what is left of it when the server is somebody else's. */
export function ceilingSentences(
  { level, allow }: CeilingView,
  accepts: AcceptsMode,
): { readonly means: string; readonly stolen: string } {
  if (level === "monitor") {
    return {
      means: "Look, and nothing else. No plan can name this host.",
      stolen: "it can look at what stands here, and change nothing on this host.",
    };
  }
  const things = `${allow.length} ${allow.length === 1 ? "thing" : "things"}`;
  return {
    means: `Root here named ${things} that may change, each by a plan.`,
    stolen: stolenWords[accepts],
  };
}

const stolenWords: Readonly<Record<AcceptsMode, string>> = {
  none: "it can look, and change nothing: root has named nobody who may approve a change.",
  signed: "it can look, and choose which change that approvers signed runs, and when. It cannot sign one.",
  server: "it can order what root has named above, without anybody’s signature.",
};

function firstUpper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textsOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((one) => typeof one === "string") ? value : undefined;
}
