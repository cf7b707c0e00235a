import { webhookEventNames } from "@gatehouse/contract";
import type { Webhook } from "@gatehouse/contract/routes";
import { expect, test } from "vitest";
import { answerWords, eventCount, eventWords, webhookMark } from "./webhook-words.ts";

const webhook: Webhook = {
  id: "webhook_1",
  name: "chat",
  url: "https://hooks.example.test/…",
  events: ["alert.opened"],
  enabled: true,
  failing: null,
  waiting: 0,
  lastAt: null,
  createdAt: "2026-01-01T00:00:00Z",
  createdBy: "usr_1",
};

test("a webhook that is off is said to be off, whatever else it was", () => {
  const failing = { since: "2026-01-01T00:00:00Z", reason: "the receiver answered 500" };
  expect(webhookMark(webhook).word).toBe("No notice yet");
  expect(webhookMark({ ...webhook, lastAt: "2026-01-01T00:00:00Z" }).word).toBe("Well");
  expect(webhookMark({ ...webhook, waiting: 2 }).word).toBe("Behind");
  expect(webhookMark({ ...webhook, failing, waiting: 2 }).word).toBe("Failing");
  expect(webhookMark({ ...webhook, failing, enabled: false }).word).toBe("Off");
});

test("events have words, also one of another version", () => {
  expect(eventWords("node.offline")).toBe("A node went offline");
  expect(eventWords("webhook.test")).toBe("Test");
  expect(eventWords("toString")).toBe("toString");
  expect(eventCount(webhook)).toBe("An alert opened");
  expect(eventCount({ events: ["alert.opened", "node.offline", "node.online"] })).toBe("An alert opened and 2 more");
  expect(eventCount({ events: [...webhookEventNames] })).toBe("everything");
});

test("an answer is its status or the reason why there was none", () => {
  expect(answerWords({ status: 204, error: null })).toBe("answered 204");
  expect(answerWords({ status: null, error: "the host could not be reached: ECONNREFUSED" })).toContain("ECONNREFUSED");
});
