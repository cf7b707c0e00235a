import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { newPrivateKey, publicKeyBytes } from "@gatehouse/keys";
import { expect, test } from "vitest";
import { startFalseServer } from "../support/false-server.ts";
import { firstMs, honestChallenge, startAgentAt } from "./inside/agent.ts";
import { count, tried } from "./support/tried.ts";

/** Rancher, 1Panel: whoever answered at the server's address had the agents. */
const own = { versions: honestChallenge.versions, key: honestChallenge.server };

test.each([
  ["another key", { ...own, key: publicKeyBytes(newPrivateKey()) }, "hello.server_key", 0],
  ["the key's name without the key", own, "closed", 1],
  ["versions that the agent does not speak", { ...own, versions: { min: 2, max: 9 } }, "hello.version", 0],
] as const)(
  "whoever has the address, with %s, gets no agent, and nothing on the host changes",
  async (_, says, code, hellos) => {
    const server = await startFalseServer(says);
    try {
      const agent = await startAgentAt(`http://${server.place}`);
      const before = contentOf(agent.host.paths.root);
      agent.timers.end(firstMs);
      await expect.poll(() => agent.notes.at(-1)?.lastClose?.code).toBe(code);
      expect(agent.lines).not.toContain("connected");
      expect(server.hellos).toHaveLength(hellos);
      expect(contentOf(agent.host.paths.root)).toEqual(before);
    } finally {
      await server.stop();
    }
  },
);

test("the three were tried", (context) => tried(context, count(3, "false servers")));

/** Every file below, with what is in it. What the agent tells of its connection goes elsewhere in this test. */
function contentOf(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .map((name) => join(directory, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => `${path} ${readFileSync(path, "base64")}`)
    .toSorted();
}
