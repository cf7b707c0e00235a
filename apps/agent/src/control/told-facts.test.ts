import { expect, test } from "vitest";
import { fault } from "@gatehouse/contract/faults";
import type { AskHelper } from "../local/ask-helper.ts";
import { openToldFacts } from "./told-facts.ts";

test("connections that come while the helper is still asked have it asked once more, and not each for itself", async () => {
  const asked: { readonly verb: string; readonly end: (error: Error) => void }[] = [];
  const ask: AskHelper = (verb) => {
    const { promise, reject } = Promise.withResolvers<never>();
    asked.push({ verb, end: reject });
    return promise;
  };
  const lines: string[] = [];
  const facts = openToldFacts({
    ask,
    files: [],
    events: { ceiling: () => Promise.resolve() },
    tell: () => undefined,
    listLogs: () => undefined,
    log: (line) => void lines.push(line),
  });
  const first = facts.ask();
  await Promise.all([facts.ask(), facts.ask(), facts.ask()]);
  expect(asked.map(({ verb }) => verb)).toEqual(["ceiling"]);
  asked[0]?.end(fault("local.unavailable", "it is being ended"));
  await expect.poll(() => asked.length).toBe(2);
  asked[1]?.end(fault("local.unavailable", "it is being ended"));
  await first;
  const later = facts.ask();
  expect(asked).toHaveLength(3);
  asked[2]?.end(fault("local.unavailable", "it is being ended"));
  await later;
  expect(lines).toEqual(["the server was not told about this host: local.unavailable: it is being ended"]);
});
