import type { JsonObject } from "@gatehouse/base";
import { webhookEventNames } from "@gatehouse/contract";
import type { AuditRecord } from "@gatehouse/store";
import { describe, expect, test } from "vitest";
import { deliveryLimits } from "./limits.ts";
import { makeNotice, makeTestNotice } from "./make-notice.ts";
import { sayHosts, sayPlainly } from "./say-plainly.ts";

const at = Date.UTC(2026, 0, 1);
const entryOf = (action: string, detail: JsonObject, subject = "alert-rule/rule_1"): AuditRecord => ({
  position: 7,
  at,
  actor: "system",
  action,
  subject,
  detail,
});
const alertOf = (name: string, more: JsonObject = {}) => ({
  id: `alert_${name}`,
  node: `node_${name}`,
  name,
  value: 97.5,
  silenced: false,
  ...more,
});
const opened = (kind: string, ...alerts: JsonObject[]) =>
  entryOf("alert.opened", { rule: "rule_1", name: "busy", kind, condition: "cpu above 90 % for 5 min", alerts });
const every = webhookEventNames;

describe("alerts", () => {
  test("an alert that opens is told with its rule and its nodes", () => {
    const notice = makeNotice(opened("metric", alertOf("web-1"), alertOf("web-2")), every);
    expect(notice).toMatchObject({
      id: "7",
      position: 7,
      event: "alert.opened",
      at,
      text: 'Alert "busy" on web-1 and web-2: cpu above 90 % for 5 min.',
      facts: {
        rule: { id: "rule_1", name: "busy", kind: "metric" },
        alerts: [{ id: "alert_web-1", node: { id: "node_web-1", name: "web-1" }, value: 97.5 }, {}],
        moreAlerts: 0,
      },
    });
  });

  test("an offline node is told under its own name where that was asked for, and as an alert otherwise, never twice", () => {
    const entry = opened("offline", alertOf("web-1", { value: null }));
    expect(makeNotice(entry, every)).toMatchObject({ event: "node.offline", text: "web-1 is offline." });
    expect(makeNotice(entry, ["alert.opened"])?.event).toBe("alert.opened");
    expect(makeNotice(entry, ["alert.recovered", "node.online"])).toBeUndefined();
    const back = { ...entry, action: "alert.recovered" };
    expect(makeNotice(back, every)).toMatchObject({ event: "node.online", text: "web-1 is back." });
    expect(makeNotice(back, ["alert.recovered"])?.event).toBe("alert.recovered");
  });

  test("what is silenced is left out, and where everything is there is no notice", () => {
    const mixed = makeNotice(opened("metric", alertOf("web-1", { silenced: true }), alertOf("web-2")), every);
    expect(JSON.stringify(mixed)).not.toContain("web-1");
    expect(makeNotice(opened("metric", alertOf("web-1", { silenced: true })), every)).toBeUndefined();
    expect(makeNotice(opened("metric"), every)).toBeUndefined();
  });

  test("of many nodes a bounded part is named, and the rest counted", () => {
    const many = Array.from({ length: 150 }, (_, n) => alertOf(`web-${n}`));
    const facts = makeNotice(opened("metric", ...many), every)?.facts;
    expect(facts?.["alerts"]).toHaveLength(deliveryLimits.shownHosts);
    expect(facts?.["moreAlerts"]).toBe(50);
  });

  test("a detail of another form is told as far as it goes, and breaks nothing", () => {
    const odd: Record<string, JsonObject> = {
      strings: { alerts: "none" },
      nulls: { alerts: [null, 1, "x", []] },
      numbers: { alerts: [{ name: 4, node: {}, since: 1e300 }], name: [], kind: null },
    };
    for (const detail of Object.values(odd)) {
      for (const action of ["alert.opened", "alert.recovered", "task.ended", "plugin.rejected", "audit.check_failed"]) {
        expect(() => makeNotice(entryOf(action, detail), every), action).not.toThrow();
      }
    }
    expect(makeNotice({ position: 1, at, actor: "x", action: "alert.opened", subject: "y" }, every)).toBeUndefined();
  });
});

describe("everything else", () => {
  test("a plan that waits, a change that was taken back, a rejected plugin, a broken chain", () => {
    const plan = { title: "open 443", digest: "d" };
    const told = [
      entryOf("plan.offered", { ...plan, from: "draft" }, "plan/plan_1"),
      entryOf("plan.created", { ...plan, state: "in_review" }, "plan/plan_1"),
      entryOf("task.ended", { plan: "plan_1", name: "web-1", state: "rolled_back", code: "x", detail: "y" }, "node/n"),
      entryOf("task.ended", { plan: "plan_1", name: "web-1", state: "failed_after_change" }, "node/n"),
      entryOf("plugin.rejected", { rejections: [{ name: "acme", code: "bundle.unsigned", detail: "-" }], more: 0 }),
      entryOf("audit.check_failed", { file: "logs.db", position: 4, expected: "a", found: "b" }),
    ].map((entry) => makeNotice(entry, every));
    expect(told.map((notice) => [notice?.event, notice?.text])).toEqual([
      ["plan.waiting", 'The plan "open 443" waits for approval.'],
      ["plan.waiting", 'The plan "open 443" waits for approval.'],
      ["plan.rolled_back", "web-1 took a change back."],
      ["plan.rolled_back", "web-1 was changed and is not wholly restored: look at it now."],
      ["plugin.rejected", "The server found plugins that it rejects: acme (bundle.unsigned)."],
      ["chain.broken", "The audit log was found damaged or edited: logs.db, position 4."],
    ]);
    expect(told[0]?.facts).toEqual({ plan: { id: "plan_1", title: "open 443", digest: "d" } });
    expect(told[2]?.facts).toMatchObject({ plan: { id: "plan_1" }, node: { id: "n", name: "web-1" }, code: "x" });
  });

  test("what is no news has no notice", () => {
    const quiet = [
      entryOf("plan.created", { title: "x", state: "draft" }),
      entryOf("task.ended", { name: "web-1", state: "applied" }),
      entryOf("task.ended", { name: "web-1", state: "constructor" }),
      entryOf("plugin.rejected", { rejections: [], more: 0 }),
      entryOf("webhook.failing", { name: "x" }),
      entryOf("toString", {}),
      entryOf("__proto__", {}),
    ];
    for (const entry of quiet) expect(makeNotice(entry, every), entry.action).toBeUndefined();
  });

  test("a sentence calls nobody and hides nothing, whatever the names in it hold", () => {
    expect(sayPlainly("<!channel> @everyone `rm`\n\u202egnp")).toBe("‹!channel› ＠everyone 'rm'  gnp");
    expect(sayPlainly("x".repeat(1_000)).length).toBe(deliveryLimits.textCharacters + 1);
    expect(makeTestNotice("test_1", "<!here>", at).text).not.toContain("<");
    expect([sayHosts(["a"]), sayHosts(["a", "b", "c"]), sayHosts(["a", "b", "c", "d"])]).toEqual([
      "a",
      "a, b and c",
      "a, b and 2 more",
    ]);
  });
});
