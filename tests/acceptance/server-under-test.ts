import { afterAll, beforeAll, onTestFinished, test } from "vitest";
import { containerDriver, imageVariable } from "./driver/container-driver.ts";
import { processDriver } from "./driver/process-driver.ts";
import type { RunningServer, ServerDriver, StartOptions } from "./driver/server-driver.ts";

export { root } from "./driver/process-driver.ts";
export type { Run, RunningServer, Settings, StartOptions } from "./driver/server-driver.ts";

/**
 * A server somebody else started, for example a container: `SERVICE_UNDER_TEST=http://127.0.0.1:8088`. Tests that only
 * ask then ask it; tests that need settings, signals or files of their own are skipped, as no driver controls it. Start it
 * with `SERVICE_API_RATE=1000,2000`, or the tests meet its rate limit.
 */
const external = process.env["SERVICE_UNDER_TEST"]?.replace(/\/$/, "");

export const isExternal = external !== undefined;

/** Processes, unless an image is named. */
export const driver: ServerDriver = process.env[imageVariable] === undefined ? processDriver : containerDriver;
export const { gatehouse, run: runServer } = driver;

/** For tests that start, stop or look into a server themselves. */
export const testWithControl = test.skipIf(isExternal);

/** Starts a server for the test that is running; it ends with the test, however that ends. */
export async function startServer(options: StartOptions = {}): Promise<RunningServer> {
  const server = await driver.start(options);
  onTestFinished(async () => {
    if (server.isRunning()) await server.stop("SIGKILL");
  });
  return server;
}

/** One server for a whole file of tests that only ask: nobody is limited, so that the tests do not limit each other. */
export function useServer(): { readonly baseUrl: string } {
  if (external !== undefined) return { baseUrl: external };
  const server = useControlledServer({ settings: { SERVICE_API_RATE: "1000,2000" } });
  return {
    get baseUrl() {
      return server().baseUrl;
    },
  };
}

/** One server for several tests of a file that also look at its log. */
export function useControlledServer(options: StartOptions): () => RunningServer {
  let server: RunningServer | undefined;
  beforeAll(async () => {
    if (external === undefined) server = await driver.start(options);
  });
  afterAll(async () => {
    const ended = await server?.stop();
    if (ended !== undefined && ended.code !== 0) {
      throw new Error(`the server ended with ${ended.code ?? ended.signal} when it was asked to stop`);
    }
  });
  return () => {
    if (server === undefined) throw new Error("the server is not there: use testWithControl");
    return server;
  };
}
