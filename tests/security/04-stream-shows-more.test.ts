import { roles, type Role } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { findSecrets } from "./support/find-secrets.ts";
import { openEventStream } from "./support/event-stream.ts";
import { call, change, enter, type Headers, newPerson, newToken, readAudit } from "./support/people.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";

/** Nezha, etcd: what a route kept from somebody, the stream beside it told them. */
const server = await sharedServer({ env: { SERVICE_TRUST_PROXY: "1" } });

test("a stream tells each reader exactly what the audit route shows them, and less of it", async (context) => {
  const { port } = server;
  const owner = await enter(port);
  const people = new Map<Role, Awaited<ReturnType<typeof newPerson>>>();
  for (const role of roles) people.set(role, await newPerson(port, owner, role));
  const readers: { name: string; as: Headers }[] = [...people].map(([name, { as }]) => ({ name, as }));
  const reading = await newToken(port, owner, ["audit:read"]);
  const narrow = await newToken(port, owner, ["node:read", "user:admin", "token:admin"]);
  readers.push({ name: "token audit:read", as: reading.as }, { name: "token without it", as: narrow.as });
  const leaver = await newPerson(port, owner, "viewer", "leaver");
  expect((await change(port, owner.as, leaver.id, { disabled: true })).status).toBe(200);
  let all = (await readAudit(port, owner.as)).map(pick);

  let events = 0;
  for (const { name, as } of readers) {
    const shown = await call(port, "GET", "/api/audit", { as });
    using stream = openEventStream(port, as);
    if (shown.status === 200) {
      await stream.until(() => stream.heard().at(-1)?.position === all.at(-1)?.position);
      // The same changes in the same order, and of each only these four fields.
      expect(stream.heard(), name).toEqual(all);
    } else {
      expect(shown.code, name).toBe("auth.scope_missing");
      // Something that such a reader would hear if anything: a stream that is shown nothing stays silent.
      using other = openEventStream(port, owner.as);
      await stream.until(() => stream.text().includes("\nid: "));
      await call(port, "DELETE", "/api/auth/sessions", { as: owner.as });
      const { id } = await newToken(port, owner, ["node:read"]);
      await other.until(() => other.text().includes(`token/${id}`));
      expect(stream.heard(), name).toEqual([]);
      expect(stream.text(), name).not.toMatch(/usr_|ses_|token\/|auth\.|user\./);
      all = (await readAudit(port, owner.as)).map(pick);
      continue;
    }
    events += stream.heard().length;
    const secrets = [...people.values()].flatMap(({ password, cookie }) => [password, cookie.split("=")[1] ?? "-"]);
    expect(findSecrets(stream.text(), [...secrets, reading.token, narrow.token]), name).toEqual([]);
    expect(stream.text()).not.toMatch(/detail|address|username|requestId/);
  }
  expect(events).toBeGreaterThan(0);
  tried(context, `${count(readers.length, "readers")} of all roles, ${count(events, "events")} compared`);
});

test("nobody without a credential is given a stream at all", async () => {
  for (const as of [[], [["Cookie", `gatehouse=${"A".repeat(43)}`]], [["Authorization", "Bearer x"]]] as Headers[]) {
    const { status } = await call(server.port, "GET", "/api/events?after=0", { as });
    expect(status).toBe(401);
  }
});

function pick({ position, at, action, subject }: Awaited<ReturnType<typeof readAudit>>[number]) {
  return { position, at, action, subject };
}
