import { fault } from "@gatehouse/contract/faults";
import { replaceDurably, type Vfs, type VfsFile } from "@gatehouse/files";
import { applyChange, type Contents, contentsOf, type Entry } from "./contents.ts";
import { decodeFrame, encodeFrame, findChange, headerGeneration, type OutRecord } from "./outbox-format.ts";

export interface OutboxSource {
  readonly file: VfsFile;
  readonly generation: number;
}

export interface NewOutbox {
  readonly generation: number;
  /** What stands before the messages. */
  readonly state: Pick<Contents, "acked" | "last" | "dropped" | "mark">;
  /** Messages of the file as it is, in order; and those that come behind them. */
  readonly kept: readonly Entry[];
  readonly source: OutboxSource | undefined;
  readonly added: readonly OutRecord[];
}

/** Writes the file anew, whole or not at all; returns what it then holds and where it ends. */
export async function writeOutbox(
  vfs: Vfs,
  path: string,
  anew: NewOutbox,
): Promise<{ contents: Contents; end: number }> {
  const { generation, state, kept, source, added } = anew;
  const last = Math.max(state.last, added.at(-1)?.seq ?? 0);
  let contents = contentsOf({ ...state, last });
  let end = 0;
  await replaceDurably(vfs, path, async (file) => {
    const out = inStretches(file);
    const write = async (frame: Buffer) => {
      await out.add(frame);
      end += frame.length;
    };
    const { acked, dropped, mark } = state;
    await write(encodeFrame(headerGeneration, { format: 1, generation, acked, last, dropped, mark }));
    const take = async (record: OutRecord) => {
      const change = { records: [record] };
      const frame = encodeFrame(generation, change);
      contents = applyChange(contents, change, { at: end, bytes: frame.length }) as Contents;
      await write(frame);
    };
    for (const entry of kept) await take(await readRecord(source as OutboxSource, entry));
    for (const record of added) await take(record);
    await out.flush();
  });
  return { contents, end };
}

/** One message as it was put. A frame that is no longer what was read is damage that came while the file was open. */
export async function readRecord({ file, generation }: OutboxSource, { at, bytes, seq }: Entry): Promise<OutRecord> {
  const change = findChange(decodeFrame(generation, await file.read(at, bytes)));
  const record = change?.records?.find((each) => each.seq === seq);
  if (record === undefined) throw fault("outbox.damaged", `message ${seq} at byte ${at} is not what was written there`);
  return record;
}

const stretchBytes = 256 * 1024;

/** Many small frames become few writes, and never more than a stretch is held. */
function inStretches(file: VfsFile): { add(bytes: Buffer): Promise<void>; flush(): Promise<void> } {
  let [held, length, position]: [Buffer[], number, number] = [[], 0, 0];
  const flush = async () => {
    const bytes = Buffer.concat(held);
    [held, length] = [[], 0];
    if (bytes.length > 0) await file.write(bytes, position);
    position += bytes.length;
  };
  return {
    add: async (bytes) => {
      held.push(bytes);
      length += bytes.length;
      if (length >= stretchBytes) await flush();
    },
    flush,
  };
}
