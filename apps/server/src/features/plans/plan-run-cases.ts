import { createHash } from "node:crypto";
import { setImmediate as othersTurn } from "node:timers/promises";
import { manualClock } from "@gatehouse/base";
import { readOrder } from "@gatehouse/approval";
import { decodeBase64url, readOutcome, type SignedOutcome } from "@gatehouse/channel";
import { fault, type FaultCode, type PlanState } from "@gatehouse/contract";
import {
  type PlanApproval,
  type PlanRecord,
  planKind,
  serverSettingsKey,
  type TaskRecord,
  userKind,
  type UserRecord,
} from "@gatehouse/contract/records";
import type { Node } from "@gatehouse/contract/routes";
import { newPrivateKey, publicKeyBytes, signatureLength, signBytes } from "@gatehouse/keys";
import { readSigned } from "@gatehouse/keys/frame";
import { type PlanDocument, planDigest, serialisePlan, type TrustState, trustSubject } from "@gatehouse/plan";
import type { Change } from "@gatehouse/store";
import { memoryBlobs } from "@gatehouse/store/blobs";
import { create, openDecide, put } from "@gatehouse/store/decide";
import { farDatabase } from "@gatehouse/store/far";
import { expect } from "vitest";
import { PretendHost } from "../../../../../tests/support/pretend-host.ts";
import { openLog } from "../../platform/log/index.ts";
import type { OfferedParts, OfferedTask, TaskWord, ToldOutcome } from "../fleet/index.ts";
import { keepEvidence } from "./evidence.ts";
import { openHeldPlans } from "./held-plans.ts";
import { plansLimits } from "./limits.ts";
import { PlanRunner } from "./run-plans.ts";
import { openOutcomes } from "./take-outcome.ts";
import { readTasks } from "./task-records.ts";
import type { PlanRunOrder } from "./wave-book.ts";
import { keepWaveOrder } from "./wave-order.ts";

export const hour = 60 * 60 * 1_000;
const trusting: TrustState = { accepts: "server", trust: null };

/** A task that a host was offered, and how the test answers for it. */
export interface SeenOffer {
  readonly node: string;
  readonly task: OfferedTask;
  readonly parts: OfferedParts;
  answer(code: FaultCode, detail?: string): void;
  /** The host has begun. */
  take(): void;
  /** The host goes away without a word. */
  lose(): void;
  /** Something is wrong with the server itself. */
  fail(): void;
}

/** A data directory that outlives its servers, and hosts that the test speaks for. */
export function setUpRuns() {
  const database = farDatabase({ slow: 0 });
  const clock = manualClock();
  const blobs = memoryBlobs({ clock });
  const secret = newPrivateKey();
  const { store } = database.openReplica();
  const here = new Set<string>();
  const gone = new Set<string>();
  const offers: SeenOffer[] = [];
  const known = new Map<string, PretendHost>();
  /** Plans of which it was told that their hosts said something. */
  const told: string[] = [];
  const logLines: string[] = [];
  /** What happens once it is chosen under what a task is sent, and before it is marked as sent. */
  const before: { order?: () => Promise<void> } = {};

  const change = (make: (now: number) => Parameters<typeof store.commit>[1]) =>
    store.commit(
      {
        at: clock.now(),
        actor: "system",
        action: "plan.forgotten",
        subject: "plan",
        outcome: "done",
        detail: { plans: 0 },
      },
      make(clock.now()),
    );

  /** Starts a server over what there is. */
  const start = () => {
    const replica = database.openReplica();
    const arrivals = new Set<(node: string) => void>();
    const looks: (() => void)[] = [];
    const decide = openDecide(replica.store);
    const runner = new PlanRunner({
      store: replica.store,
      decide,
      blobs,
      ...openHeldPlans({ blobs }),
      clock,
      log: openLog({ format: "text", write: (line) => logLines.push(line) }),
      every: (_ms, act) => {
        looks.push(act);
        return () => undefined;
      },
      findNode: (id) => Promise.resolve(gone.has(id) ? undefined : ({ id, state: "offline" } as Node)),
      tellSteps: (of) => told.push(...of),
      identity: async () => {
        await before.order?.();
        return { publicKey: publicKeyBytes(secret), sign: (framed) => signBytes(secret, framed) };
      },
      tasks: {
        canTakeTasks: (node) => here.has(node),
        offerTask: (node, task, parts) => {
          const word = Promise.withResolvers<TaskWord>();
          offers.push({
            node,
            task,
            parts,
            answer: (code, detail = "so") => word.resolve({ kind: "refused", code, detail }),
            take: () => word.resolve({ kind: "taken" }),
            fail: () => word.reject(new Error("a defect")),
            lose: () => {
              here.delete(node);
              word.reject(fault("plan.node_refused", "its connection ended before it had answered"));
            },
          });
          return word.promise;
        },
        onArrival: (listener) => {
          arrivals.add(listener);
          return () => arrivals.delete(listener);
        },
      },
    });
    const keepOutcome = openOutcomes({
      store: replica.store,
      decide,
      onEnd: (plan, node, state) => runner.ended(plan, node, state),
    });
    return {
      runner,
      store: replica.store,
      /** A host's signed word about its end, as the fleet hands it on after it has looked at the signature. */
      end: (offer: SeenOffer, changed: Partial<SignedOutcome> = {}) => {
        const host = known.get(offer.node);
        if (host === undefined) throw new Error("nobody speaks for this node");
        return keepOutcome(outcomeOf(host, offer, changed), { ...facts, now: clock.now() }, () => Promise.resolve([]));
      },
      look: () => {
        for (const act of looks) act();
      },
      /** What was begun by then has ended: the steps of the runner take turns of the loop and no time. */
      settled: async () => {
        for (let turn = 0; turn < 50; turn += 1) await othersTurn();
      },
      arrive: (node: string) => {
        here.add(node);
        for (const hear of arrivals) hear(node);
      },
    };
  };

  /** A plan for so many hosts that has been started, with its hosts' trust. Its tasks are the runner's to make. */
  const keepPlan = async ({
    nodes = 1,
    of = [] as readonly string[],
    trust = (_index: number): TrustState => trusting,
    approvals = (plan: { digest: string; now: number }): readonly PlanApproval[] => [serverWord(plan.now)],
    artifacts = [] as readonly string[],
    waves = [] as readonly number[],
    halt = { after: 1 },
  } = {}): Promise<{ plan: PlanRecord; hosts: readonly string[]; document: PlanDocument }> => {
    const speaking = (at: number) => known.get(of[at] ?? "") ?? new PretendHost(`web-${at}`);
    const pretended = Array.from({ length: nodes }, (_, at) => speaking(at)).toSorted((a, b) =>
      a.nodeId < b.nodeId ? -1 : 1,
    );
    for (const host of pretended) known.set(host.nodeId, host);
    const document: PlanDocument = {
      header: { schema: 1, title: "Restart nginx", summary: "So.", source: { from: "person" } },
      sections: pretended.map(({ nodeId }) => ({
        node: nodeId,
        operations: [{ kind: "service.restart", unit: "nginx.service" }],
        preconditions: [{ subject: "service:nginx.service", state: "absent" }],
      })),
    };
    const now = clock.now();
    const digest = planDigest((bytes) => createHash("sha256").update(bytes).digest(), document);
    const evidence = await keepEvidence(
      blobs,
      pretended.map((host, index) => {
        const request = Buffer.alloc(32).toString("base64url");
        const asked = { t: "want-state", request, subjects: [trustSubject] } as const;
        const [piece] = host.states({ ...asked, subjects: [trustSubject] }, { [trustSubject]: trust(index) });
        return { node: host.nodeId, name: host.hostname, states: piece?.bytes ?? null, statesAt: now, findings: [] };
      }),
    );
    const plan: PlanRecord = {
      id: `plan_${String(now).padStart(26, "0")}`,
      digest,
      document: await blobs.put([serialisePlan(document)]),
      evidence,
      title: "Restart nginx",
      summary: "So.",
      source: { from: "person" },
      author: "usr_ada",
      actor: "usr_ada",
      createdAt: now,
      expiresAt: now + hour,
      state: "running",
      stateAt: now,
      movedBy: "usr_ada",
      nodes,
      kinds: ["service.restart"],
      bytes: 1,
      management: [],
      skipped: [],
      findings: { refuse: 0, warn: 0, note: 0 },
      approvals: approvals({ digest, now }),
      awaiting: 0,
      ...(artifacts.length > 0 && { artifacts: [...artifacts] }),
      ...(waves.length > 0 && { run: await runOf(waves, halt) }),
    };
    const approvers = [...new Set(plan.approvals?.map(({ user }) => user))];
    for (const id of approvers) if ((await userNow(id)) === undefined) await keepUser(id);
    await change(() => [create(planKind.key(plan.id), plan)]);
    return { plan, hosts: pretended.map(({ nodeId }) => nodeId), document };
  };

  /** So many hosts in each wave, in the plan's order. */
  const runOf = async (sizes: readonly number[], halt: PlanRunOrder["halt"]): Promise<PlanRunOrder> => ({
    waves: sizes.map((size) => ({ kind: "rest", nodes: size })),
    order: await keepWaveOrder(
      blobs,
      sizes.flatMap((size, wave) => Array.from({ length: size }, () => wave)),
    ),
    halt,
    forgiven: [],
  });

  const userNow = (id: string) => store.get(userKind.key(id), { newest: true });
  const keepUser = async (id: string, disabled = false) => {
    const [found, at] = [await userNow(id), clock.now()];
    const times = { createdAt: at, updatedAt: at, passwordChangedAt: at };
    const user: UserRecord = { id, username: id, role: "approver", passwordHash: "none", disabled, ...times };
    await change(() => [found === undefined ? create(userKind.key(id), user) : put(found, user)]);
  };

  const planNow = async (id: string) => (await store.get(planKind.key(id), { newest: true }))?.value;
  return {
    clock,
    blobs,
    here,
    gone,
    offers,
    told,
    stepOf: () => null,
    logLines,
    before,
    secret,
    store,
    change: (changes: readonly Change[]) => change(() => changes),
    start,
    keepPlan,
    keepUser,
    planNow,
    tasksOf: async (id: string): Promise<TaskRecord[]> => {
      await store.get(planKind.key(id), { newest: true });
      const all: TaskRecord[] = [];
      for await (const { value } of readTasks({ store }, id)) all.push(value);
      return all;
    },
    actions: async () => {
      const { items } = await store.searchAudit({ order: "oldest", limit: 1_000 });
      return items.map(({ action }) => action).filter((action) => action !== "plan.forgotten");
    },
    stop: (stopped: { at: number; by: string; reason: string } | null) =>
      store.get(serverSettingsKey, { newest: true }).then((found) => {
        const value = { plans: { selfApproval: false, stopped } };
        return change(() => [found === undefined ? create(serverSettingsKey, value) : put(found, value)]);
      }),
    /** As somebody goes on with a plan that was halted. */
    goOn: async (id: string, forgiven: number[]) => {
      const found = await store.get(planKind.key(id), { newest: true });
      if (found?.value.run === undefined) throw new Error("there is no plan in waves");
      const run = { ...found.value.run, forgiven };
      await change(() => [put(found, { ...found.value, run, state: "running" })]);
    },
    move: async (id: string, state: PlanState) => {
      const found = await store.get(planKind.key(id), { newest: true });
      if (found !== undefined) await change(() => [put(found, { ...found.value, state })]);
    },
  };
}

const facts = { method: "GET", path: "/", requestId: "req_test", clientAddress: "192.0.2.10" };

/** The host's word that the task of this offer was applied, under the order that it was offered with. */
export function outcomeOf(
  host: PretendHost,
  { task, parts }: SeenOffer,
  changed: Partial<SignedOutcome> = {},
): ToldOutcome {
  const order = readSigned(heldPart({ parts }, task.parts.approvals), [signatureLength], readOrder);
  const { signed } = host.outcome(
    { ...task, approvalId: Buffer.from(order?.value.orderId ?? "", "hex") },
    changed,
  ).body;
  const read = readSigned(decodeBase64url(signed), [signatureLength], readOutcome);
  if (read === undefined) throw new Error("the host made no outcome");
  return { from: host.nodeId, outcome: read.value, signed };
}

/** A part that the server holds itself; none for one that it would read when asked. */
export function heldPart({ parts }: Pick<SeenOffer, "parts">, { sha256 }: { sha256: string }): Uint8Array | undefined {
  const part = parts.get(sha256);
  return part instanceof Uint8Array ? part : undefined;
}

export function serverWord(now: number, more: Partial<PlanApproval> = {}): PlanApproval {
  return {
    id: "0a".repeat(16),
    kind: "server",
    user: "usr_bob",
    by: "usr_bob",
    at: now,
    notBefore: now,
    notAfter: now + hour,
    rollbackWindow: 120,
    sections: 1,
    ...more,
  };
}

/** Often enough that nobody waits for it. */
export const until = (what: () => unknown) => expect.poll(what, { interval: 5 });

/** A plan whose hosts are here and have been offered their tasks. */
export async function startOffered(nodes = 1) {
  const runs = setUpRuns();
  const { plan, hosts } = await runs.keepPlan({ nodes });
  for (const host of hosts) runs.here.add(host);
  const server = runs.start();
  await until(() => runs.offers.length).toBe(nodes);
  const taskOf = async () => (await runs.tasksOf(plan.id))[0];
  const ended = () => runs.planNow(plan.id).then((now) => now?.ended);
  return { runs, plan, hosts, server, offer: runs.offers[0] as SeenOffer, taskOf, ended };
}

export const groupSize = plansLimits.tasksOfCommit;
