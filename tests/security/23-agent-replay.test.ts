import { agentSubprotocol, controlPath } from "@gatehouse/channel";
import { expect, test } from "vitest";
import { stopped } from "../support/stopped.ts";
import { newHost } from "./support/fleet.ts";
import { call, enter } from "./support/people.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";

/** OpenBao: what an agent had once shown worked again for whoever had recorded it. */
const server = await sharedServer({ env: { SERVICE_TRUST_PROXY: "1" } });
const { port } = server;

/** Dials, answers the challenge with what `say` makes of it, and gives how it ended; or the welcome. */
async function dial(say: (challenge: Uint8Array) => Uint8Array): Promise<{ end: string; hello: Uint8Array }> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${controlPath}`, agentSubprotocol);
  socket.binaryType = "arraybuffer";
  let hello = new Uint8Array();
  const end = new Promise<string>((resolve) => {
    socket.addEventListener("close", ({ reason }) => resolve(reason));
    socket.addEventListener("message", ({ data }) => {
      if (hello.byteLength > 0) return resolve("welcome");
      hello = new Uint8Array(say(new Uint8Array(data as ArrayBuffer)));
      socket.send(hello);
    });
  });
  try {
    return { end: await stopped("the hello is answered", end), hello };
  } finally {
    socket.close();
  }
}

test("a recorded hello opens no second connection", async (context) => {
  const owner = await enter(port);
  const { host } = await newHost(port, owner, "recorded");
  const first = await dial((challenge) => host.hello(challenge));
  expect(first.end).toBe("welcome");
  for (let again = 0; again < 5; again += 1) {
    expect((await dial(() => first.hello)).end).toBe("hello.node_signature");
  }
  expect((await dial((challenge) => host.hello(challenge))).end).toBe("welcome");
  tried(context, count(5, "replays"));
});

test("a recorded enrolment of a node that was removed brings nobody back", async () => {
  const owner = await enter(port);
  const { nodeId, host } = await newHost(port, owner, "removed");
  const made = await call<{ items: { code: string }[] }>(port, "POST", "/api/nodes/enrolments", {
    as: owner.as,
    body: {},
  });
  const recorded = host.enrolment(made.body.items[0]?.code ?? "");
  expect((await call(port, "POST", "/api/agent/enrol", { body: recorded })).status).toBe(200);
  const { raw } = await call(port, "GET", `/api/nodes/${nodeId}`, { as: owner.as });
  const headers = [["If-Match", raw.headers.get("etag") ?? ""]] as const;
  expect((await call(port, "DELETE", `/api/nodes/${nodeId}`, { as: owner.as, headers })).status).toBe(204);
  expect((await call(port, "POST", "/api/agent/enrol", { body: recorded })).code).toBe("hello.revoked");
  expect((await call(port, "GET", `/api/nodes/${nodeId}`, { as: owner.as })).status).toBe(404);
});
