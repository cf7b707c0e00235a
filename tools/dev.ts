import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, watch } from "node:fs";
import { join } from "node:path";
import { isFault } from "@gatehouse/contract";
import { readSettings } from "@gatehouse/contract/settings";
import { openFileStore } from "@gatehouse/store";
import { root } from "./repository.ts";
import { seedFleet } from "../tests/support/seed-fleet.ts";
import { seed } from "./seed.ts";
import { seededPlaces, seedPlugins } from "./seed-plugins.ts";
import { serveDashboard } from "./serve-dashboard.ts";

/**
 * `npm run dev`: fills `.dev` when it is new, runs the server on it and the dashboard in front of it. Sources of the
 * server restart it; sources of the dashboard show at once. Variables that are set win over the values of this file.
 */
const directory = join(root, ".dev/data");
const places = seededPlaces(join(root, ".dev"));
const environment: NodeJS.ProcessEnv = {
  SERVICE_DATA_DIR: directory,
  SERVICE_PLUGIN_DIR: places.plugins,
  SERVICE_PLUGIN_TRUST: places.trust,
  SERVICE_MARKETPLACE_FILE: places.marketplace,
  SERVICE_ACCESS_LOG: "1",
  SERVICE_ADMIN_USERNAME: "dev",
  SERVICE_ADMIN_PASSWORD: "only-for-development",
  ...process.env,
};
const address = findAddress();

let server: ChildProcess | undefined;
let stopping = false;
let work = Promise.resolve();
/** Two changes at once must not start two servers: everything runs one after the other. */
const queue = (step: () => Promise<void>) => {
  work = work.then(step).catch((error: unknown) => console.error(error));
};

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    stopping = true;
    queue(async () => {
      await stopServer();
      process.exit(0);
    });
  });
}
// The server has a page of its own too, as it has in production; the one to work on is the dashboard's below.
if (!(await build()) && !existsSync(join(root, "dist/site/map.json"))) process.exit(1);
if (!existsSync(places.trust)) seedPlugins(join(root, ".dev"));
await fillNewDirectory();
startServer();
const { url } = await serveDashboard({ port: 5173, api: address });
console.log(`dev: the dashboard is at ${url}; sign in as dev with only-for-development`);
console.log(`dev: every part of the dashboard is at ${url}gallery`);
console.log(`dev: the server is at ${address} and restarts on every change; delete .dev to begin anew`);
watchFolder("apps/server/src", restart);
for (const name of ["base", "bundle", "contract", "files", "identity", "store"])
  watchFolder(`packages/${name}/src`, restart);

async function build(): Promise<boolean> {
  const child = spawn(process.execPath, [join(root, "tools/build.ts")], { stdio: ["ignore", "ignore", "inherit"] });
  const [code] = (await once(child, "exit")) as [number | null];
  return code === 0;
}

async function fillNewDirectory(): Promise<void> {
  if (environment["SERVICE_DATA_DIR"] !== directory || existsSync(join(directory, "state.json"))) return;
  const store = await openFileStore({ directory });
  try {
    console.log(`dev: wrote ${await seed(store, Date.now())} audit records into .dev/data`);
    const fleet = await seedFleet(store, { nodes: 200, seed: 1, now: Date.now() });
    console.log(`dev: wrote ${fleet.length} nodes, none of which will connect`);
  } finally {
    await store.close();
  }
}

function startServer(): void {
  const child = spawn(process.execPath, [join(root, "apps/server/src/main.ts")], {
    stdio: "inherit",
    env: environment,
  });
  server = child;
  child.once("exit", (code) => {
    if (server !== child) return;
    server = undefined;
    if (!stopping) console.log(`dev: the server ended (${code}); the next change starts it again`);
  });
}

async function stopServer(): Promise<void> {
  const child = server;
  server = undefined;
  if (child === undefined || child.exitCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}

async function restart(): Promise<void> {
  if (stopping) return;
  await stopServer();
  startServer();
}

/** Calls `step` once for a burst of changes: editors write a file in several steps. */
function watchFolder(folder: string, step: () => Promise<void>): void {
  let timer: NodeJS.Timeout | undefined;
  watch(join(root, folder), { recursive: true }, (_event, name) => {
    if (name?.endsWith(".test.ts") === true) return;
    clearTimeout(timer);
    timer = setTimeout(() => queue(step), 100);
  });
}

/** Also checks the settings, so that a bad one is told before anything is built. */
function findAddress(): string {
  try {
    const { host, port } = readSettings(environment).SERVICE_LISTEN;
    return `http://${host.includes(":") ? `[${host}]` : host}:${port}/`;
  } catch (error) {
    console.error(isFault(error) ? `dev: ${error.detail}` : error);
    return process.exit(1);
  }
}
