import { describe, expect, test } from "vitest";
import { startServer } from "./start-server.ts";

const shell = "<!doctype html><title>Gatehouse é</title>";

describe("a page", () => {
  test("is the shell for every path that is not the API's and not a file (contract 4)", async () => {
    const server = await startServer();
    for (const path of [
      "/",
      "/login",
      "/nodes/node_00000000000000000000000001?tab=logs",
      "/api",
      "/assets",
      "/index.html",
      "/robots.txt",
      "/a%2fb%00",
    ]) {
      const answer = await server.get(path, { headers: { "Accept-Encoding": "identity" } });
      expect(answer.status).toBe(200);
      expect(answer.headers.get("cache-control")).toBe("no-cache");
      expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(await answer.text()).toBe(shell);
    }
  });

  test("takes GET and HEAD only", async () => {
    const server = await startServer();
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
      const answer = await server.get("/login", { method });
      expect(answer.status).toBe(405);
      expect(answer.headers.get("allow")).toBe("GET, HEAD");
    }
    expect((await server.get("/login", { method: "HEAD" })).status).toBe(200);
  });
});

describe("a file", () => {
  test("with a hashed name may be kept for ever (contract 4.1)", async () => {
    const server = await startServer();
    const answer = await server.get("/assets/app.1a2b.js");
    expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(answer.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    const font = await server.get("/assets/font.3c4d.woff2");
    expect(font.headers.get("content-encoding")).toBeNull();
    expect((await font.bytes()).length).toBe(40_000);
  });

  test("of the boot script is asked for again each time", async () => {
    const server = await startServer();
    const answer = await server.get("/theme-init.js");
    expect(answer.headers.get("cache-control")).toBe("no-cache");
    expect(answer.status).toBe(200);
  });

  test("that does not exist is a 404 that no cache keeps, never the shell", async () => {
    const server = await startServer();
    const names = [
      "none.js",
      "",
      "../index.html",
      "..%2fmap.json",
      "app.1a2b.js/",
      "APP.1a2b.js",
      "app.1a2b.js%00",
      "%61pp.1a2b.js",
      "__proto__",
    ];
    for (const name of names) {
      const [answer] = await server.raw(`GET /assets/${name} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      expect([name, answer?.status]).toEqual([name, 404]);
      expect(answer?.headers.get("cache-control")).toBe("no-store");
      expect(answer?.json()).toMatchObject({ code: "request.unknown_route" });
    }
  });
});

describe("the encoding", () => {
  const wireOf = async (accept: string) => {
    const server = await startServer();
    const header = accept === "" ? "" : `Accept-Encoding: ${accept}\r\n`;
    const [answer] = await server.raw(`GET /assets/app.1a2b.js HTTP/1.1\r\nHost: localhost\r\n${header}\r\n`);
    expect(answer?.headers.get("vary")).toBe("Accept-Encoding");
    return [answer?.headers.get("content-encoding"), answer?.body];
  };

  test("is the best the client takes", async () => {
    expect(await wireOf("gzip, deflate, br, zstd")).toEqual(["br", "br:export {}"]);
    expect(await wireOf("BR;q=0.1")).toEqual(["br", "br:export {}"]);
    expect(await wireOf("gzip")).toEqual(["gzip", "gzip:export {}"]);
    expect(await wireOf("br;q=0, gzip;q=0.5")).toEqual(["gzip", "gzip:export {}"]);
    expect(await wireOf("br; Q=0.000 ,gzip ;q=0")).toEqual([undefined, "export {}"]);
    expect(await wireOf("brotli, xgzip, *")).toEqual([undefined, "export {}"]);
    expect(await wireOf("")).toEqual([undefined, "export {}"]);
  });
});

describe("a file the client already has", () => {
  test("is answered with 304 and no body", async () => {
    const server = await startServer();
    for (const tag of ['W/"shell"', '"shell"', '"x", W/"shell"', "*"]) {
      const answer = await server.get("/login", { headers: { "If-None-Match": tag } });
      expect(answer.status).toBe(304);
      expect(await answer.text()).toBe("");
      expect(answer.headers.get("etag")).toBe('W/"shell"');
      expect(answer.headers.get("cache-control")).toBe("no-cache");
    }
    expect((await server.get("/login", { headers: { "If-None-Match": '"shell-old"' } })).status).toBe(200);
  });
});
