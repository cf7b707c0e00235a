import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { webhookEventNames } from "@gatehouse/contract";
import type { Webhook } from "@gatehouse/contract/routes";
import { expect, onTestFinished, test } from "vitest";
import { attemptWords, parseWebhookEvents, readUrl, webhookState } from "./webhook-words.ts";

const topic = "webhook add";

test("events are named once, in the order of the table, or all of them", () => {
  expect(parseWebhookEvents(["node.offline", "alert.opened", "node.offline"], topic)).toEqual([
    "alert.opened",
    "node.offline",
  ]);
  expect(parseWebhookEvents(["all"], topic)).toEqual(webhookEventNames);
  for (const name of ["webhook.test", "toString", ""]) {
    expect(() => parseWebhookEvents([name], topic)).toThrow("there is no event");
  }
});

test("an address comes from the command line or from the first line of a file, never from both or neither", async () => {
  const directory = await mkdtemp(join(tmpdir(), "gatehouse-url-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const file = join(directory, "url.txt");
  await writeFile(file, " https://hooks.example/secret \nsomething else\n");
  expect(await readUrl({ "url-file": file }, topic)).toBe("https://hooks.example/secret");
  expect(await readUrl({ url: "https://hooks.example/" }, topic)).toBe("https://hooks.example/");
  await expect(readUrl({}, topic)).rejects.toThrow("either --url or --url-file");
  await expect(readUrl({ url: "x", "url-file": file }, topic)).rejects.toThrow("either --url or --url-file");
});

test("how a webhook is doing, and how an attempt ended, is said in a few words", () => {
  const webhook = { enabled: true, failing: null, waiting: 0 } as Webhook;
  const failing = { since: "2026-01-01T10:20:30.000Z", reason: "-" };
  expect(webhookState(webhook)).toBe("well");
  expect(webhookState({ ...webhook, failing, waiting: 3 })).toBe("failing since 2026-01-01T10:20Z, 3 waiting");
  expect(webhookState({ ...webhook, failing, enabled: false })).toBe("off");
  const attempt = { id: "1", event: "x", at: "-", attempt: 7, status: 500, error: "the receiver answered 500", ms: 1 };
  expect(attemptWords({ ...attempt, outcome: "given_up" })).toBe("the receiver answered 500; given up");
  expect(attemptWords({ ...attempt, outcome: "taken", status: 204, error: null })).toBe("answered 204");
});
