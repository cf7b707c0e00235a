import { type AgentArchitecture, fault } from "@gatehouse/contract";
import type { AgentBinary } from "@gatehouse/contract/routes";
import type { AgentDigests } from "./built-digests.ts";

export interface DigestChoice {
  readonly arch: AgentArchitecture;
  readonly built: AgentDigests;
  /** What the server says that it serves. */
  readonly served: readonly AgentBinary[];
  /** By hand; it wins over what was built in. */
  readonly given: string | undefined;
  readonly trustsServer: boolean;
}

export interface ChosenDigest {
  readonly sha256: string;
  readonly from: "given" | "built-in" | "server";
}

/**
 * The digest that the line checks. It comes from outside the server, and the server has to serve exactly that: a server that was
 * taken over could serve another program, and would name its digest too.
 */
export function chooseDigest({ arch, built, served, given, trustsServer }: DigestChoice): ChosenDigest {
  const found = served.find((binary) => binary.arch === arch)?.sha256;
  if (found === undefined) throw fault("agent.not_built", `the server has no agent for ${arch}`);
  const expected = given ?? built[arch];
  if (expected === undefined) {
    if (trustsServer) return { sha256: found, from: "server" };
    throw fault("cli.digest_unknown", `no agent for ${arch} was built with this command line`);
  }
  if (found !== expected) {
    const whose = given === undefined ? "which this command line was built with" : "which --digest names";
    throw fault("cli.digest_differs", `expected ${expected}, ${whose}; the server serves ${found} for ${arch}`);
  }
  return { sha256: found, from: given === undefined ? "built-in" : "given" };
}

/** Whose word the digest is. */
export const digestWords: Readonly<Record<ChosenDigest["from"], string>> = {
  "built-in": "The digest is the one this command line was built with.",
  given: "The digest is the one that --digest names.",
  server: "The digest is the server's own word: a server that was taken over would name one that fits its own program.",
};
