import { afterAll } from "vitest";
import { type ServerOptions, startServer, type TestServer } from "./server.ts";

/** One server for all tests of a file: starting one costs more than most tests. Stopped after the last of them. */
export async function sharedServer(options: ServerOptions = {}): Promise<TestServer> {
  const server = await startServer(options);
  afterAll(() => server[Symbol.asyncDispose]());
  return server;
}
