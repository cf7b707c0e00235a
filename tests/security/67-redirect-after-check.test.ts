import { expect, test } from "vitest";
import { host, makeWorld } from "./inside/egress.ts";
import { makeLookup, publicAddressOf } from "./inside/lookup.ts";
import { makeWebhooks } from "./inside/webhook.ts";
import { joined } from "./support/joined.ts";
import { count, tried } from "./support/tried.ts";

/** Gitea and Fulcio: the first address was checked, and the one it redirected to was not. */
const locations = joined(
  [
    "http://169.254.169.254/latest/meta-data/",
    "https://127.0.0.1/",
    "https://[::1]/",
    "http://localhost:8088/api/health",
  ],
  [
    `https://${host}/again`,
    "/again",
    "//evil.test/",
    "https://evil.test/",
    "file:///etc/passwd",
    "gopher://127.0.0.1:6379/",
  ],
  ["", "\\\\evil.test\\", "javascript:alert(1)", `https://${host}@evil.test/`, "data:text/plain,x"],
);
const statuses = [300, 301, 302, 303, 305, 306, 307, 308] as const;

test("a redirect is an answer: it is told and never followed", async (context) => {
  let status = 302;
  let location = "";
  await using world = await makeWorld(
    () => ({ a: ["8.8.4.4"], aaaa: [] }),
    (_, response) => void response.writeHead(status, { location, refresh: `0; url=${location}` }).end("moved"),
  );
  let requests = 0;
  for (status of statuses) {
    for (location of locations) {
      for (const method of ["GET", "POST"] as const) {
        const { got, said } = await world.ask({ method, ...(method === "POST" && { body: Buffer.from("secret") }) });
        requests += 1;
        expect(got).toBe(status);
        expect(said).toContain(JSON.stringify(location).slice(1, -1));
        expect(said).not.toContain("refresh");
        expect(world.peer.seen).toHaveLength(requests);
      }
    }
  }
  expect(world.peer.connections()).toBe(requests);
  expect(world.questions).toHaveLength(2 * requests);
  expect(new Set(world.peer.asked)).toEqual(new Set(["8.8.4.4:443"]));
  tried(context, `${count(requests, "redirects")} with ${count(statuses.length, "statuses")}`);
});

test("no other way of saying 'go elsewhere' is followed either", async (context) => {
  const headers = [
    { "content-location": "https://evil.test/" },
    { "alt-svc": 'h2="evil.test:443"' },
    { link: "<https://evil.test/>; rel=canonical" },
    { "strict-transport-security": "max-age=1", "x-accel-redirect": "/etc/passwd" },
    { "retry-after": "0" },
  ];
  let at = 0;
  await using world = await makeWorld(
    () => ({ a: ["8.8.4.4"], aaaa: [] }),
    (_, response) => void response.writeHead(at % 2 === 0 ? 200 : 503, { ...headers[at] }).end(),
  );
  for (; at < headers.length; at += 1) await world.ask();
  expect(world.peer.seen).toHaveLength(headers.length);
  expect(new Set(world.questions)).toEqual(new Set([`${host} a`, `${host} aaaa`]));
  expect(new Set(world.peer.asked)).toEqual(new Set(["8.8.4.4:443"]));
  tried(context, count(headers.length, "other headers"));
});

test("a lookup service that says 'go elsewhere' has not answered: nobody goes, and the place it adds is none", async (context) => {
  let status = 302;
  let location = "";
  await using world = await makeLookup(
    (_, response) =>
      void response.writeHead(status, { location, refresh: `0; url=${location}` }).end('{"lat":1,"lon":2}'),
  );
  let n = 0;
  for (status of statuses) {
    for (location of locations) {
      n += 1;
      const { shown, said } = await world.look(publicAddressOf(n));
      expect(shown).toMatchObject({ place: null, why: "failed" });
      if (location.length > 1) expect(said).not.toContain(location);
    }
  }
  expect(world.peer.connections()).toBe(n);
  expect(new Set(world.peer.asked)).toEqual(new Set(["8.8.4.4:443"]));
  tried(context, count(n, "redirects of a lookup"));
});

test("a receiver of notices that says 'go elsewhere' has not taken one: nobody goes", async (context) => {
  let status = 302;
  let location = "";
  await using world = await makeWebhooks(
    (_, response) => void response.writeHead(status, { location, refresh: `0; url=${location}` }).end("moved"),
  );
  const { id } = await world.add();
  let n = 0;
  for (status of statuses) {
    for (location of locations) {
      n += 1;
      const { delivery, said } = await world.send(id);
      expect(delivery).toMatchObject({ outcome: "failed", status });
      if (location.length > 1) expect(said).not.toContain(location);
    }
  }
  expect(world.peer.connections()).toBe(n);
  expect(new Set(world.peer.asked)).toEqual(new Set(["8.8.4.4:443"]));
  tried(context, count(n, "redirects of a receiver"));
});
