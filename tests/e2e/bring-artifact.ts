import { createHash } from "node:crypto";
import type { Api } from "./api.ts";

export interface SampleProgram {
  readonly name: string;
  readonly version?: string;
  readonly architecture?: "x64" | "arm64";
  readonly publisher?: string;
}

export interface Announced {
  readonly id: string;
  readonly sha256: string;
}

/** An artifact of these bytes whose parts are still to come. Only hosts check the signature. */
export async function announceProgram(api: Pick<Api, "call">, program: SampleProgram, bytes: Uint8Array) {
  return announce(api, program, createHash("sha256").update(bytes).digest("hex"), bytes.byteLength);
}

/** One of a size that no test brings. */
export function announceLarge(api: Pick<Api, "call">, program: SampleProgram, size: number): Promise<Announced> {
  return announce(api, program, createHash("sha256").update(program.name).digest("hex"), size);
}

/** All of it, in the one part that few bytes have. */
export async function bringProgram(api: Pick<Api, "call">, program: SampleProgram): Promise<Announced> {
  const bytes = new TextEncoder().encode(JSON.stringify(program));
  const announced = await announceProgram(api, program, bytes);
  await bringPart(api, announced, bytes);
  return announced;
}

export interface SampleRelease {
  readonly version: string;
  readonly architecture?: "x64" | "arm64";
}

/** A release of the agent, all of it. */
export async function bringRelease(api: Pick<Api, "call">, release: SampleRelease): Promise<Announced> {
  const bytes = new TextEncoder().encode(`the agent ${JSON.stringify(release)}`);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const facts = { kind: "release", name: "gatehouse-agent", architecture: "x64", ...release };
  const announced = await announceFacts(api, facts, sha256, bytes.byteLength);
  await bringPart(api, announced, bytes);
  return announced;
}

export async function bringPart(api: Pick<Api, "call">, { id }: Announced, bytes: Uint8Array): Promise<void> {
  const { status, body } = await api.call("PUT", `/api/artifacts/${id}/parts/0`, bytes);
  if (status !== 200 || body["state"] !== "whole")
    throw new Error(`a part was answered ${status} ${JSON.stringify(body)}`);
}

function announce(api: Pick<Api, "call">, program: SampleProgram, sha256: string, size: number): Promise<Announced> {
  const unsaid = { kind: "binary", version: "2.8.4", architecture: "x64", publisher: "acme" };
  return announceFacts(api, { ...unsaid, ...program }, sha256, size);
}

async function announceFacts(
  api: Pick<Api, "call">,
  facts: { readonly name: string },
  sha256: string,
  size: number,
): Promise<Announced> {
  const { status, body } = await api.call("POST", "/api/artifacts", {
    ...facts,
    sha256,
    size,
    signature: { keyId: "0a1b2c3d".repeat(4), ed25519: `${"A".repeat(86)}==` },
  });
  if (status !== 201) throw new Error(`${facts.name} was answered ${status} ${JSON.stringify(body)}`);
  return { id: String(body["id"]), sha256 };
}

/** One of each look: long names, another architecture, and one that still arrives. */
export async function seedArtifacts(api: Pick<Api, "call">): Promise<void> {
  await bringProgram(api, { name: "caddy", version: "2.8.3" });
  await bringProgram(api, { name: "caddy" });
  await bringProgram(api, { name: "caddy", architecture: "arm64" });
  await bringProgram(api, {
    name: "a-name-as-long-as-names-of-programs-may-be-which-is-sixty-four-c",
    version: "10.20.30-rc.1",
    publisher: "a-publisher-with-a-rather-long-id-0",
  });
  await bringRelease(api, { version: "0.2.0" });
  await bringRelease(api, { version: "0.2.1" });
  await announceLarge(api, { name: "restic", version: "0.17.3" }, 70 * 1024 * 1024);
}
