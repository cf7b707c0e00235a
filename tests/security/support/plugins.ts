import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { LifecycleState } from "@gatehouse/contract";
import type { ActionReport, BundleRejection, BundleVerdict, Plugin } from "@gatehouse/contract/routes";
import { afterAll } from "vitest";
import { policyText } from "../../bundles/sample.ts";
import { type Answer, call, enter, type Headers, type Person } from "./people.ts";
import { makeScratch, type Scratch } from "./scratch.ts";
import { type ServerOptions, startServer, type TestServer } from "./server.ts";

/** What an operator has on a disk before the server starts: a plugin directory, a trust policy and a data directory. */
export interface PluginPlace extends Scratch {
  readonly directory: string;
  readonly trustFile: string;
  readonly dataDir: string;
}

export async function makePluginPlace(policy: string = policyText()): Promise<PluginPlace> {
  const scratch = await makeScratch();
  const place = {
    ...scratch,
    directory: join(scratch.path, "plugins"),
    trustFile: join(scratch.path, "trust.json"),
    dataDir: join(scratch.path, "data"),
  };
  await mkdir(place.directory);
  await writeFile(place.trustFile, policy);
  return place;
}

export interface PluginServer extends AsyncDisposable {
  readonly server: TestServer;
  readonly port: number;
  readonly owner: Person;
  list(): Promise<{ readonly items: readonly Plugin[]; readonly rejections: readonly BundleRejection[] }>;
  find(id: string): Promise<Plugin | undefined>;
  /** The code of each rejection, by the name of its entry. */
  codes(): Promise<Readonly<Record<string, string>>>;
  /** As the owner, who proves the password again when the sign-in has grown old, unless told otherwise. */
  move(id: string, status: LifecycleState, artifactSha256?: string, as?: Headers): Promise<Answer<Plugin>>;
  verify(id: string): Promise<Answer<BundleVerdict>>;
  /** Asks an active plugin; the input is for a plan. */
  ask(id: string, action: string, input?: unknown): Promise<Answer<ActionReport & { readonly detail?: string }>>;
}

/** The real server over such a place, and its owner. Ends with its scope; the place stays, for another start. */
export async function startOver(
  place: PluginPlace,
  { env = {}, before }: Omit<ServerOptions, "dataDir"> = {},
): Promise<PluginServer> {
  const settings = {
    SERVICE_PLUGIN_DIR: place.directory,
    SERVICE_PLUGIN_TRUST: place.trustFile,
    SERVICE_TRUST_PROXY: "1",
    ...env,
  };
  const server = await startServer({ dataDir: place.dataDir, env: settings, ...(before !== undefined && { before }) });
  try {
    const { port } = server;
    const owner = await enter(port);
    let mover = owner.as;
    const list: PluginServer["list"] = async () => {
      const path = "/api/plugins/lifecycle?limit=200";
      const answer = await call<Awaited<ReturnType<PluginServer["list"]>>>(port, "GET", path, owner);
      if (answer.status !== 200) throw new Error(`the list was answered ${answer.status} ${answer.code}`);
      return answer.body;
    };
    return {
      server,
      port,
      owner,
      list,
      find: async (id) => (await list()).items.find((plugin) => plugin.id === id),
      codes: async () => Object.fromEntries((await list()).rejections.map(({ name, code }) => [name, code])),
      move: async (id, status, artifactSha256, as) => {
        const ask = (by: Headers) =>
          call<Plugin>(port, "POST", "/api/plugins/lifecycle", { as: by, body: { id, status, artifactSha256 } });
        const answer = await ask(as ?? mover);
        if (as !== undefined || answer.code !== "auth.step_up_required") return answer;
        mover = (await enter(port)).as;
        return ask(mover);
      },
      verify: (id) => call(port, "POST", "/api/plugins/verify", { as: owner.as, body: { id } }),
      ask: (id, action, input) =>
        call(port, "POST", `/api/plugins/${id}/actions/${action}`, {
          as: owner.as,
          body: input === undefined ? {} : { input },
        }),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  } catch (error) {
    await server[Symbol.asyncDispose]();
    throw error;
  }
}

/** One server for all tests of a file over such a place. Both are gone after the last of them. */
export async function sharedPlugins(
  place: PluginPlace,
  options: Omit<ServerOptions, "dataDir"> = {},
): Promise<PluginServer> {
  const started = await startOver(place, options);
  afterAll(async () => {
    await started[Symbol.asyncDispose]();
    await place[Symbol.asyncDispose]();
  });
  return started;
}
