import { challengeFrame, controlPath, readAgentHello, type VersionRange } from "@gatehouse/channel";
import { importPrivateKey, publicKeyBytes } from "@gatehouse/keys";
import { expect, test } from "vitest";
import { answerChallenge, type Credentials } from "./hello-steps.ts";

const keyOf = (seed: number) => importPrivateKey(new Uint8Array(32).fill(seed));
const credentials: Credentials = {
  nodeId: "node_zjq786fqc9hjs4qb1wefsk24q0",
  channelKey: keyOf(6),
  server: publicKeyBytes(keyOf(5)),
  authority: "gh.example:443",
  isOffered: false,
  probe: new Uint8Array(),
};
const own = { agentVersion: "0.1.7", cursor: { acked: 0, last: 0 }, nonce: new Uint8Array(32).fill(8) };

function answer(agent: VersionRange, server: VersionRange) {
  const challenge = { versions: server, server: credentials.server, nonce: new Uint8Array(32).fill(7), at: 0 };
  const { framed } = answerChallenge(credentials, { ...own, versions: agent }, challengeFrame(challenge));
  return readAgentHello(framed);
}

const [first, both, second] = [
  { min: 1, max: 1 },
  { min: 1, max: 2 },
  { min: 2, max: 2 },
];

/** A version 2 is planted here: nothing speaks it yet. */
test.each([
  { agent: first, server: first, chosen: 1 },
  { agent: first, server: both, chosen: 1 },
  { agent: both, server: first, chosen: 1 },
  { agent: both, server: both, chosen: 2 },
  { agent: both, server: second, chosen: 2 },
  { agent: second, server: both, chosen: 2 },
])("an agent of $agent.min to $agent.max asked by a server of $server.min to $server.max speaks $chosen", (row) => {
  // What the server has offered is repeated under the signature: whoever lowers it on the way is found out.
  expect(answer(row.agent, row.server)).toMatchObject({ chosen: row.chosen, versions: row.server, path: controlPath });
});

test.each([
  { agent: first, server: second },
  { agent: second, server: first },
])("an agent of $agent.min asked by a server of $server.min refuses by name, and says nothing", ({ agent, server }) => {
  expect(() => answer(agent, server)).toThrow(/^hello\.version: /);
});
