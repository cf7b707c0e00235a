import type { HostLogLine } from "@gatehouse/contract/routes";
import { expect, test } from "vitest";
import { followLogs, type FollowNews, followPace, type FollowQuestion } from "./follow-logs.ts";
import { sampleLines } from "./sample-line.ts";

const refusal = new Error("no right");
const silence = new Error("no answer");
const ended = new Error("nobody follows");

/** Up to where the server has looked when it finds nothing. */
const lookedAt = "25";

/** Follows through so many pauses; what is answered is said question by question. */
async function follow(answers: readonly (readonly HostLogLine[] | Error)[], pauses: number, newest?: string) {
  const asked: FollowQuestion[] = [];
  const told: FollowNews[] = [];
  const waited: number[] = [];
  const end = followLogs(newest, {
    read: (question) => {
      const items = answers[asked.length] ?? [];
      asked.push(question);
      if (items instanceof Error) return Promise.reject(items);
      return Promise.resolve({ items, position: items[0]?.id ?? question.after ?? lookedAt });
    },
    wait: (ms) => {
      waited.push(ms);
      return waited.length < pauses ? Promise.resolve() : Promise.reject(ended);
    },
    tell: (news) => told.push(news),
    mayPass: (error) => error === silence,
  });
  const error = await end.catch((reason: unknown) => reason);
  const kinds = told.map((news) => (news.kind === "late" ? "late" : `${news.kind} ${news.items.length}`));
  return { asked, kinds, waited, error };
}

const { everyMs, lateMs, firstLines, pageLines, pagesAtOnce } = followPace;

test("it begins with the newest, and asks for what is behind them", async () => {
  const run = await follow([sampleLines(30, 20), sampleLines(33, 3), []], 3);
  expect(run.asked).toEqual([
    { limit: firstLines },
    { after: "30", limit: pageLines },
    { after: "33", limit: pageLines },
  ]);
  expect(run).toMatchObject({
    kinds: ["began 20", "came 3", "came 0"],
    waited: [everyMs, everyMs, everyMs],
    error: ended,
  });
});

test("where nothing matches, it goes on behind what was looked at, and not from the beginning", async () => {
  expect((await follow([[], []], 2)).asked[1]).toEqual({ after: lookedAt, limit: pageLines });
});

test("after a pause it goes on where it was", async () => {
  expect((await follow([[]], 1, "17")).asked).toEqual([{ after: "17", limit: pageLines }]);
});

test("a full answer is followed by the next question at once", async () => {
  const run = await follow([sampleLines(pageLines, pageLines), sampleLines(pageLines + 1, 1)], 1, "0");
  expect(run.waited).toEqual([everyMs]);
  expect(run.asked.map(({ after }) => after)).toEqual(["0", String(pageLines)]);
});

test("where hosts write more than is read, it goes on with the newest and says so", async () => {
  const pages = Array.from({ length: pagesAtOnce }, (_, at) => sampleLines((at + 1) * pageLines, pageLines));
  const run = await follow([...pages, sampleLines(90_000, pageLines)], 2, "0");
  expect(run.kinds.slice(0, -1)).toEqual([...pages.map(() => `came ${pageLines}`), `skipped ${pageLines}`]);
  expect(run.asked.at(-1)?.after).toBe("90000");
});

test("nothing is called skipped where the newest are those that follow", async () => {
  const pages = Array.from({ length: pagesAtOnce + 1 }, (_, at) => sampleLines((at + 1) * pageLines, pageLines));
  expect((await follow(pages, 1, "0")).kinds.at(-1)).toBe(`came ${pageLines}`);
});

test("an answer that does not come is asked for again, later; a refusal ends it", async () => {
  const late = await follow([sampleLines(3, 3), silence, sampleLines(4, 1)], 3);
  expect(late).toMatchObject({ kinds: ["began 3", "late", "came 1"], waited: [everyMs, lateMs, everyMs] });
  expect(late.asked[2]?.after).toBe("3");
  expect(await follow([refusal], 3)).toMatchObject({ error: refusal, waited: [] });
});
