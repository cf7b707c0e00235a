import { createHash, hkdfSync, randomBytes } from "node:crypto";
import { enrolCodeId, enrolMacInfo, findUrlFlaw, secretLength, writeEnrolCode } from "@gatehouse/channel";
import { fault } from "@gatehouse/contract";
import { type EnrolmentRecord, enrolmentKind } from "@gatehouse/contract/records";
import { type Enrolment, enrolmentLifetimes, type NewEnrolment } from "@gatehouse/contract/routes";
import type { StoredRecord } from "@gatehouse/store";
import { create, listRecords, put, remove } from "@gatehouse/store/decide";
import { recall } from "../../platform/idempotency/index.ts";
import { actorOf, entryOf, type Principal, type RequestFacts } from "../../platform/route/index.ts";
import type { FleetDeps } from "./fleet-deps.ts";
import { fleetLimits } from "./limits.ts";

type EnrolmentDeps = Pick<FleetDeps, "store" | "decide" | "secrets" | "identity" | "requireRights" | "url">;

export interface WantedEnrolments {
  readonly count?: number | undefined;
  readonly name?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly expiresInSeconds?: number | undefined;
}

/** Every change of the codes goes one after the other: they share one bound. */
const turn = "enrolments";

/** Makes codes. The secret of each leaves in this answer; what is kept can check a MAC under it, and cannot make the code again. */
export async function createEnrolments(
  deps: EnrolmentDeps,
  principal: Principal,
  wanted: WantedEnrolments,
  request: RequestFacts,
  idempotencyKey: string | undefined,
): Promise<readonly NewEnrolment[]> {
  const { now } = request;
  const url = deps.url();
  const flaw = findUrlFlaw(url);
  if (flaw !== undefined) throw fault("enrol.url", `${url}: ${flaw}`);
  const { publicKey } = await deps.identity();
  const notAfter = now + (wanted.expiresInSeconds ?? enrolmentLifetimes.unsaid) * 1_000;
  const made = Array.from({ length: wanted.count ?? 1 }, () => {
    const secret = randomBytes(secretLength);
    const id = Buffer.from(enrolCodeId(sha256, secret)).toString("hex");
    const macKey = deps.secrets.seal(placeOf(id), macKeyOf(secret, publicKey));
    const record: EnrolmentRecord = {
      id,
      ...(wanted.name !== undefined && { name: wanted.name }),
      tags: wanted.tags ?? [],
      createdAt: now,
      createdBy: actorOf(principal),
      notAfter,
      macKey,
    };
    return { record, code: writeEnrolCode(sha256, { url, server: publicKey, secret, notAfter }) };
  });
  return deps.decide([turn], async (read) => {
    await deps.requireRights(read, principal, { scope: "node:admin", now });
    const asked = { userId: principal.id, route: "enrolments", key: idempotencyKey, request: wanted, now };
    const remembered = await recall(read, asked);
    if (remembered.resultId !== undefined) throw alreadyMade(remembered.resultId.split(","));
    const all = await listRecords(deps.store, enrolmentKind);
    const open = all.filter(({ value }) => stateOf(value, now) === "open").length;
    if (open + made.length > fleetLimits.openEnrolments) {
      throw fault("enrolment.too_many", `at most ${fleetLimits.openEnrolments} codes are open, there are ${open}`);
    }
    const cleared = all.filter(({ value }) => isForgotten(value, now)).slice(0, fleetLimits.clearedAtOnce);
    return {
      entry: entryOf(request, {
        actor: actorOf(principal),
        action: "enrolment.created",
        subject: enrolmentKind.key(made[0]?.record.id ?? "").text,
        detail: {
          ids: made.map(({ record }) => record.id),
          ...(wanted.name !== undefined && { name: wanted.name }),
          tags: wanted.tags ?? [],
          expiresAt: notAfter,
        },
      }),
      changes: [
        ...made.map(({ record }) => create(enrolmentKind.key(record.id), record)),
        ...cleared.map((record) => remove(record)),
        ...remembered.keep(made.map(({ record }) => record.id).join()),
      ],
      result: () => made.map(({ record, code }) => ({ ...viewEnrolment(record, now), code })),
    };
  });
}

export async function listEnrolments(
  { store }: Pick<EnrolmentDeps, "store">,
  page: { readonly cursor?: string | undefined; readonly limit: number },
  now: number,
): Promise<{ items: Enrolment[]; nextCursor: string | null }> {
  const after = page.cursor === undefined ? {} : { after: enrolmentKind.key(page.cursor) };
  const found = await store.list(enrolmentKind, { limit: page.limit + 1, ...after });
  const shown = found.slice(0, page.limit);
  const items = shown.filter(({ value }) => !isForgotten(value, now)).map(({ value }) => viewEnrolment(value, now));
  return { items, nextCursor: found.length > page.limit ? (shown.at(-1)?.value.id ?? null) : null };
}

export async function revokeEnrolment(
  deps: EnrolmentDeps,
  principal: Principal,
  id: string,
  request: RequestFacts,
): Promise<undefined> {
  return deps.decide([turn, id], async (read) => {
    await deps.requireRights(read, principal, { scope: "node:admin", now: request.now });
    const found = await read.get(enrolmentKind.key(id));
    if (found === undefined) throw fault("enrolment.unknown", `there is no enrolment ${id}`);
    const { spent, revokedAt, name, tags } = found.value;
    if (spent !== undefined) throw fault("enrol.code_used", `it enrolled ${spent.nodeId}; revoke the node instead`);
    if (revokedAt !== undefined) return { result: () => undefined };
    return {
      entry: entryOf(request, {
        actor: actorOf(principal),
        action: "enrolment.revoked",
        subject: found.key.text,
        detail: { ...(name !== undefined && { name }), tags },
      }),
      changes: [put(found, { ...found.value, revokedAt: request.now })],
      result: () => undefined,
    };
  });
}

/** The key of the MAC that a host makes with its code, as it was kept. */
export function openMacKey({ secrets }: Pick<FleetDeps, "secrets">, { value }: StoredRecord<EnrolmentRecord>): Buffer {
  return secrets.open(placeOf(value.id), value.macKey);
}

export function stateOf({ spent, revokedAt, notAfter }: EnrolmentRecord, now: number): Enrolment["state"] {
  if (spent !== undefined) return "used";
  if (revokedAt !== undefined) return "revoked";
  return notAfter <= now ? "expired" : "open";
}

function isForgotten({ notAfter }: EnrolmentRecord, now: number): boolean {
  return notAfter + fleetLimits.endedEnrolmentMs <= now;
}

function viewEnrolment(record: EnrolmentRecord, now: number): Enrolment {
  return {
    id: record.id,
    name: record.name ?? null,
    tags: [...record.tags],
    createdAt: new Date(record.createdAt).toISOString(),
    createdBy: record.createdBy,
    expiresAt: new Date(record.notAfter).toISOString(),
    state: stateOf(record, now),
    nodeId: record.spent?.nodeId ?? null,
  };
}

/** The codes themselves are nowhere: whoever lost them revokes these, and makes others. */
function alreadyMade(ids: readonly string[]): Error {
  return fault(
    "enrolment.already_made",
    `the key belongs to ${ids.length} codes, which were shown when they were made`,
    {
      fields: { ids },
    },
  );
}

function macKeyOf(secret: Uint8Array, server: Uint8Array): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, server, enrolMacInfo, 32));
}

function placeOf(id: string) {
  return { kind: "enrolment", id, field: "macKey" };
}

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash("sha256").update(bytes).digest();
}
