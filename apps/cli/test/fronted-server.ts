import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { startAgentFront } from "./agent-front.ts";
import { newPerson, type Person } from "./gatehouse.ts";
import { startRealServer } from "./real-server.ts";

export type FrontedServer = Awaited<ReturnType<typeof startFrontedServer>>;

/** The real server in a directory of its own, behind a front that hands out an agent of a known digest. */
export async function startFrontedServer() {
  const directory = await mkdtemp(join(tmpdir(), "gatehouse-cli-fronted-"));
  const server = await startRealServer(directory);
  const agent = "5".repeat(64);
  const front = await startAgentFront(server.url, agent);
  return {
    directory,
    server,
    agent,
    signIn: async ({ username, password }: Readonly<Record<"username" | "password", string>>): Promise<Person> => {
      const person = await newPerson(front.url);
      const line = `login --username ${username} --password-stdin`;
      expect(await person.run(line, { input: `${password}\n` })).toMatchObject({ code: 0, err: "" });
      return person;
    },
    stop: async () => {
      front.close();
      await server.stop();
      await rm(directory, { recursive: true });
    },
  };
}
