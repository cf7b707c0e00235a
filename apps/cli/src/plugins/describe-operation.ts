import { count } from "@gatehouse/command-line";
import { type Operation, type OperationKind, subjectOf } from "@gatehouse/plan";

type Words = { readonly [Kind in OperationKind]: (operation: Extract<Operation, { kind: Kind }>) => string };

/** What an operation is about beyond the part of the host it replaces. A new kind does not compile without its words. */
const words: Words = {
  "firewall.apply": ({ input, forward }) =>
    [input, ...(forward === undefined ? [] : [forward])]
      .map(
        ({ policy, rules }, index) =>
          `${index === 0 ? "in" : "through"}: ${count(rules.length, "rule")}, else ${policy}`,
      )
      .join("; "),
  "network.wireguard": ({ publicKey, addresses, listenPort, peers }) =>
    `${addresses.join(" ")}, udp ${listenPort}, ${count(peers.length, "peer")}, ${publicKey === null ? "with the key that the host has" : `key ${publicKey}`}`,
  "service.restart": () => "",
  "file.write": ({ text, mode, owner, group }) =>
    `${count(Buffer.byteLength(text), "byte")}, ${mode} ${owner}:${group}`,
  "binary.replace": ({ sha256, size, publisher }) => `sha256 ${sha256}, ${count(size, "byte")}, by ${publisher}`,
  "agent.update": ({ version, architecture, sha256 }) => `${version} for ${architecture}, sha256 ${sha256}`,
  "log.tail": ({ source, lines }) =>
    `the last ${count(lines, "line")} of ${source.from === "file" ? source.path : source.unit}`,
};

/** An operation in one line: its kind, what it replaces, and how. */
export function describeOperation(operation: Operation): string {
  // Each row takes the operation of its own kind, and it is found by that kind.
  const say = words[operation.kind] as (operation: Operation) => string;
  return [operation.kind, subjectOf(operation) ?? "", say(operation)].filter((part) => part !== "").join("  ");
}
