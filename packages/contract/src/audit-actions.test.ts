import { describe, expect, test } from "vitest";
import { type AuditEntry, type AuditNoun, auditActionNames } from "./audit-actions.ts";

const facts = { at: 1, actor: "usr_1", subject: "token/t" };
const revoked = { userId: "usr_1", name: "deploy", ended: ["t"] };

test("the table is in the order of its words, noun first", () => {
  expect([...auditActionNames].sort()).toEqual([...auditActionNames]);
  for (const action of auditActionNames) expect(action).toMatch(/^[a-z]+\.[a-z]+(_[a-z]+)*$/);
});

/** These are held by the compiler: a line that it would let through is an error of `tsc`. */
describe("what is written into the log is held to the table", () => {
  test("an action has the detail of its row", () => {
    const entry: AuditEntry = { ...facts, action: "token.revoked", detail: revoked };
    if (entry.action === "token.revoked") expect(entry.detail.name).toBe("deploy");
  });

  test("an action without a row does not compile", () => {
    // @ts-expect-error -- there is no such row
    const entry: AuditEntry = { ...facts, action: "token.borrowed", detail: revoked };
    expect(auditActionNames).not.toContain(entry.action);
  });

  test("a detail that is missing, of another row, of another type or longer than its row does not compile", () => {
    const entries: AuditEntry[] = [
      // @ts-expect-error -- without a detail
      { ...facts, action: "token.revoked" },
      // @ts-expect-error -- the detail of another action
      { ...facts, action: "token.revoked", detail: { server: "key" } },
      // @ts-expect-error -- a number for a name
      { ...facts, action: "token.revoked", detail: { ...revoked, name: 7 } },
      // @ts-expect-error -- a field that the row does not have
      { ...facts, action: "token.revoked", detail: { ...revoked, secret: "gth_…" } },
    ];
    expect(entries).toHaveLength(4);
  });

  test("an action that is any text does not compile, nor does a detail beside two actions that fits only one", () => {
    const text: string = "token.revoked";
    const either = "token.revoked" as "token.revoked" | "witness.key_made";
    const entries: AuditEntry[] = [
      // @ts-expect-error -- any text
      { ...facts, action: text, detail: revoked },
      // @ts-expect-error -- right for the first, wrong for the second
      { ...facts, action: either, detail: revoked },
    ];
    expect(entries).toHaveLength(2);
  });

  test("a noun is what an action begins with", () => {
    const noun: AuditNoun = "token";
    // @ts-expect-error -- no action begins with it
    const other: AuditNoun = "revoked";
    expect(auditActionNames.filter((action) => action.startsWith(`${noun}.`))).not.toEqual([]);
    expect(auditActionNames.filter((action) => action.startsWith(`${other}.`))).toEqual([]);
  });
});
