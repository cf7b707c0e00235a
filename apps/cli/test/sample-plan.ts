import {
  encodeBase64url,
  outcomeFrame,
  type SignedOutcome,
  stateAnswerFrame,
  type SubjectState,
} from "@gatehouse/channel";
import type { Plan, PlanFinding, PlanSectionView } from "@gatehouse/contract/routes";
import { importPrivateKey, nodeIdOf, publicKeyBytes, signBytes } from "@gatehouse/keys";
import { joinSigned } from "@gatehouse/keys/frame";
import {
  finishPlan,
  type Operation,
  planDigest,
  type PlanDocument,
  type PlanSource,
  serialisePlan,
  stateDigest,
  trustSubject,
} from "@gatehouse/plan";
import { sha256Of } from "../src/sha256-of.ts";

/** A host that signs what it says of itself. */
export interface SampleHost {
  readonly id: string;
  readonly name: string;
  sign(states: readonly SubjectState[], more?: { readonly nodeId?: string; readonly at?: number }): string;
  /** How a change ended there, signed; `more` says it wrongly. */
  signOutcome(told: Omit<SignedOutcome, "nodeId" | "hostKey">, more?: Partial<SignedOutcome>): string;
}

export function sampleHost(name: string, seed: number): SampleHost {
  const key = importPrivateKey(new Uint8Array(32).fill(seed));
  const hostKey = publicKeyBytes(key);
  const id = nodeIdOf(hostKey);
  return {
    id,
    name,
    sign: (states, { nodeId = id, at = Date.parse("2026-11-17T04:00:00.000Z") } = {}) => {
      const framed = stateAnswerFrame({ nodeId, hostKey, request: new Uint8Array(32), at, states });
      return encodeBase64url(joinSigned(framed, signBytes(key, framed)));
    },
    signOutcome: (told, more = {}) => {
      const framed = outcomeFrame({ nodeId: id, hostKey, ...told, ...more });
      return encodeBase64url(joinSigned(framed, signBytes(key, framed)));
    },
  };
}

export const hosts = [sampleHost("web-1", 1), sampleHost("web-2", 2)].toSorted((a, b) => (a.id < b.id ? -1 : 1));

const greeting: readonly Operation[] = [
  { kind: "file.write", path: "/etc/motd", text: "Hello\n", mode: "0644", owner: "root", group: "root" },
  { kind: "service.restart", unit: "nginx.service" },
];

/** The file and the table are not there yet; the service is. */
const told: readonly SubjectState[] = [
  { subject: "file:/etc/motd", state: null },
  { subject: "firewall:gatehouse_a", state: null },
  { subject: "host:ssh", state: { ports: [22], peers: [] } },
  { subject: "service:nginx.service", state: { fragmentSha256: "f".repeat(64), enabled: "enabled" } },
];

/** What a host says of itself, with whom it believes and its key for wg0 in their places among its states. */
function toldBy({ trust = [], keys = [] }: Wish, index: number): readonly SubjectState[] {
  const more: readonly SubjectState[] = [
    ...(trust[index] === undefined ? [] : [{ subject: trustSubject, state: trust[index] as SubjectState["state"] }]),
    ...(keys[index] === undefined
      ? []
      : [{ subject: "wireguard:wg0", state: { publicKey: keys[index], interface: null } }]),
  ];
  return [...told, ...more].toSorted((one, other) => (one.subject < other.subject ? -1 : 1));
}

export interface SamplePlan {
  readonly plan: Plan;
  readonly document: PlanDocument;
  readonly bytes: Uint8Array;
  readonly views: readonly PlanSectionView[];
}

interface Wish {
  readonly change?: Partial<Plan>;
  readonly findings?: readonly PlanFinding[];
  readonly source?: PlanSource;
  /** The same for both hosts, or those of each. */
  readonly operations?: readonly Operation[] | ((index: number) => readonly Operation[]);
  /** What each host signs of `host:trust`; nothing without it. */
  readonly trust?: readonly unknown[];
  /** The key that each host keeps for wg0, which is not there yet; none without it. */
  readonly keys?: readonly string[];
  /** When the hosts signed. */
  readonly at?: number;
}

/** A plan for both hosts, as an honest server shows it. */
export function samplePlan(wish: Wish = {}): SamplePlan {
  const { change = {}, findings = [], source = { from: "person" }, operations = greeting, at } = wish;
  const operationsOf = typeof operations === "function" ? operations : () => operations;
  const draft = {
    title: "Write /etc/motd, restart nginx.service",
    summary: "Write /etc/motd. Restart nginx.service.",
    sections: hosts.map(({ id }, index) => ({ node: id, operations: [...operationsOf(index)] })),
  };
  const document = finishPlan(draft, source, (node, subject) => {
    const all = toldBy(
      wish,
      hosts.findIndex(({ id }) => id === node),
    );
    const state = all.find((one) => one.subject === subject)?.state;
    return state === null || state === undefined ? "absent" : stateDigest(sha256Of, subject, state);
  });
  const bytes = serialisePlan(document);
  const plan: Plan = {
    id: `plan_${"0".repeat(18)}5d7skrbj`,
    digest: planDigest(sha256Of, document),
    title: draft.title,
    summary: draft.summary,
    source,
    author: "usr_ada",
    createdAt: "2026-11-17T04:00:01.000Z",
    expiresAt: "2026-11-18T04:00:01.000Z",
    state: "in_review",
    stateAt: "2026-11-17T04:00:01.000Z",
    movedBy: "usr_ada",
    reason: null,
    replaces: null,
    replacedBy: null,
    undoes: null,
    nodes: hosts.length,
    waves: null,
    kinds: [...new Set(hosts.flatMap((_, index) => operationsOf(index).map(({ kind }) => kind)))].toSorted(),
    bytes: bytes.byteLength,
    management: [],
    skipped: [],
    findings: { refuse: 0, warn: 0, note: 0 },
    approvals: [],
    awaiting: null,
    needed: 1,
    ended: null,
    ...change,
  };
  const views = hosts.map((host, index) => ({
    ...viewOf(document, host, index, index === 0 ? findings : []),
    states: host.sign(toldBy(wish, index), at === undefined ? {} : { at }),
  }));
  return { plan, document, bytes, views };
}

function viewOf(
  document: PlanDocument,
  host: SampleHost,
  index: number,
  findings: readonly PlanFinding[],
): PlanSectionView {
  const { operations = [], preconditions = [] } = document.sections[index] ?? {};
  return {
    index,
    node: host.id,
    name: host.name,
    // What is read here is never these: a server could say anything.
    operations: operations.map(({ kind }) => ({
      kind,
      words: ["Harmless words of the server."],
      diff: [{ mark: "same", text: "harmless lines of the server" }],
    })),
    preconditions: [...preconditions],
    findings: [...findings],
    accepts: null,
    states: null,
    statesAt: "2026-11-17T04:00:00.500Z",
  };
}
