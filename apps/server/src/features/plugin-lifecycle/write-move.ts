import { setTimeout as later } from "node:timers/promises";
import type { Clock } from "@gatehouse/base";
import { type AuditDetail, type AuditEntry, isFault } from "@gatehouse/contract";
import type { Expect, Store, StoredRecord } from "@gatehouse/store";
import { put } from "@gatehouse/store/change";
import { lifecycleLimits } from "./limits.ts";
import { pluginKind, type PluginRecord } from "./records.ts";

/** Who moves a plugin. */
export interface Actor {
  readonly name: string;
  readonly requestId?: string;
  readonly address?: string;
  /** Refuses an actor who has lost the right meanwhile; gives the records that say so, to be found unchanged. */
  readonly standing: () => Promise<readonly Expect[]>;
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
  readonly store: Pick<Store, "get" | "commit">;
  readonly clock: Pick<Clock, "now">;
}

/**
 * The only writer of lifecycle records (contract 2.5): the entry and the record, or neither. A race about the actor's own
 * records is run again with what they are now; a race about the plugin is not ours to decide.
 */
export async function writeMove(
  deps: WriteMoveDeps,
  actor: Actor,
  before: StoredRecord<PluginRecord> | undefined,
  move: Move,
): Promise<StoredRecord<PluginRecord>> {
  const { record } = move;
  const key = pluginKind.key(record.id);
  const version = (before?.version ?? 0) + 1;
  for (let attempt = 1; ; attempt += 1) {
    const expects = await actor.standing();
    try {
      await deps.store.commit(
        entryOf(deps, actor, key.text, move),
        [put(before ?? { key, version: 0 }, record)],
        expects,
      );
      return { key, version, value: record };
    } catch (error) {
      if (!isFault(error, "store.conflict") || attempt >= lifecycleLimits.attempts) throw error;
      if (((await deps.store.get(key))?.version ?? 0) !== version - 1) throw error;
      // The change that came first has to become visible.
      await later(2 ** attempt * (0.5 + Math.random() / 2));
    }
  }
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
