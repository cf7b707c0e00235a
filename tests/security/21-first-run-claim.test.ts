import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { counts } from "./support/chance.ts";
import { call, enter, readAudit } from "./support/people.ts";
import { makeScratch } from "./support/scratch.ts";
import { admin, startRefused, startServer } from "./support/server.ts";
import { count, tried } from "./support/tried.ts";

/** nginx-ui, ScreenConnect: whoever came first to a new installation, or to its setup page, owned it. */
const names = ["SERVICE_ADMIN_USERNAME", "SERVICE_ADMIN_PASSWORD"] as const;

test("without a user and without the two variables the server does not start, and says what to set", async (context) => {
  const environments = [
    { SERVICE_ADMIN_USERNAME: "", SERVICE_ADMIN_PASSWORD: "", missing: names },
    { SERVICE_ADMIN_PASSWORD: "", missing: [names[1]] },
    { SERVICE_ADMIN_USERNAME: "", missing: [names[0]] },
    { SERVICE_ADMIN_PASSWORD: "password1234", missing: [names[1]] },
    { SERVICE_ADMIN_PASSWORD: "short", missing: [names[1]] },
    { SERVICE_ADMIN_USERNAME: "two words", missing: [names[0]] },
  ];
  const chosen = environments.slice(0, counts["21 refused starts"]);
  for (const { missing, ...env } of chosen) {
    const { code, stdout, stderr } = await startRefused(env);
    const about = JSON.stringify(env);
    expect(code, about).toBe(1);
    expect(stdout + stderr, about).not.toContain("listening");
    for (const name of missing) expect(stdout + stderr, about).toContain(name);
  }
  tried(context, count(chosen.length, "refused starts"));
});

const setupPaths = ["setup", "install", "init", "register", "signup", "bootstrap", "wizard", "first-run", "restore"];

test("there is no setup route, and with a user the variables change nothing", async (context) => {
  await using scratch = await makeScratch();
  const dataDir = join(scratch.path, "data");
  const other = { username: "mallory", password: "nine patient herons" };
  let before = 0;
  {
    await using server = await startServer({ dataDir, env: { SERVICE_TRUST_PROXY: "1" } });
    const bodies = [{}, other, { ...other, role: "owner" }];
    for (const path of setupPaths.flatMap((name) => [`/api/${name}`, `/api/auth/${name}`, `/api/users/${name}`])) {
      for (const body of bodies) {
        const { status } = await call(server.port, "POST", path, { body });
        expect([401, 404, 405], path).toContain(status);
      }
    }
    // Creating a user, the one route that could, needs an owner.
    const asked = { body: { ...other, role: "owner" } };
    expect((await call(server.port, "POST", "/api/users", asked)).code).toBe("auth.credential_required");
    before = (await readAudit(server.port, (await enter(server.port)).as)).filter(isAboutUsers).length;
    expect(before).toBe(1);
    expect(await server.stop()).toBe(0);
  }
  const kept = await readFile(join(dataDir, "master.key"), "utf8");
  const variables = [
    { SERVICE_ADMIN_USERNAME: admin.username, SERVICE_ADMIN_PASSWORD: other.password },
    { SERVICE_ADMIN_USERNAME: other.username, SERVICE_ADMIN_PASSWORD: other.password },
    { SERVICE_ADMIN_USERNAME: "", SERVICE_ADMIN_PASSWORD: "" },
  ].slice(0, counts["21 later starts"]);
  for (const env of variables) {
    await using server = await startServer({ dataDir, env: { ...env, SERVICE_TRUST_PROXY: "1" } });
    for (const body of [other, { ...admin, password: other.password }]) {
      expect((await call(server.port, "POST", "/api/auth/login", { body })).code).toBe("auth.sign_in_refused");
    }
    const owner = await enter(server.port);
    expect((await readAudit(server.port, owner.as)).filter(isAboutUsers)).toHaveLength(before);
    const users = await call<{ items: unknown[] }>(server.port, "GET", "/api/users", { as: owner.as });
    expect(users.body.items).toHaveLength(1);
    expect(await server.stop()).toBe(0);
  }
  expect(await readFile(join(dataDir, "master.key"), "utf8")).toBe(kept);
  tried(context, `${count(setupPaths.length * 3, "setup paths")}, ${count(variables.length, "later starts")}`);
});

function isAboutUsers({ action }: { readonly action: string }): boolean {
  return action.startsWith("user.");
}
