import { count, shortTime } from "@gatehouse/command-line";
import type { Artifact } from "@gatehouse/contract/routes";
import { lastDigits } from "../nodes/say-node.ts";
import { fieldLine } from "../plugins/field-lines.ts";
import { sayArtifact } from "./describe-facts.ts";
import { partCount } from "./artifact-parts.ts";

/** Everything that a server knows of an artifact. */
export function artifactLines(artifact: Artifact): string[] {
  const { id, kind, publisher, size, sha256, signature, createdAt, by, wholeAt } = artifact;
  return [
    `${sayArtifact(artifact)}: ${sayArrival(artifact)}`,
    fieldLine("id", id),
    fieldLine("kind", kind === "binary" ? `a program of ${publisher ?? "nobody"}` : "a release of the agent"),
    fieldLine("size", count(size, "byte")),
    fieldLine("sha256", sha256),
    fieldLine("key", `${signature.keyId}, as its facts say; hosts check the signature`),
    fieldLine("announced", `${shortTime(createdAt)} by ${by}`),
    ...(wholeAt === undefined ? [] : [fieldLine("whole", `since ${shortTime(wholeAt)}`)]),
  ];
}

export const artifactHead = ["name", "version", "for", "size", "publisher", "state", "digits", "announced"] as const;

/** The same in a row under the head. */
export function artifactRow(artifact: Artifact): string[] {
  const { id, kind, name, version, architecture, size, publisher, createdAt } = artifact;
  const whose = kind === "release" ? "(release)" : (publisher ?? "-");
  return [
    name,
    version,
    architecture,
    sayBytes(size),
    whose,
    sayArrival(artifact),
    lastDigits(id),
    shortTime(createdAt),
  ];
}

export function sayArrival(artifact: Artifact): string {
  if (artifact.state === "whole") return "whole";
  return `${artifact.parts.length} of ${count(partCount(artifact), "part")}`;
}

/** As long as a reader needs it. */
export function sayBytes(bytes: number): string {
  const mebibyte = 1024 * 1024;
  return bytes < mebibyte ? count(bytes, "byte") : `${(bytes / mebibyte).toFixed(1)} MiB`;
}
