import { createHash } from "node:crypto";
import { nodeWords } from "@gatehouse/channel";
import { shortTime } from "@gatehouse/command-line";
import type { Node } from "@gatehouse/contract/routes";
import { fieldLine, listOr } from "../plugins/field-lines.ts";
import { lastDigits, sayClock, sayPlace, saySeen, sayState } from "./say-node.ts";

/** Everything that is known of a node, for people. */
export function nodeLines(node: Node, now: number): string[] {
  const { id, name, tags, notes, address, rival, hostKey } = node;
  return [
    `${name} (${lastDigits(id)}): ${sayState(node, now)}`,
    ...rivalLines(rival),
    fieldLine("id", id),
    fieldLine("compare", `${lastDigits(id)}, ${nodeWords(sha256, id).join(" ")}`),
    fieldLine("host key", hostKey),
    fieldLine("tags", listOr(tags, "none")),
    ...(node.place === null ? [] : [fieldLine("place", sayPlace(node.place))]),
    ...(notes === "" ? [] : [fieldLine("notes", notes)]),
    fieldLine("seen", `${saySeen(node.lastSeenAt, now)}${address === null ? "" : `, from ${address}`}`),
    ...(node.drift === null ? [] : [fieldLine("differs", sayDrift(node.drift))]),
    fieldLine("clock", sayClock(node.clockSkewMs)),
    ...factLines(node),
    fieldLine("enrolled", `${shortTime(node.enrolledAt)} by ${node.enrolledBy}`),
    ...(node.revokedAt === null ? [] : [fieldLine("revoked", shortTime(node.revokedAt))]),
  ];
}

function sayDrift({ parts, since }: NonNullable<Node["drift"]>): string {
  const what = parts === 1 ? "1 part" : `${parts} parts`;
  return `${what} from what was confirmed, since ${shortTime(since)}; see \`gatehouse node drift NODE\``;
}

function rivalLines(rival: Node["rival"]): string[] {
  if (rival === null) return [];
  return [
    `  Another machine connected with this identity, from ${rival.address} at ${shortTime(rival.at)}: one disk may be a copy.`,
    "  On the copy, root runs `gatehouse-agent enrol CODE --new-identity` with a new code.",
  ];
}

function factLines({ facts, hostname }: Node): string[] {
  if (facts === null) return [fieldLine("host", `${hostname}, which has not described itself yet`)];
  return [
    fieldLine("host", `${facts.hostname}, ${facts.os}, kernel ${facts.kernel}`),
    fieldLine("addresses", listOr(facts.addresses, "none")),
    fieldLine("ceiling", ceilingWords(facts.mode)),
    fieldLine("", oneLine(facts.ceiling)),
    fieldLine("", `sha256 ${facts.ceilingDigest}`),
    fieldLine("agent", `${facts.agentVersion} for ${facts.arch}`),
    fieldLine("", `sha256 ${facts.agentSha256}`),
    ...facts.units.map((unit, index) => fieldLine(index === 0 ? "units" : "", `${unit.name} ${unit.state}`)),
    fieldLine("described", shortTime(facts.receivedAt)),
  ];
}

function ceilingWords(mode: string): string {
  if (mode === "monitor") return "monitor: look, and nothing else; no plan can name this host";
  if (mode === "managed") return "managed: look, and change what its root named";
  return mode;
}

/** It is JSON with indents; a text in it has no line end that would be lost here. */
function oneLine(json: string): string {
  return json.replaceAll(/\n\s*/g, " ").trim();
}

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash("sha256").update(bytes).digest();
}
