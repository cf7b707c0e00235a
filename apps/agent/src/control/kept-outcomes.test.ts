import { faultyVfs } from "@gatehouse/files/faulty";
import { expect, test } from "vitest";
import { openOutbox } from "../outbox/open-outbox.ts";
import { openKeptOutcomes } from "./kept-outcomes.ts";
import { readMarks, withMarks } from "./marks.ts";

async function start() {
  const vfs = faultyVfs({ directories: ["/state"] });
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  const outbox = await openOutbox({ vfs, directory: "/state/outbox", log, now: () => 0 });
  const outcomes = openKeptOutcomes({ outbox, log, kept: () => undefined });
  const held = async () => (await outbox.after(outbox.cursor()?.acked ?? 0, 100)).map(({ body }) => body);
  return { vfs, lines, outbox, outcomes, held };
}

test("one that waits for the server is not put again, however often the server asks; one that it had is", async () => {
  const { outcomes, held, outbox } = await start();
  for (let count = 0; count < 3; count += 1) await outcomes.putAgain("a");
  await outcomes.putAgain("b");
  expect(await held()).toEqual(['{"signed":"a"}', '{"signed":"b"}']);
  await outbox.ack(1);
  await outcomes.putAgain("a");
  await outcomes.putAgain("b");
  expect(await held()).toEqual(['{"signed":"b"}', '{"signed":"a"}']);
});

test("one that the disk is still taking is not put beside itself, and its place in the journal comes with it", async () => {
  const { outcomes, held, outbox } = await start();
  const three = [outcomes.putAgain("a"), outcomes.putAgain("a"), outcomes.put("a", withMarks({ journal: 5 }))];
  await Promise.all(three);
  expect(await held()).toEqual(['{"signed":"a"}']);
  expect(readMarks(outbox.mark()).journal).toBe(5);
});

test("the place in the journal is remembered for one that waits already", async () => {
  const { outcomes, held, outbox } = await start();
  await outcomes.putAgain("a");
  await outcomes.put("a", withMarks({ journal: 5 }));
  expect(await held()).toHaveLength(1);
  expect(readMarks(outbox.mark()).journal).toBe(5);
});

test("a disk that does not take one is said, and nobody waits for it", async () => {
  const { vfs, outcomes, held, lines } = await start();
  vfs.failNext("write", 1, "ENOSPC");
  await outcomes.putAgain("a");
  expect(lines).toEqual([expect.stringMatching(/^the outbox did not take an outcome: outbox\.unwritable/)]);
  await outcomes.putAgain("a");
  expect(await held()).toEqual(['{"signed":"a"}']);
});
