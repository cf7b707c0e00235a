import { type Clock, openTurns, parseStrictJsonBytes } from "@gatehouse/base";
import { judgeApprovals, judgeOrder } from "@gatehouse/approval/verify";
import { controlFrames, type SubjectState } from "@gatehouse/channel";
import { fault } from "@gatehouse/contract/faults";
import type { Vfs } from "@gatehouse/files";
import { type PlanSection, riskOfOperation } from "@gatehouse/plan";
import { acceptsOf, type Ceiling } from "../ceiling/ceiling.ts";
import type { AgentPaths } from "../config.ts";
import { getHostIdentity, type HostIdentity } from "../local/host-key.ts";
import { getPinnedServer } from "../local/server-file.ts";
import { stateKeyOf } from "../local/state-key.ts";
import type { Uptime } from "../local/uptime.ts";
import { digestState } from "../operations/digest-states.ts";
import { findPublishers } from "../trust/find-publishers.ts";
import { readTrust } from "../trust/read-trust.ts";
import { artifactLimits } from "./artifact-limits.ts";
import { checkArtifacts, mostApprovalBytes } from "./check-parts.ts";
import { checkClock, type ClockFloor, findClockFloor, floorNow, isFloorDue, putClockFloor } from "./clock-floor.ts";
import { type ArtifactScene, judgeArtifacts } from "./judge-artifacts.ts";
import { judgeCeiling } from "./judge-ceiling.ts";
import { judgePaths } from "../operations/judge-paths.ts";
import { digestBytes, judgePlan, type OwnPlan } from "./judge-plan.ts";
import type { AnnouncedTask, JudgedTask, TaskJudge, TaskTaker, WholeTask } from "./task.ts";
import { readUsed, type UsedApprovals } from "./used.ts";

/** What the host knows by itself. Nothing here comes from the network part or the server. */
export interface TaskJudgeDeps {
  readonly paths: AgentPaths;
  /** Whom root's files belong to; another one than 0 in tests alone. */
  readonly owner: number;
  readonly clock: Pick<Clock, "now">;
  /** How long the machine runs; undefined where the kernel does not say. */
  readonly findUptime: () => Uptime | undefined;
  /** When this program was made: no clock is right that is earlier. */
  readonly madeAt: number;
  /** Throws when the file is not sound. */
  readonly readCeiling: () => Ceiling;
  /** What parts of the host are like now. */
  readonly readStates: (question: {
    readonly subjects: readonly string[];
    readonly privateKey: Uint8Array;
  }) => Promise<readonly SubjectState[]>;
  /** Whether the host has taken this change before. Throws `journal.unsound` and `slot.busy`. */
  readonly findTaken: TaskTaker["find"];
  /** This agent: what it takes for a later one of itself, and which programs run beside it. */
  readonly running: ArtifactScene["running"];
  readonly release: ArtifactScene["release"];
  readonly vfs?: Vfs | undefined;
}

/**
 * Judges changes in the order of verification, step by step: the first failure is the answer, and whatever is thrown is a refusal.
 * One at a time: the clock's floor has one writer.
 */
export function openTaskJudge(deps: TaskJudgeDeps): TaskJudge {
  const inTurn = openTurns();
  return {
    admit: (task) =>
      inTurn(["judge"], async () => {
        checkAnnounced(task); // 1
        const scene = await judgeHost(deps, task.task); // 2 to 4
        if (!scene.isTaken) await judgeClock(deps, scene); // 5
      }),
    judge: (task) => inTurn(["judge"], () => judgeWhole(deps, task)),
  };
}

async function judgeWhole(deps: TaskJudgeDeps, task: WholeTask): Promise<JudgedTask> {
  checkWhole(task); // 1
  const host = await judgeHost(deps, task.task); // 2 to 4
  const scene = { ...host, clock: await judgeClock(deps, host) }; // 5
  const plan = judgePlan(task, scene.identity.nodeId); // 6 to 11
  const approved = judgeWord(deps, scene, task, plan); // 12 to 33
  const { operations } = plan.section;
  judgeCeiling(scene.ceiling, operations); // 34 to 38
  await judgeArtifacts(artifactScene(deps, scene), operations, task.artifacts); // 39 to 41
  const written = operations.flatMap((one) => ("path" in one ? [one.path] : []));
  judgePaths({ root: deps.paths.root, owner: deps.owner }, written); // 42
  await judgeStates(deps, scene.identity, plan.section); // 43, 44
  return {
    task: task.task,
    planDigest: task.planDigest,
    index: task.index,
    section: plan.section,
    artifacts: task.artifacts,
    ...approved,
  };
}

const mostStatements = 16;

const announcedFields = controlFrames.task.fields.omit({ t: true });
const wholeFields = announcedFields.omit({ parts: true });

function checkAnnounced(task: AnnouncedTask): void {
  const parsed = announcedFields.safeParse(task);
  if (!parsed.success) throw malformed("the fields of a change", "others");
  const { digests, approvals } = parsed.data.parts;
  checkArtifacts(parsed.data.parts);
  checkPartSizes(digests.size, approvals.size);
}

function checkWhole({ header, digests, section, approvals, artifacts, ...named }: WholeTask): void {
  if (!wholeFields.safeParse(named).success) throw malformed("the fields of a change", "others");
  const isWhole = [header, digests, section, approvals].every((part: unknown) => part instanceof Uint8Array);
  if (!isWhole) throw malformed("the bytes of every part", "something else");
  if (artifacts.length > artifactLimits.count) {
    throw malformed(`at most ${artifactLimits.count} artifacts`, String(artifacts.length));
  }
  checkPartSizes(digests.byteLength, approvals.byteLength);
  const statements = countStatements(approvals);
  if (statements > mostStatements) throw malformed(`at most ${mostStatements} statements`, String(statements));
}

function checkPartSizes(digests: number, approvals: number): void {
  if (digests === 0 || digests % digestBytes !== 0) throw malformed(`digests of ${digestBytes} bytes`, `${digests}`);
  if (approvals > mostApprovalBytes) throw malformed(`approvals of at most ${mostApprovalBytes} bytes`, `${approvals}`);
}

/** Of whatever lists something; what it lists is judged later. */
function countStatements(approvals: Uint8Array): number {
  const read = parseStrictJsonBytes(approvals);
  return read.ok && Array.isArray(read.value) ? read.value.length : 0;
}

function malformed(expected: string, found: string): Error {
  return fault("task.malformed", `expected ${expected}, found ${found}`);
}

interface JudgedHost {
  readonly ceiling: Ceiling;
  readonly accepts: "signed" | "server";
  readonly used: UsedApprovals;
  readonly kept: ClockFloor | undefined;
  readonly identity: HostIdentity;
  /** Whether this very change was taken before. */
  readonly isTaken: boolean;
}

/** What is the same for every change that comes now. */
interface JudgeScene extends JudgedHost {
  readonly clock: { readonly wall: number; readonly floorNow: number };
}

async function judgeHost(deps: TaskJudgeDeps, task: string): Promise<JudgedHost> {
  const ceiling = deps.readCeiling();
  const accepts = acceptsOf(ceiling);
  if (accepts === "none") throw takesNone(ceiling); // 2
  const used = readUsed(deps); // 3
  const kept = findClockFloor(deps);
  const identity = getHostIdentity(deps);
  const isTaken = (await deps.findTaken(task)) !== undefined; // the journal's part of 3, and 4
  return { ceiling, accepts, used, kept, identity, isTaken };
}

function takesNone({ level }: Ceiling): Error {
  const found = level === "monitor" ? "one that is only watched" : "one that takes none";
  return fault("ceiling.off", `expected a host whose root has said who approves changes, found ${found}`);
}

/** The floor is written before the clock is judged: what passes while it is wrong counts too. */
async function judgeClock(deps: TaskJudgeDeps, { kept }: JudgedHost): Promise<JudgeScene["clock"]> {
  const wall = deps.clock.now();
  const floor = floorNow(kept, { wall, uptime: deps.findUptime() }, deps.madeAt);
  if (isFloorDue(kept, floor)) await putClockFloor(deps, floor);
  checkClock(wall, floor, deps.madeAt);
  return { wall, floorNow: floor.wall };
}

type Approved = Pick<JudgedTask, "approvalId" | "notAfter" | "rollbackWindow" | "confirmation" | "persons">;

/** The word of those whom the trust file names, or of the server: root of the host has said which one counts, and the other does not. */
function judgeWord(deps: TaskJudgeDeps, scene: JudgeScene, task: WholeTask, plan: OwnPlan): Approved {
  const asked = { planDigest: task.planDigest, sectionIndex: task.index };
  const { isSpent, horizon } = scene.used;
  const known = { ...asked, clock: scene.clock, isSpent, horizon };
  if (scene.accepts === "server") {
    const server = getPinnedServer(deps).key;
    const order = judgeOrder(task.approvals, { ...known, server, nodeId: scene.identity.nodeId });
    const { orderId, notAfter, rollbackWindow } = order;
    return { approvalId: orderId, notAfter, rollbackWindow, confirmation: "path", persons: [] };
  }
  const trust = readTrust(deps); // 12
  const { approval, persons } = judgeApprovals(task.approvals, {
    ...known,
    trust,
    sectionCount: plan.digests.length,
    risks: plan.section.operations.map(({ kind }) => riskOfOperation[kind]),
    // A header of schema 1 cannot say that its hosts change all or none.
    together: false,
    // No revocation reaches a host of this version.
    isRevoked: () => false,
  }); // 13 to 33
  const { approvalId, notAfter, rollbackWindow, confirmation } = approval;
  return { approvalId, notAfter, rollbackWindow, confirmation: confirmation === 2 ? "approver" : "path", persons };
}

function artifactScene(deps: TaskJudgeDeps, { clock }: JudgeScene): ArtifactScene {
  const { running, release } = deps;
  return { running, release, findPublishers: () => findPublishers(deps, Math.max(clock.wall, clock.floorNow)) };
}

/** Whether every part that would be replaced is as it was when the plan was made. */
async function judgeStates(deps: TaskJudgeDeps, { key }: HostIdentity, { preconditions }: PlanSection): Promise<void> {
  const subjects = preconditions.map(({ subject }) => subject);
  const states = await deps.readStates({ subjects, privateKey: stateKeyOf(key) }); // 43
  const now = new Map(states.map(({ subject, state }) => [subject, state]));
  for (const { subject, state: expected } of preconditions) {
    const state = now.get(subject);
    if (state === undefined) throw fault("state.unreadable", `expected the state of ${subject}, found none`);
    const found = digestState(subject, state);
    if (found !== expected) throw fault("state.stale", `${subject}: expected ${expected}, found ${found}`); // 44
  }
}
