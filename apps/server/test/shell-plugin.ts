import type { ManifestFields } from "@gatehouse/bundle/sign";
import type { Store } from "@gatehouse/store";
import { expect } from "vitest";
import { lastingStore, plain, pluginFolder, startPluginServer } from "./plugin-server.ts";

export const hello = plain("plugin-hello");

/** A server with one active plugin. */
export async function activate(artifact: string, fields: ManifestFields = hello, store: Store = lastingStore()) {
  const folder = pluginFolder();
  folder.place(fields, artifact);
  const server = await startPluginServer({ directory: folder.directory, store });
  expect((await server.move(fields.id, "installed")).status).toBe(200);
  const moved = await server.move(fields.id, "active");
  expect([moved.status, moved.body.detail]).toEqual([200, undefined]);
  return { server, folder };
}

/** A plugin in a few lines of shell: `body` runs when the request has been read into $line, with the action in $1. */
export const shell = (body: string) => `#!/bin/sh
read -r line
answer() { printf '{"jsonrpc":"2.0","id":0,"result":%s}\\n' "$1"; }
${body}
`;
