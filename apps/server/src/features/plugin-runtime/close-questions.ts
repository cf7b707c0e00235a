import type { Clock } from "@gatehouse/base";
import { type PluginQuestionRecord, pluginQuestionKind, type RecordKey } from "@gatehouse/contract/records";
import type { Store } from "@gatehouse/store";
import { remove } from "@gatehouse/store/decide";
import type { Log } from "../../platform/log/index.ts";
import type { Book } from "./book.ts";

export interface CloseQuestionsDeps {
  readonly store: Pick<Store, "list">;
  readonly book: Pick<Book, "note">;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
}

/**
 * At a start: whatever was asked and has no end on the record gets one. Nothing of this server runs yet, so what is left is of
 * one that was killed, or that could not write the end any more. There are as many as ran at once.
 */
export async function closeQuestions({ store, book, clock, log }: CloseQuestionsDeps): Promise<void> {
  const reason = "nobody knows how it ended: the server ended before that was on the record";
  for (let after: { after?: RecordKey<PluginQuestionRecord> } = {}; ; ) {
    const page = await store.list(pluginQuestionKind, after);
    const last = page.at(-1);
    if (last === undefined) return;
    for (const { key, version, value } of page) {
      const { plugin, ...what } = value;
      log.warn("a question to a plugin has no end", { plugin, action: what.action, question: key.id });
      await book.note(
        {
          at: clock.now(),
          actor: "system",
          action: "plugin.answered",
          subject: `plugin/${plugin}`,
          outcome: "failed",
          detail: { question: key.id, ...what, reason },
        },
        [remove({ key, version })],
      );
    }
    after = { after: last.key };
  }
}
