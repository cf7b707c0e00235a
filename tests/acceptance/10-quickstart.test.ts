import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect } from "vitest";
import { ask } from "./ask.ts";
import { freshDirectory } from "./driver/directories.ts";
import { dataFiles } from "./fixtures.ts";
import { startServer, testWithControl as test } from "./server-under-test.ts";

/** Contract 10.3, as far as it needs no container: what a person sees after the first start. */
test("`GET http://127.0.0.1:8088/api/health` returns the health object; `GET /api/version` returns build metadata", async (context) => {
  if (!(await isFree(8088))) context.skip("another program of this machine listens on 127.0.0.1:8088");
  const cwd = freshDirectory();
  // The first boot needs these two and nothing else: address and data directory are the defaults.
  const settings = { SERVICE_ADMIN_USERNAME: "admin", SERVICE_ADMIN_PASSWORD: "correct horse battery staple" };
  const server = await startServer({ bare: { cwd }, settings });
  expect(server.baseUrl).toBe("http://127.0.0.1:8088");
  expect((await ask("http://127.0.0.1:8088", "/api/health")).json).toEqual({ status: "ok" });
  expect((await ask("http://127.0.0.1:8088", "/api/version")).json).toMatchObject({ version: expect.any(String) });
  for (const name of dataFiles) expect(existsSync(join(cwd, "data", name)), name).toBe(true);
});

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
