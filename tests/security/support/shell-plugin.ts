import { capabilityNames } from "@gatehouse/contract";
import {
  keyOf,
  makeBundle,
  placeBundle,
  policyText,
  type SampleBundle,
  type SampleFields,
} from "../../bundles/sample.ts";
import { makePluginPlace, type PluginPlace, type PluginServer } from "./plugins.ts";

/** A place whose policy lets acme's plugins ask for everything: what a plugin may do is then decided by what runs it. */
export function makeTrustingPlace(): Promise<PluginPlace> {
  return makePluginPlace(policyText({ acme: { keys: [keyOf("acme")], capabilities: capabilityNames } }));
}

/**
 * A plugin in a few lines of shell, which start fast. `body` runs when the request has been read into `line`, with the action
 * in `$1`; `answer` gives a result, `call` makes a broker call and reads its answer into `got`.
 */
export function shellArtifact(body: string): string {
  return `#!/bin/sh
read -r line
answer() { printf '{"jsonrpc":"2.0","id":0,"result":%s}\\n' "$1"; }
call() { printf '{"jsonrpc":"2.0","id":%s,"method":"%s","params":%s}\\n' "$1" "$2" "$3"; read -r got; }
${body}
`;
}

/** Signs such a plugin and puts it in place, before the server starts. */
export async function placeShell(
  place: PluginPlace,
  id: string,
  body: string,
  fields: Partial<SampleFields> = {},
): Promise<SampleBundle> {
  const bundle = makeBundle({ capabilities: ["log:write"], ...fields, id }, undefined, shellArtifact(body));
  await placeBundle(place.directory, bundle);
  return bundle;
}

/** Takes a plugin through its gates, or fails with the reason. */
export async function activate({ move }: Pick<PluginServer, "move">, ...ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    for (const status of ["installed", "active"] as const) {
      const { status: answered, body } = await move(id, status);
      if (answered !== 200) throw new Error(`${id} to ${status}: ${answered} ${JSON.stringify(body)}`);
    }
  }
}
