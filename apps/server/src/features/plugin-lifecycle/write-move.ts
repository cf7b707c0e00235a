import type { Clock } from "@gatehouse/base";
import { type AuditDetail, type AuditEntry, fault } from "@gatehouse/contract";
import type { Store, StoredRecord } from "@gatehouse/store";
import { type Decide, put, type Reads } from "@gatehouse/store/decide";
import { pluginKind, type PluginRecord } from "./records.ts";

/** Who moves a plugin. */
export interface Actor {
  readonly name: string;
  readonly requestId?: string;
  readonly address?: string;
  /** Refuses an actor who has lost the right meanwhile. */
  readonly requireRights: (read: Reads) => Promise<void>;
}

type MoveAction =
  | "plugin.activated"
  | "plugin.activation_failed"
  | "plugin.disabled"
  | "plugin.installed"
  | "plugin.superseded"
  | "plugin.verified";

interface MoveOf<Action extends MoveAction> {
  readonly action: Action;
  readonly outcome?: "done" | "failed";
  /** What is kept once the entry is durable. */
  readonly record: PluginRecord;
  /** Begins with `bytesOf` the record. */
  readonly detail: AuditDetail<Action>;
}

/** The action decides the form of the detail. */
export type Move = { [Action in MoveAction]: MoveOf<Action> }[MoveAction];

/** The identity of the bytes, which every entry of a plugin's life says. */
export function bytesOf({ version, publisher, artifactSha256, payloadSha256, capabilities }: PluginRecord) {
  return { version, publisher, artifactSha256, payloadSha256, capabilities };
}

export interface WriteMoveDeps {
  readonly store: Pick<Store, "get">;
  readonly decide: Decide;
  readonly clock: Pick<Clock, "now">;
}

/**
 * The only writer of lifecycle records (contract 2.5): the entry and the record, or neither. A race about the actor's own
 * records is run again with what they are now; a race about the plugin is not ours to decide.
 */
export function writeMove(
  deps: WriteMoveDeps,
  actor: Actor,
  before: StoredRecord<PluginRecord> | undefined,
  move: Move,
): Promise<StoredRecord<PluginRecord>> {
  const { record } = move;
  const key = pluginKind.key(record.id);
  const seen = before ?? { key, version: 0 };
  return deps.decide([key.text], async (read) => {
    await actor.requireRights(read);
    const found = (await read.get(key))?.version ?? 0;
    if (found !== seen.version) throw moved(key.text, seen.version, found);
    return {
      entry: entryOf(deps, actor, key.text, move),
      changes: [put(seen, record)],
      result: ({ version }) => ({ key, version, value: record }),
    };
  });
}

function moved(key: string, expected: number, found: number): Error {
  return fault("store.conflict", `${key}: expected version ${expected}, found ${found}`, {
    fields: { key, expected, found },
  });
}

function entryOf<Action extends MoveAction>(
  { clock }: WriteMoveDeps,
  actor: Actor,
  subject: string,
  { action, outcome = "done", detail }: MoveOf<Action>,
): AuditEntry<Action> {
  return {
    at: clock.now(),
    actor: actor.name,
    action,
    subject,
    outcome,
    ...(actor.requestId !== undefined && { requestId: actor.requestId }),
    ...(actor.address !== undefined && { address: actor.address }),
    detail,
  };
}
