import { createHash } from "node:crypto";
import { byteForm } from "@gatehouse/base";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parsePlan, parsePlanSection, readOwnSection, readPlanDraft, serialisePlan } from "./byte-form.ts";
import { findCapabilityGaps } from "./capability-needs.ts";
import {
  draftDigest,
  headerDigest,
  headerMessage,
  inputDigest,
  planDigest,
  planDigestOf,
  planMessage,
  sectionDigest,
  sectionMessage,
  stateDigest,
} from "./digest.ts";
import { anyDraft, anyFindState, anyPlan } from "./plan-cases.ts";
import {
  type FindState,
  finishPlan,
  type PlanDocument,
  planDocument,
  type PlanDraft,
  planDraft,
  subjectsOf,
} from "./plan-document.ts";

const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash("sha256").update(bytes).digest());
const utf8 = (text: string) => new TextEncoder().encode(text);
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

const node = (end: string) => `node_${"0".repeat(25)}${end}`;
const restart = (end: string, unit = "nginx.service") => ({
  node: node(end),
  operations: [{ kind: "service.restart" as const, unit }],
});
const absent: FindState = () => "absent";
const person = { from: "person" } as const;
const small = finishPlan(
  { title: "Restart nginx", summary: "After the certificate was renewed.", sections: [restart("2"), restart("1")] },
  person,
  absent,
);

describe("the byte form", () => {
  test("every plan is read back as itself", () => {
    fc.assert(
      fc.property(anyPlan, (plan) => {
        const bytes = serialisePlan(plan);
        expect(parsePlan(bytes)).toEqual({ ok: true, value: plan });
        const [section] = plan.sections;
        expect(parsePlanSection(byteForm(section))).toEqual({ ok: true, value: section });
      }),
      { numRuns: 500 },
    );
  });

  test("two different plans never have the same bytes, and equal ones always do", () => {
    fc.assert(
      fc.property(anyPlan, anyPlan, (one, other) => {
        expect(text(serialisePlan(one)) === text(serialisePlan(other))).toBe(
          JSON.stringify(one) === JSON.stringify(other),
        );
        const shuffled = reversedKeys(one) as PlanDocument;
        expect(text(serialisePlan(shuffled))).toBe(text(serialisePlan(one)));
      }),
      { numRuns: 300 },
    );
  });

  test("a changed byte gives another plan or none", () => {
    const bytes = serialisePlan(small);
    let others = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      for (const flip of [1, 2, 4, 32]) {
        const changed = Uint8Array.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ flip;
        const reading = parsePlan(changed);
        if (!reading.ok) continue;
        others += 1;
        expect(text(serialisePlan(reading.value))).toBe(text(changed));
        expect(planDigest(sha256, reading.value)).not.toBe(planDigest(sha256, small));
      }
    }
    expect(others).toBeGreaterThan(0);
  });

  test("another spelling of the same plan is refused", () => {
    const canonical = text(serialisePlan(small));
    const spellings = [
      canonical.trimEnd(),
      `${canonical}\n`,
      canonical.replaceAll("\n", "\r\n"),
      `${JSON.stringify(JSON.parse(canonical))}\n`,
      canonical.replace("nginx", "\\u006eginx"),
      canonical.replace('"schema": 1', '"schema": 1.0'),
      `\ufeff${canonical}`,
      canonical.replace('"title"', '"title": "x",\n    "title"'),
    ];
    for (const spelling of spellings) expect(parsePlan(utf8(spelling)).ok).toBe(false);
    expect(parsePlan(utf8(canonical)).ok).toBe(true);
    const [section] = small.sections;
    expect(parsePlanSection(utf8(JSON.stringify(section)))).toMatchObject({
      reason: expect.stringContaining("section"),
    });
    expect(parsePlanSection(byteForm({ ...section, more: 1 }))).toEqual({
      ok: false,
      reason: "/more: is no field here",
    });
  });

  test("a plan that is too large is refused before it is read", () => {
    expect(parsePlan(new Uint8Array(17 * 1024 * 1024))).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/larger/),
    });
  });
});

describe("digests", () => {
  test("every field changes the digest of the plan, and of its own part only", () => {
    fc.assert(
      fc.property(anyPlan, (plan) => {
        const before = planDigest(sha256, plan);
        const seen = new Set([before]);
        for (const changed of changes(plan as unknown as Json))
          seen.add(planDigest(sha256, changed as unknown as PlanDocument));
        // A change that was not seen, or two that look alike, would make the set smaller.
        expect(seen.size).toBe(
          new Set([plan, ...changes(plan as unknown as Json)].map((one) => JSON.stringify(one))).size,
        );
      }),
      { numRuns: 15 },
    );
  });

  test("an agent with its own section and the digests of the others finds the same digest", () => {
    fc.assert(
      fc.property(anyPlan, (plan) => {
        const digests = plan.sections.map((section) => sectionDigest(sha256, section));
        expect(planDigestOf(sha256, headerDigest(sha256, plan.header), digests)).toBe(planDigest(sha256, plan));
      }),
      { numRuns: 50 },
    );
  });

  test("sections cannot trade places, appear twice or be left out", () => {
    const [one = "", two = ""] = small.sections.map((section) => sectionDigest(sha256, section));
    const header = headerDigest(sha256, small.header);
    const lists = [[one, two], [two, one], [one], [two], [], [one, one, two], [one, two, two]];
    expect(new Set(lists.map((list) => planDigestOf(sha256, header, list))).size).toBe(lists.length);
    // A header's digest in the place of a section's, or a section's in the place of the header's, is something else too.
    expect(planDigestOf(sha256, one, [header, two])).not.toBe(planDigestOf(sha256, header, [one, two]));
  });

  test("the bytes are the documented ones", () => {
    const body =
      '{\n  "schema": 1,\n  "source": {\n    "from": "person"\n  },\n  "summary": "After the certificate was renewed.",\n  "title": "Restart nginx"\n}\n';
    const header = Buffer.concat([
      Buffer.from([0, 0, 0, 2, 0, 0, 0, 24]),
      Buffer.from("gatehouse-plan-header-v1"),
      Buffer.from([0, 0, 0, body.length]),
      Buffer.from(body),
    ]);
    expect(Buffer.from(headerMessage(small.header))).toEqual(header);
    const section = small.sections[0] ?? { ...restart("1"), preconditions: [] };
    expect(text(sectionMessage(section)).slice(8, 33)).toBe("gatehouse-plan-section-v1");
    const message = planMessage("00".repeat(32), ["ff".repeat(32)]);
    expect([...message.subarray(0, 8)]).toEqual([0, 0, 0, 3, 0, 0, 0, 17]);
    expect(message.length).toBe(4 + (4 + 17) + (4 + 32) + (4 + 32));
  });

  test("stay what they were: a published plan keeps its digest", () => {
    expect(planDigest(sha256, small)).toMatchInlineSnapshot(
      `"88c6f45754f37a1eec6f48d16b62def75b9cbe2af43b5a5c1b39198e8c421e59"`,
    );
  });

  test("a digest in another form is refused rather than understood", () => {
    expect(() => planMessage("AB".repeat(32), [])).toThrow(RangeError);
    expect(() => planMessage("00".repeat(32), ["00"])).toThrow(RangeError);
    expect(() => planDigest(() => new Uint8Array(20), small)).toThrow(RangeError);
  });

  test("an input is named by its value, not by how it was written down", () => {
    expect(inputDigest(sha256, { a: 1, b: [null] })).toBe(inputDigest(sha256, { b: [null], a: 1 }));
    expect(inputDigest(sha256, { a: 1 })).not.toBe(inputDigest(sha256, { a: 2 }));
    expect(() => inputDigest(sha256, 0.5)).toThrow(RangeError);
  });

  test("a state belongs to its subject", () => {
    const state = { rules: [] };
    expect(stateDigest(sha256, "firewall:gatehouse_a", state)).not.toBe(
      stateDigest(sha256, "firewall:gatehouse_b", state),
    );
  });
});

describe("drafts", () => {
  test("every draft becomes a document that is sorted, whatever the order of its sections", () => {
    fc.assert(
      fc.property(anyDraft, anyFindState, (draft, findState) => {
        const parsed = planDraft.parse(draft);
        const plan = finishPlan(parsed, person, findState);
        expect(planDocument.parse(plan)).toEqual(plan);
        const other = finishPlan({ ...parsed, sections: parsed.sections.toReversed() }, person, findState);
        expect(planDigest(sha256, other)).toBe(planDigest(sha256, plan));
      }),
      { numRuns: 100 },
    );
  });

  test("a document has, for every part that a draft replaces, what that part's host told, and nothing else", () => {
    fc.assert(
      fc.property(anyDraft, anyFindState, (draft, findState) => {
        for (const { node: id, operations, preconditions } of finishPlan(draft, person, findState).sections) {
          expect(preconditions).toEqual(
            subjectsOf(operations).map((subject) => ({ subject, state: findState(id, subject) })),
          );
        }
      }),
      { numRuns: 100 },
    );
    const plan = finishPlan({ title: "t", summary: "s", sections: [restart("1"), restart("2")] }, person, (id) =>
      id === node("1") ? "c0".repeat(32) : "absent",
    );
    expect(plan.sections.map(({ preconditions }) => preconditions)).toEqual([
      [{ subject: "service:nginx.service", state: "c0".repeat(32) }],
      [{ subject: "service:nginx.service", state: "absent" }],
    ]);
    expect(planDigest(sha256, plan)).not.toBe(planDigest(sha256, { ...plan, sections: small.sections }));
  });

  test("a part whose state nobody told makes no document", () => {
    const draft = { title: "t", summary: "s", sections: [restart("1"), restart("2", "b.service")] };
    const findState: FindState = (id) => (id === node("1") ? "absent" : undefined);
    expect(() => finishPlan(draft, person, findState)).toThrow(
      new RangeError(`nobody told the state of service:b.service on ${node("2")}`),
    );
  });

  test("the parts of operations are named once each and in order; what only reads has none", () => {
    const file = {
      kind: "file.write",
      path: "/etc/motd",
      text: "",
      mode: "0644",
      owner: "root",
      group: "root",
    } as const;
    const unit = { kind: "service.restart", unit: "a.service" } as const;
    const tail = { kind: "log.tail", source: { from: "journal", unit: "a.service" }, lines: 5 } as const;
    expect(subjectsOf([unit, file, tail, unit])).toEqual(["file:/etc/motd", "service:a.service"]);
    expect(subjectsOf([tail])).toEqual([]);
  });

  test("preconditions are not a draft's to say", () => {
    const preconditions = [{ subject: "service:nginx.service", state: "absent" }];
    expect(readPlanDraft({ title: "t", summary: "s", sections: [{ ...restart("1"), preconditions }] })).toEqual({
      ok: false,
      reason: "/sections/0/preconditions: is no field here",
    });
  });

  test("a document without the state it was made from is refused, and so is a state without an operation", () => {
    const [section] = small.sections;
    const withStates = (...preconditions: unknown[]) =>
      planDocument.safeParse({ ...small, sections: [{ ...section, preconditions }] }).error?.issues[0]?.message;
    const known = { subject: "service:nginx.service", state: "absent" };
    expect(withStates(known)).toBeUndefined();
    expect(withStates()).toBe("must have one for service:nginx.service");
    expect(withStates({ subject: "file:/etc/motd", state: "absent" }, known)).toBe(
      "must not have one for file:/etc/motd",
    );
    expect(withStates(known, known)).toBe("must not name a subject twice");
  });

  test("a draft is named by what it says: the same answer has the same digest, another one has another", () => {
    const draft = { title: "t", summary: "s", sections: [restart("1"), restart("2")] };
    const same = reversedKeys(draft) as PlanDraft;
    expect(draftDigest(sha256, same)).toBe(draftDigest(sha256, draft));
    expect(draftDigest(sha256, { ...draft, sections: draft.sections.toReversed() })).not.toBe(
      draftDigest(sha256, draft),
    );
    fc.assert(
      fc.property(anyDraft, anyDraft, (one, other) => {
        expect(draftDigest(sha256, one) === draftDigest(sha256, other)).toBe(
          JSON.stringify(one) === JSON.stringify(other),
        );
        expect(draftDigest(sha256, one)).not.toBe(inputDigest(sha256, one));
      }),
      { numRuns: 50 },
    );
  });

  test("a host reads the header and its own section as strictly as the whole document", () => {
    const [section] = small.sections;
    expect(readOwnSection(small.header, section)).toEqual({ ok: true, value: { header: small.header, section } });
    expect(readOwnSection({ ...small.header, schema: 3 }, section)).toMatchObject({ ok: false });
    expect(readOwnSection(small.header, { ...section, preconditions: [] })).toEqual({
      ok: false,
      reason: "/sections/0/preconditions: must have one for service:nginx.service",
    });
  });

  test("two sections for one node, unknown fields and unknown kinds are refused by name", () => {
    const draft = { title: "t", summary: "s", sections: [restart("1")] };
    expect(readPlanDraft({ ...draft, sections: [restart("1"), restart("1", "b.service")] }).ok).toBe(false);
    expect(readPlanDraft({ ...draft, script: "rm" })).toEqual({ ok: false, reason: "/script: is no field here" });
    const shell = { ...restart("1"), operations: [{ kind: "shell.run", command: "id" }] };
    expect(readPlanDraft({ ...draft, sections: [shell] })).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/^\/sections\/0\/operations\/0\/kind: /),
    });
    expect(readPlanDraft({ ...draft, "\u001b]0;x\u0007": 1 })).toEqual({
      ok: false,
      reason: "/??0?x?: is no field here",
    });
  });

  test("a plugin's plan holds only what its manifest declares", () => {
    const draft = planDraft.parse({
      title: "t",
      summary: "s",
      sections: [
        {
          ...restart("1"),
          operations: [
            ...restart("1").operations,
            { kind: "log.tail", source: { from: "journal", unit: "a.service" }, lines: 5 },
          ],
        },
      ],
    });
    expect(findCapabilityGaps(draft, ["host:service"])).toEqual([{ kind: "log.tail", capability: null }]);
    expect(findCapabilityGaps(draft, ["host:firewall"])).toEqual([
      { kind: "service.restart", capability: "host:service" },
      { kind: "log.tail", capability: null },
    ]);
  });
});

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Every document that differs from this one in one place: another leaf, a member less, a member more, two items swapped. */
function* changes(value: Json): Generator<Json> {
  if (typeof value === "string") yield `${value}x`;
  else if (typeof value === "number") yield value + 1;
  else if (typeof value === "boolean") yield !value;
  else if (value === null) yield "null";
  else if (Array.isArray(value)) {
    yield [...value, "x"];
    for (const [index, item] of value.entries()) {
      yield value.toSpliced(index, 1);
      for (const changed of changes(item)) yield value.with(index, changed);
    }
    if (value.length > 1) yield value.toReversed();
  } else {
    // The two parts of the document itself are its frame, not fields.
    const isFrame = "header" in value && "sections" in value;
    if (!isFrame) yield { ...value, extra: 1 };
    for (const [key, member] of Object.entries(value)) {
      if (!isFrame) yield Object.fromEntries(Object.entries(value).filter(([other]) => other !== key));
      for (const changed of changes(member)) if (!isFrame || isPart(changed)) yield { ...value, [key]: changed };
    }
  }
}

/** Sections stay a list of objects: what is tested is fields, not types that no document can have. */
function isPart(value: Json): boolean {
  return !Array.isArray(value) || value.every((item) => typeof item === "object");
}

function reversedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversedKeys);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, member]) => [key, reversedKeys(member)]),
  );
}

test("a text of millions of characters is refused like any that is too long, not by a stack that overflows", () => {
  const written = { kind: "file.write", path: "/etc/a", mode: "0644", owner: "root", group: "root" };
  const section = { node: "node_zjq786fqc9hjs4qb1wefsk24q0", preconditions: [] };
  const reading = readOwnSection(small.header, {
    ...section,
    operations: [{ ...written, text: "a".repeat(16_000_000) }],
  });
  expect(reading).toEqual({
    ok: false,
    reason: "/sections/0/operations/0/text: Too big: expected string to have <=65536 characters",
  });
});
