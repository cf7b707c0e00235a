import type { Json } from "@gatehouse/base";
import { fault } from "@gatehouse/contract";
import type { Artifact } from "@gatehouse/contract/routes";
import { type Operation, operation } from "@gatehouse/plan";
import { sayArrival } from "../artifacts/describe-artifact.ts";
import { sayArtifact } from "../artifacts/describe-facts.ts";
import { getNamedArtifact } from "../artifacts/find-artifact.ts";
import { getNamedRelease, type WantedHosts } from "../artifacts/find-release.ts";
import type { Connection } from "../server/connection.ts";
import { unexpected } from "../server/send-request.ts";
import type { ReadWish } from "./plan-wish.ts";
import { nameOperations, type WishedProgram, type WishedRelease } from "./wish-operations.ts";

/** What the server is asked to make a plan of. */
export type PlanWish =
  | { readonly plugin: string; readonly input: Json }
  | { readonly title: string; readonly summary: string; readonly operations: readonly Operation[] };

type Asked = Pick<Connection, "call" | "server">;

/** Looks up what was left open, and calls the plan after what it does where nobody has named it. */
export async function fillWish(connection: Asked, wish: ReadWish, hosts: WantedHosts): Promise<PlanWish> {
  if ("plugin" in wish) return wish;
  const filled: Operation[] = [];
  for (const one of wish.operations) {
    if ("artifact" in one) filled.push(await getProgram(connection, one));
    else filled.push("release" in one ? await getUpdate(connection, one, hosts) : one);
  }
  const unsaid = nameOperations(filled);
  return { title: wish.title ?? unsaid.title, summary: wish.summary ?? unsaid.summary, operations: filled };
}

/** The facts of an artifact are the operation's: hosts take a program with no others than those that were signed. */
async function getProgram(connection: Asked, { path, artifact: named }: WishedProgram): Promise<Operation> {
  const artifact = await getNamedArtifact(connection, named);
  checkProgram(artifact);
  const { name, version, architecture, sha256, size, publisher, signature } = artifact;
  const facts = { name, version, architecture, sha256, size, publisher, signature };
  return readTold(connection, artifact, { kind: "binary.replace", path, ...facts });
}

async function getUpdate(connection: Asked, { release }: WishedRelease, hosts: WantedHosts): Promise<Operation> {
  const artifact = await getNamedRelease(connection, release, hosts);
  checkRelease(artifact);
  const { version, architecture, sha256, size, signature } = artifact;
  return readTold(connection, artifact, { kind: "agent.update", version, architecture, sha256, size, signature });
}

function readTold({ server }: Asked, { id }: Artifact, told: object): Operation {
  const read = operation.safeParse(told);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const what = `${issue?.path.join(".") ?? ""} ${issue?.message ?? "is not as expected"}`;
  throw unexpected(server, `it has the artifact ${id} with facts that no plan takes: ${what}`);
}

function checkProgram(artifact: Artifact): void {
  const what = `${sayArtifact(artifact)} (${artifact.id})`;
  if (artifact.kind === "release") {
    throw fault(
      "plan.artifact",
      `expected a program, found ${what}, a release of the agent: it replaces no other file`,
    );
  }
  checkWhole(artifact);
}

function checkRelease(artifact: Artifact): void {
  if (artifact.kind === "binary") {
    const what = `${sayArtifact(artifact)} (${artifact.id})`;
    throw fault("plan.artifact", `expected a release of the agent, found ${what}, a program of a publisher`);
  }
  checkWhole(artifact);
}

function checkWhole(artifact: Artifact): void {
  if (artifact.state === "whole") return;
  const what = `${sayArtifact(artifact)} (${artifact.id})`;
  throw fault(
    "plan.artifact",
    `expected all of ${what}, found ${sayArrival(artifact)}: gatehouse artifact add FILE goes on`,
  );
}
