import type { PlanSectionView } from "@gatehouse/contract/routes";
import type { Operation } from "@gatehouse/plan";
import { expect, test } from "vitest";
import { sampleHost, hosts, samplePlan } from "../../test/sample-plan.ts";
import { checkSection } from "./check-section.ts";

const { plan, document, views } = samplePlan();
const view = views[0] as PlanSectionView;
const host = hosts[0] as ReturnType<typeof sampleHost>;
const service = { subject: "service:nginx.service", state: { fragmentSha256: "f".repeat(64), enabled: "enabled" } };
const motd = { subject: "file:/etc/motd", state: null };

const tail: Operation = { kind: "log.tail", source: { from: "journal", unit: "nginx.service" }, lines: 10 };

const check = (change: Partial<PlanSectionView>) => checkSection(plan.id, document, { ...view, ...change });

test("a section is taken that stands in the plan and was made from what its host signed", () => {
  expect(check({})).toMatchObject({ host: { at: "2026-11-17T04:00:00.000Z" }, section: document.sections[0] });
});

test("a section that only reads needs nothing that its host signed", () => {
  const reads = { node: host.id, operations: [tail], preconditions: [] };
  const shown = { ...view, operations: [{ kind: "log.tail", words: [], diff: [] }], preconditions: [], states: null };
  expect(checkSection(plan.id, { ...document, sections: [reads] }, shown)).toMatchObject({ host: null });
});

test.each<[string, Partial<PlanSectionView>]>([
  ["of another place", { index: 1 }],
  ["of no place", { index: 2 }],
  ["for another node", { node: sampleHost("other", 9).id }],
  ["with an operation less", { operations: view.operations.slice(1) }],
  ["with an operation of another kind", { operations: view.operations.toReversed() }],
  ["with a state less", { preconditions: view.preconditions.slice(1) }],
  ["with another state", { preconditions: view.preconditions.map((one) => ({ ...one, state: "absent" })) }],
])("a section %s is not the plan's", (_, change) => {
  expect(() => check(change)).toThrow(expect.objectContaining({ code: "cli.plan_differs" }));
});

const stranger = sampleHost("stranger", 9);
const half = (text: string) => text.slice(0, text.length / 2);

test.each<[string, string | null, string]>([
  ["nothing at all", null, "shows nothing that the host has signed"],
  ["no base64url", "§", "no answer of a host"],
  ["half an answer", half(host.sign([motd, service])), "no answer of a host"],
  ["too much for any host", "A".repeat(2_000_000), "no answer of a host"],
  ["another host's answer", stranger.sign([motd, service]), "another host"],
  ["a stranger's answer in the host's name", stranger.sign([motd, service], { nodeId: host.id }), "another host"],
  ["a changed answer", changed(host.sign([motd, service])), "signature does not fit"],
  ["an answer that leaves a part out", host.sign([motd]), "has signed nothing for service:nginx.service"],
  ["an answer with a part twice", host.sign([motd, service, motd]), "two states for file:/etc/motd"],
  [
    "another state than the plan's",
    host.sign([motd, { ...service, state: { ...service.state, enabled: "disabled" } }]),
    "service:nginx.service was ",
  ],
  [
    "a file that was there",
    host.sign([{ ...motd, state: { sha256: "1".repeat(64) } }, service]),
    "file:/etc/motd was ",
  ],
  ["a part that is gone", host.sign([motd, { ...service, state: null }]), "service:nginx.service was absent"],
  ["a moment of no calendar", host.sign([motd, service], { at: 9e15 }), "no moment of a calendar"],
])("%s is refused by name", (_, states, why) => {
  expect(() => check({ states })).toThrow(
    expect.objectContaining({ code: "cli.host_states_differ", detail: expect.stringContaining(why) }),
  );
});

/** One bit of the signature, which is at the end. */
function changed(text: string): string {
  const bytes = Buffer.from(text, "base64url");
  bytes[bytes.length - 40] = (bytes.at(-40) ?? 0) ^ 1;
  return bytes.toString("base64url");
}
