import { QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { forgetNoun, forgetPresence } from "./invalidation.ts";
import { queryClient } from "./query-client.ts";

/** Answers that come when they are told to; each says which reading it is. */
let answers: ((text: string) => void)[];
let shown: unknown;

function look(key: string): void {
  const observer = new QueryObserver(queryClient, {
    queryKey: [key],
    queryFn: () =>
      new Promise<string>((resolve) => {
        answers.push(resolve);
      }),
    retry: false,
  });
  stop = observer.subscribe(({ data }) => {
    shown = data;
  });
}
let stop: () => void;

async function answer(text: string): Promise<void> {
  answers.at(-1)?.(text);
  await vi.advanceTimersByTimeAsync(0);
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("window", globalThis);
  answers = [];
});

afterEach(() => {
  stop();
  queryClient.clear();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("what is read when a change comes", () => {
  test("is read again when it was read before", async () => {
    look("tokens");
    await answer("before");
    forgetNoun("token");
    await vi.advanceTimersByTimeAsync(10_000);
    expect(answers).toHaveLength(2);
    await answer("after");
    expect(shown).toBe("after");
  });

  test.each([
    ["for the first time", "tokens", () => forgetNoun("token")],
    ["as a long list, for the first time", "nodes", () => forgetNoun("node")],
  ])("is read again after its end when it is being read %s", async (_, key, forget) => {
    look(key);
    forget();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(answers).toHaveLength(1);
    await answer("before");
    expect([shown, answers.length]).toEqual(["before", 2]);
    await answer("after");
    await vi.advanceTimersByTimeAsync(60_000);
    expect([shown, answers.length]).toEqual(["after", 2]);
  });

  test.each([
    ...["audit", "node", "plan", "plugin", "settings", "store", "task", "token"].map(
      (noun) => [`something of the noun ${noun}`, () => forgetNoun(noun)] as const,
    ),
    ["a host that came or went", forgetPresence] as const,
  ])("is the overview, once, after %s", async (_, forget) => {
    look("overview");
    await answer("before");
    for (let n = 0; n < 20; n += 1) forget();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(answers).toHaveLength(2);
    await answer("after");
    expect(shown).toBe("after");
  });

  test("is read once more, not twice, when several changes come while a long list is being read", async () => {
    look("nodes");
    await answer("at first");
    forgetNoun("node");
    await vi.advanceTimersByTimeAsync(3_000);
    expect(answers).toHaveLength(2);
    for (let changes = 0; changes < 3; changes += 1) {
      forgetNoun("node");
      await vi.advanceTimersByTimeAsync(3_000);
    }
    expect(answers).toHaveLength(2);
    await answer("in between");
    expect(answers).toHaveLength(3);
    await answer("after");
    await vi.advanceTimersByTimeAsync(60_000);
    expect([shown, answers.length]).toEqual(["after", 3]);
  });

  test("is read once in two seconds while one host after the other refuses the log, and not begun anew", async () => {
    look("audit-witnesses");
    await answer("nobody refuses");
    for (let hosts = 0; hosts < 100; hosts += 1) {
      forgetNoun("witnessed");
      await vi.advanceTimersByTimeAsync(19);
    }
    expect(answers).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(200);
    expect(answers).toHaveLength(2);
    forgetNoun("witnessed");
    await vi.advanceTimersByTimeAsync(10_000);
    expect(answers).toHaveLength(2);
    await answer("one refuses");
    expect(answers).toHaveLength(3);
    await answer("all refuse");
    expect(shown).toBe("all refuse");
  });

  test("is begun anew at once when hosts come or go", async () => {
    look("nodes");
    await answer("before");
    forgetPresence();
    await vi.advanceTimersByTimeAsync(3_000);
    await answer("after");
    expect([shown, answers.length]).toEqual(["after", 2]);
  });
});
