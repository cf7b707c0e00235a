import type { Clock, JsonObject } from "@gatehouse/base";
import type { SubjectState } from "@gatehouse/channel";
import { fault } from "@gatehouse/contract/faults";
import { sshSubject, trustSubject } from "@gatehouse/plan";
import * as z from "zod";
import { allowsReading } from "../ceiling/allows-reading.ts";
import type { Ceiling } from "../ceiling/ceiling.ts";
import type { CeilingKindName } from "../ceiling/kinds.ts";
import type { RunOnHost } from "../host/run-on-host.ts";
import type { HostOperation, StateGround } from "./host-operation.ts";
import { changingRows } from "./host-operations.ts";
import { readSshState } from "./read-ssh-state.ts";
import { readTrustState } from "./read-trust-state.ts";
import { boundGround, nameSubject, showSubject, splitSubject } from "./state-question.ts";

export interface ReadStatesDeps {
  readonly root: string;
  readonly run: RunOnHost;
  readonly clock: Pick<Clock, "monotonic">;
  readonly readCeiling: () => Ceiling;
}

export interface StateQuestion {
  readonly subjects: readonly string[];
  readonly privateKey: Uint8Array;
}

/** For one program, and for a whole question: whoever asked waits no longer. */
const mostMs = { program: 5_000, question: 15_000 };

/** What every managed host tells is in part about its ceiling. */
interface HostGround extends StateGround {
  readonly ceiling: Ceiling;
}

interface Readable extends Pick<HostOperation, "target"> {
  readonly readState: (ground: HostGround, target: string) => Promise<JsonObject | null>;
  /** The ceiling's word for it; null for what every managed host tells. */
  readonly kind: CeilingKindName | null;
}

/** What every managed host tells of itself: how its SSH server is reached, and whose word it takes. */
const ofEveryHost: ReadonlyMap<string, Readable["readState"]> = new Map<string, Readable["readState"]>([
  [sshSubject, readSshState],
  [trustSubject, async ({ root, ceiling }) => readTrustState(root, ceiling)],
]);

/** By what stands before the colon: what operations change, and what every managed host tells. */
const readables: ReadonlyMap<string, Readable> = new Map([
  ...changingRows.map(([kind, row]): [string, Readable] => [row.prefix, { ...row, kind: kind as CeilingKindName }]),
  ["host", { kind: null, target: z.string().refine((name) => ofEveryHost.has(`host:${name}`)), readState: readOfHost }],
]);

/**
 * What parts of the host are like now, in the order in which they were asked for. All subjects are judged before the first is read,
 * so that a question that is refused has started nothing. The first refusal counts, and names its subject.
 */
export async function readStates(deps: ReadStatesDeps, question: StateQuestion): Promise<SubjectState[]> {
  const ceiling = deps.readCeiling();
  if (ceiling.level !== "managed") throw fault("read.ceiling", `expected a managed host, found ${ceiling.level}`);
  const judged = [...new Set(question.subjects)].map((subject) => ({ subject, ...judge(ceiling, subject) }));
  const ground = { ...boundGround({ ...deps, privateKey: question.privateKey }, mostMs), ceiling };
  const states: SubjectState[] = [];
  for (const { subject, target, readable } of judged) {
    ground.checkTime();
    const state = await nameSubject(subject, () => readable.readState(ground, target));
    states.push({ state: state as SubjectState["state"], subject });
  }
  return states;
}

function judge(ceiling: Ceiling, subject: string): { readonly target: string; readonly readable: Readable } {
  const { prefix, target } = splitSubject(subject);
  const readable = readables.get(prefix);
  if (readable === undefined) {
    const known = [...readables.keys()].join(", ");
    throw fault("plan.kind_unknown", `${showSubject(subject)}: expected a part of this host: ${known}`);
  }
  // What has not the form of a target is in no ceiling either, and reaches no program.
  const { kind } = readable;
  const isAllowed =
    readable.target.safeParse(target).success && (kind === null || allowsReading(ceiling, kind, target));
  if (!isAllowed) throw fault("read.ceiling", `${showSubject(subject)} is not in the ceiling of this host`);
  return { target, readable };
}

/** The target is one that the table has. */
async function readOfHost(ground: HostGround, target: string): Promise<JsonObject | null> {
  return (await ofEveryHost.get(`host:${target}`)?.(ground, target)) ?? null;
}
