import type { ControlFrame, FrameOf, SubjectState } from "@gatehouse/channel";
import type { Plan } from "@gatehouse/contract/routes";
import { expect } from "vitest";
import { PretendHost } from "../../../tests/support/pretend-host.ts";
import { type AuthServer, startAuthServer } from "./auth-server.ts";
import { connectPretend, enrolPretend, type PretendAgent } from "./pretend-agent.ts";
import type { Visitor } from "./visitor.ts";

export type Parts = Readonly<Record<string, SubjectState["state"]>>;
type Reply = (wanted: FrameOf<"want-state">, host: PretendHost) => readonly ControlFrame[];

export const nginx = { fragmentSha256: "a".repeat(64), enabled: "enabled" };
export const restart = {
  title: "Restart nginx",
  summary: "After the certificate was renewed.",
  operations: [{ kind: "service.restart", unit: "nginx.service" }],
};

export interface ManagedPretend {
  readonly host: PretendHost;
  readonly agent: PretendAgent;
  /** Every question that came. */
  readonly asked: FrameOf<"want-state">[];
  /** Resolves when it has been asked so often. */
  askedTimes(count: number): Promise<void>;
}

/** A host that is connected and says of itself what the test says. */
export async function managedPretend(
  server: AuthServer,
  owner: Visitor,
  { name = "web-1", says = {}, reply, features = ["state", "task"], tags = [] }: ManagedOptions = {},
): Promise<ManagedPretend> {
  const host = await enrolPretend(server, owner, new PretendHost(name), { tags });
  const agent = await connectPretend(server, host, undefined, features);
  const asked: FrameOf<"want-state">[] = [];
  const waiting: { count: number; met: () => void }[] = [];
  const askedTimes = (count: number) =>
    new Promise<void>((met) => {
      if (asked.length >= count) met();
      else waiting.push({ count, met });
    });
  const answer: Reply = reply ?? ((wanted, of) => of.states(wanted, says));
  agent.onFrame((sent) => {
    if (sent.t !== "want-state") return;
    asked.push(sent);
    for (const { count, met } of waiting) if (asked.length >= count) met();
    for (const frame of answer(sent, host)) agent.send(frame);
  });
  return { host, agent, asked, askedTimes };
}

export interface ManagedOptions {
  readonly name?: string;
  readonly says?: Parts;
  readonly reply?: Reply;
  readonly features?: readonly string[];
  readonly tags?: readonly string[];
}

export async function startPlanned(options: Parameters<typeof startAuthServer>[0] = {}) {
  const server = await startAuthServer({ withoutRates: true, ...options });
  return { server, owner: await server.visitor().signIn() };
}

/** What a refusal says besides its code. */
export type Refused = { readonly code?: string; readonly detail?: string };

export function askForPlan(by: Visitor, body: object, headers: Record<string, string> = {}) {
  return by.call<Plan & Refused>("POST", "/api/plans", { body, headers });
}

export async function madePlan(by: Visitor, body: object): Promise<Plan & { readonly tag: string }> {
  const made = await askForPlan(by, body);
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return { ...made.body, tag: made.headers.get("etag") ?? "" };
}
