import { expect, test } from "vitest";
import { genesis, hashChanges, linkOf } from "../log-format.ts";
import { buildLog, entryOf, headAt, positions, type Start, singles } from "./sample-logs.ts";

/** What is archived stays, once and exactly. */
export function archiveCases(start: Start): void {
  test("archived groups carry exactly what the chain needs, and no changes", async () => {
    const { index } = await start();
    const entries = [[entryOf(1, { detail: { ü: [1.5, "x"] } }), entryOf(2)], [entryOf(3)]];
    const log = buildLog(entries);
    await index.append(log.bytes);
    await index.archive(headAt(log, 1));
    const groups = await index.groups(0, 10);
    expect(groups.map(({ first }) => first)).toEqual([1, 3]);
    expect(groups[0]?.entries).toEqual(entries[0]?.map((entry) => JSON.stringify(entry)));
    let link = genesis.link;
    for (const { first, entries: texts, changesHash } of groups) {
      link = linkOf(link, first, texts.length, `[${texts.join(",")}]`, changesHash);
    }
    expect(link).toBe(headAt(log, 1).link);
    expect(groups[1]?.changesHash).toBe(hashChanges(`[[{"key":"plugin/netguard","newVersion":1,"value":{}}]]`));
    expect(groups[1]?.link).toBe(headAt(log, 1).link);
  });

  test("groups are read after a position and up to a number of groups; the tail is not among them", async () => {
    const { index } = await start();
    const log = buildLog([[entryOf(1), entryOf(2)], ...singles(3, 3)]);
    await index.append(log.bytes);
    await index.archive(headAt(log, 2));
    const firsts = async (after: number, limit: number) => (await index.groups(after, limit)).map(({ first }) => first);
    expect(await firsts(0, 10)).toEqual([1, 3, 4]);
    expect(await firsts(1, 10)).toEqual([3, 4]);
    expect(await firsts(2, 1)).toEqual([3]);
    expect(await firsts(4, 10)).toEqual([]);
    expect(await firsts(0, 0)).toEqual([]);
  });

  test("archiving the same head, or an earlier one, again changes nothing", async () => {
    const { index } = await start();
    const log = buildLog(singles(4));
    await index.append(log.bytes);
    await index.archive(headAt(log, 2));
    await index.archive(headAt(log, 2));
    await index.archive(headAt(log, 0));
    expect(await index.archived()).toEqual(headAt(log, 2));
    expect((await index.groups(0, 10)).length).toBe(3);
    expect(await index.indexed()).toBe(4);
  });

  test("a head that is no end of a group, has another link, or is not known is refused", async () => {
    const { index } = await start();
    const log = buildLog([[entryOf(1), entryOf(2)], [entryOf(3)]]);
    await index.append(log.bytes);
    const refused = { code: "store.files_of_different_moments" };
    const link = "ab".repeat(32);
    await expect(index.archive({ ...headAt(log, 0), position: 1 })).rejects.toMatchObject(refused);
    await expect(index.archive({ position: 2, link })).rejects.toMatchObject(refused);
    await expect(index.archive({ position: 9, link })).rejects.toMatchObject(refused);
    expect(await index.archived()).toEqual(genesis);
    await index.archive(headAt(log, 1));
    await expect(index.archive({ position: 3, link })).rejects.toMatchObject(refused);
    await expect(index.archive({ position: 2, link })).rejects.toMatchObject(refused);
  });

  test("a restart loses the tail and keeps the archive, and the log fills the tail again", async () => {
    const { index, reopen } = await start();
    const log = buildLog(singles(5));
    await index.append(log.bytes);
    await index.archive(headAt(log, 2));
    await index.close();
    const again = await reopen();
    expect(await again.archived()).toEqual(headAt(log, 2));
    expect(await again.indexed()).toBe(3);
    expect(await positions(again, { text: "netguard" })).toEqual([3, 2, 1]);
    await again.append(log.bytes);
    expect(await positions(again, { text: "netguard" })).toEqual([5, 4, 3, 2, 1]);
    await again.archive(headAt(log, 4));
    expect(await positions(again, { text: "netguard" })).toEqual([5, 4, 3, 2, 1]);
  });

  test("the tail's words are found before, between and after archiving", async () => {
    const { index } = await start();
    const log = buildLog(singles(4));
    await index.append(log.bytes);
    for (const group of [0, 1, 3]) {
      expect(await positions(index, { text: "inst" })).toEqual([4, 3, 2, 1]);
      await index.archive(headAt(log, group));
    }
    const more = buildLog(singles(2), headAt(log, 3));
    await index.append(more.bytes);
    expect(await positions(index, { text: "inst" })).toEqual([6, 5, 4, 3, 2, 1]);
  });
}

/** What is pruned is gone, and the chain still knows where it stands. */
export function pruneCases(start: Start): void {
  const filled = async () => {
    const opened = await start();
    const log = buildLog([[entryOf(1), entryOf(2)], ...singles(3, 3)]);
    await opened.index.append(log.bytes);
    await opened.index.archive(headAt(log, 2));
    return { ...opened, log };
  };

  test("pruned groups are gone, for every search, also after a restart; the archive's head stays", async () => {
    const { index, reopen, log } = await filled();
    await index.prune(2);
    for (const query of [{}, { text: "netguard" }, { actor: "user_a" }, { from: 0 }]) {
      expect(await positions(index, query)).toEqual([5, 4, 3]);
    }
    await index.prune(4);
    expect(await index.archived()).toEqual(headAt(log, 2));
    expect(await index.groups(0, 10)).toEqual([]);
    expect(await positions(index, { text: "netguard" })).toEqual([5]);
    await index.close();
    const again = await reopen();
    expect(await again.archived()).toEqual(headAt(log, 2));
    expect(await again.indexed()).toBe(4);
    await again.archive(headAt(log, 2));
    await again.append(log.bytes);
    expect(await positions(again, {})).toEqual([5]);
    await again.archive(headAt(log, 3));
    expect((await again.groups(0, 10)).map(({ first }) => first)).toEqual([5]);
  });

  test("pruning what is pruned changes nothing", async () => {
    const { index } = await filled();
    await index.prune(3);
    await index.prune(3);
    await index.prune(2);
    await index.prune(0);
    expect(await positions(index, {})).toEqual([5, 4]);
  });

  test("a position inside a group, in the tail or beyond is refused and names the nearest ends", async () => {
    const { index } = await filled();
    await expect(index.prune(1)).rejects.toMatchObject({ code: "store.malformed", fields: { before: 0, after: 2 } });
    await expect(index.prune(5)).rejects.toMatchObject({ code: "store.malformed", fields: { before: 4 } });
    await expect(index.prune(50)).rejects.toMatchObject({ code: "store.malformed", fields: { before: 4 } });
    expect(await positions(index, {})).toEqual([5, 4, 3, 2, 1]);
  });
}

/** After a recovery that lost the archive, a new one begins where the log does. */
export function beginCases(start: Start): void {
  const head = { position: 100, link: "ab".repeat(32) };

  test("an empty index can begin behind a head, and goes on from there, also after a restart", async () => {
    const { index, reopen } = await start();
    await index.beginAt(head);
    expect(await index.archived()).toEqual(head);
    expect(await index.indexed()).toBe(100);
    const log = buildLog(singles(2), head);
    await index.append(log.bytes);
    await index.archive(headAt(log, 0));
    expect(await positions(index, { text: "netguard" })).toEqual([102, 101]);
    await index.close();
    const again = await reopen();
    expect(await again.archived()).toEqual(headAt(log, 0));
    expect(await positions(again, {})).toEqual([101]);
  });

  test("an index that holds anything cannot begin elsewhere", async () => {
    const { index } = await start();
    const log = buildLog(singles(1));
    await index.append(log.bytes);
    await expect(index.beginAt(head)).rejects.toThrow();
    await index.archive(headAt(log, 0));
    await expect(index.beginAt(head)).rejects.toThrow();
    expect(await index.archived()).toEqual(headAt(log, 0));
  });
}
