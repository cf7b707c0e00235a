import { expect, test } from "vitest";
import type { AuditQuery, LoggedEntry } from "../port.ts";
import { buildLog, entryOf, headAt, positions, type Start, singles } from "./sample-logs.ts";

/** Every field, alone and together, wherever the entries lie. */
export function searchCases(start: Start): void {
  const entries: readonly LoggedEntry[] = [
    entryOf(100, { actor: "user_a", outcome: "done", requestId: "req_77x" }),
    entryOf(200, { actor: "user_b", action: "plugin.disabled", address: "10.0.0.7" }),
    entryOf(300, { actor: "user_a", action: "plug.in", subject: "node/1" }),
    entryOf(250, { actor: "system", action: "plugin.history.kept", subject: "node/2", outcome: "failed" }),
    entryOf(400, { actor: "user_b", action: "plan.approved", subject: "node/1", detail: { by: [{ n: 4711 }, "Zoë"] } }),
    entryOf(500, { action: "plugin/installed", detail: { reason: "Überprüfung café", ok: true, none: null } }),
  ];
  const queries: readonly (readonly [string, Omit<AuditQuery, "limit">, readonly number[]])[] = [
    ["nothing in particular, newest first", {}, [6, 5, 4, 3, 2, 1]],
    ["oldest first", { order: "oldest" }, [1, 2, 3, 4, 5, 6]],
    ["an actor", { actor: "user_b" }, [5, 2]],
    ["an actor, not a part of its name", { actor: "user_" }, []],
    ["an action", { action: "plugin.disabled" }, [2]],
    ["all actions of a noun", { action: "plugin." }, [4, 2, 1]],
    ["all actions of a longer noun", { action: "plugin.history.", order: "oldest" }, [4]],
    ["a noun without its dot is an action like others", { action: "plugin" }, []],
    ["a subject", { subject: "node/1" }, [5, 3]],
    ["from a time on", { from: 300 }, [6, 5, 3]],
    ["before a time", { to: 300 }, [4, 2, 1]],
    ["times out of order", { from: 200, to: 300 }, [4, 2]],
    ["no time at all", { from: 300, to: 300 }, []],
    ["actor and subject", { actor: "user_b", subject: "node/1" }, [5]],
    ["actor and noun", { actor: "user_b", action: "plugin." }, [2]],
    ["noun and time", { action: "plugin.", from: 150 }, [4, 2]],
    [
      "everything at once",
      { actor: "user_b", subject: "node/1", action: "plan.", from: 400, to: 401, text: "zo" },
      [5],
    ],
    ["a word of the actor", { text: "system" }, [4]],
    ["the beginning of a word", { text: "netg" }, [6, 2, 1]],
    ["not the middle of a word", { text: "guard" }, []],
    ["every word, in any order", { text: "disabled NETGUARD 10" }, [2]],
    ["words that no entry has together", { text: "disabled system" }, []],
    ["an outcome", { text: "failed" }, [4]],
    ["a request id with its punctuation", { text: "req_77" }, [1]],
    ["a number inside the detail", { text: "471" }, [5]],
    ["a text deep inside the detail", { text: "zoë" }, [5]],
    ["accents count", { text: "cafe" }, []],
    ["accents written in two characters", { text: "CAFE\u0301" }, [6]],
    ["capital letters beyond English", { text: "ÜBERPRÜ" }, [6]],
    ["keys are not text", { text: "reason" }, []],
    ["truth values are not text", { text: "true" }, []],
    ["a text without words asks for nothing", { text: " -- " }, [6, 5, 4, 3, 2, 1]],
    ["quotes and operators mean nothing", { text: '"netguard" OR* (NEAR' }, []],
    ["words and time", { text: "plugin", from: 200, to: 301 }, [4, 2]],
  ];
  for (const archivedGroups of [0, 2, 3]) {
    test(`search finds by field, time and words, with ${archivedGroups * 2} of 6 entries archived`, async () => {
      const { index } = await start();
      const log = buildLog([entries.slice(0, 2), entries.slice(2, 4), entries.slice(4)]);
      await index.append(log.bytes);
      if (archivedGroups > 0) await index.archive(headAt(log, archivedGroups - 1));
      for (const [what, query, expected] of queries) {
        expect(await positions(index, query), what).toEqual(expected);
      }
    });
  }

  test("thousands of entries whose times jump about are found by time and by word, archived, in the tail and pruned", async () => {
    const { index } = await start();
    // The clock was set back by hours, again and again: every span of positions holds other times.
    const atOf = (position: number) => ((position * 7_919) % 600) * 10 + Math.floor(position / 1_000);
    const made = Array.from({ length: 6_000 }, (_, offset) =>
      entryOf(atOf(offset + 1), { requestId: `req_${offset + 1}` }),
    );
    const log = buildLog([made.slice(0, 1_500), made.slice(1_500, 2_600), made.slice(2_600)]);
    const expected = (above: number, from: number, to: number) =>
      made.flatMap(({ at }, offset) => (offset >= above && at >= from && at < to ? [offset + 1] : [])).reverse();
    const check = async (above: number) => {
      for (const [from, to] of [
        [0, 35],
        [2_000, 2_030],
        [5_990, 9_999],
        [9_999, 99_999],
      ] as const) {
        expect(await positions(index, { from, to, limit: 1_000 })).toEqual(expected(above, from, to));
      }
      expect(await positions(index, { text: "req 5999" })).toEqual([5_999]);
      expect(await positions(index, { text: "req 1501" })).toEqual([1_501]);
    };
    await index.append(log.bytes);
    await check(0);
    await index.archive(headAt(log, 1));
    await check(0);
    await index.prune(1_500);
    await check(1_500);
    await index.archive(headAt(log, 2));
    await check(1_500);
  });

  test("too many words are refused by number", async () => {
    const { index } = await start();
    const text = Array.from({ length: 40 }, (_, word) => `word${word + 10}`).join(" ");
    await expect(index.search({ text, limit: 1 })).rejects.toMatchObject({ code: "request.malformed" });
  });
}

/** Pages put together are the whole. */
export function pagingCases(start: Start): void {
  const entries = Array.from({ length: 30 }, (_, at) => [
    entryOf(at, { actor: `user_${at % 2}`, action: at % 3 === 0 ? "plan.approved" : "plan.applied" }),
  ]);
  const queries: readonly Omit<AuditQuery, "limit">[] = [
    {},
    { actor: "user_1" },
    { action: "plan." },
    { text: "appr" },
    { from: 5, to: 25 },
  ];
  for (const order of ["newest", "oldest"] as const) {
    test(`pages, ${order} first, neither repeat nor skip, also where archive and tail meet`, async () => {
      const { index } = await start();
      const log = buildLog(entries);
      await index.append(log.bytes);
      await index.archive(headAt(log, 16));
      for (const query of queries) {
        const whole = await positions(index, { ...query, order });
        for (const limit of [1, 4, 7, whole.length]) {
          const paged: number[] = [];
          let after: number | undefined;
          do {
            const page = await index.search({ ...query, order, limit, ...(after === undefined ? {} : { after }) });
            paged.push(...page.items.map(({ position }) => position));
            expect(page.items.length).toBeLessThanOrEqual(limit);
            after = page.next;
          } while (after !== undefined);
          expect(paged).toEqual(whole);
        }
      }
    });
  }

  test("a page that takes exactly the rest has no next", async () => {
    const { index } = await start();
    await index.append(buildLog(singles(3)).bytes);
    expect((await index.search({ limit: 3 })).next).toBeUndefined();
    expect((await index.search({ limit: 2 })).next).toBe(2);
  });

  test("limits are clamped to 1 and 1,000", async () => {
    const { index } = await start();
    await index.append(buildLog([Array.from({ length: 1_100 }, (_, at) => entryOf(at))]).bytes);
    expect((await index.search({ limit: 5_000 })).items.length).toBe(1_000);
    expect((await index.search({ limit: 5_000 })).next).toBe(101);
    expect((await index.search({ limit: 0 })).items.length).toBe(1);
  });
}
