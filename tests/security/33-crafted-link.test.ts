import { expect, onTestFinished, test } from "vitest";
import { openApi } from "../e2e/api.ts";
import { enter, openBrowser, openWindow } from "../e2e/browser.ts";
import { until } from "../support/until.ts";
import { admin, World } from "../e2e/world.ts";
import { stopMs } from "../support/stopped.ts";
import { counts } from "./support/chance.ts";
import { count, tried } from "./support/tried.ts";

/** Cockpit: a link with parameters, and the console did what they said as soon as somebody followed it. */
const routes = (id: string) => [
  "/",
  "/plugins",
  "/plugins/acme-waiting",
  "/marketplace",
  "/audit",
  "/tokens",
  "/users",
  `/users?user=${id}`,
  "/settings/security",
  "/settings/about",
  "/apps/acme-waiting",
  "/apps/acme-active",
  "/nowhere",
];
const orders = (id: string) => [
  "action=activate&status=active&confirm=true&yes=1",
  "move=installed&to=active&id=acme-waiting&accept=1",
  `user=${id}&disabled=true&role=owner&remove=1&typed=wren`,
  "issue=true&name=x&scopes=user:admin&class=automation&submit=1",
  "revoke=all&token=0000000000000000&logout=1&signOut=true",
  "password=x&new=y&again=y&method=DELETE&_method=DELETE",
];
/** What the page of an active plugin shows of it. */
const looks = /^GET [^?#]+\/api\/plugins\/acme-active\/answers$/;
const inBrowser = { size: "desktop", theme: "light" } as const;

test("no link makes the dashboard do anything", async (context) => {
  const world = new World();
  onTestFinished(() => world[Symbol.asyncDispose]());
  world.bundle({ id: "acme-waiting", name: "Waiting" });
  const nav = [{ component: "plugin.page", title: "Active", path: "/apps/acme-active", scope: "plan:read" }];
  world.bundle({ id: "acme-active", name: "Active", contributions: { nav: nav as never, enhancements: [] } });
  await world.start();
  const api = await openApi(world);
  await api.move("acme-active", "installed", "active");
  const { id } = await api.newUser("wren", "viewer");
  const browser = await openBrowser();
  onTestFinished(() => browser.close());
  const window = await openWindow(browser, world, inBrowser);
  const { page } = window;
  page.setDefaultTimeout(stopMs);
  await enter(window, admin);
  const changes: string[] = [];
  let looked = 0;
  const elsewhere: string[] = [];
  page.on("request", (request) => {
    const sent = `${request.method()} ${request.url()}`;
    if (looks.test(sent)) looked += 1;
    if (request.method() !== "GET") changes.push(sent);
    if (new URL(request.url()).origin !== world.baseUrl) elsewhere.push(request.url());
  });
  const before = await readState(api);
  let links = 0;
  for (const [at, route] of routes(id).entries()) {
    const all = orders(id);
    // Each page another one first, so that a few of them are not always the same.
    const some = [...all.slice(at % all.length), ...all.slice(0, at % all.length)];
    for (const order of some.slice(0, counts["33 orders for a page"])) {
      const lookedBefore = looked;
      const joint = route.includes("?") ? "&" : "?";
      // A page that differs in its fragment only would not be loaded anew.
      await page.goto("about:blank");
      await page.goto(`${route}${joint}${order}#${order}`);
      await page.getByRole("heading").filter({ visible: true }).first().waitFor();
      // What a page does by itself, it does once it has read what it shows.
      await page.getByRole("status").filter({ hasText: "Live" }).first().waitFor({ state: "attached" });
      await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
      await window.quiet();
      // What the page reads by itself is seen, so an order of a link's would be seen as well.
      if (route === "/apps/acme-active") await until("the page looks at its plugin", () => looked > lookedBefore);
      links += 1;
    }
  }
  expect(changes).toEqual([]);
  expect(elsewhere).toEqual([]);
  expect(await readState(api)).toBe(before);
  tried(
    context,
    `${count(links, "links with orders in their query or fragment")}, 0 changes sent, ${looked} looks at a plugin`,
  );
});

test("the sign-in leads nowhere else", async (context) => {
  const world = new World();
  onTestFinished(() => world[Symbol.asyncDispose]());
  await world.start();
  const browser = await openBrowser();
  onTestFinished(() => browser.close());
  const targets = [
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example/",
    "/%5cevil.example/",
    "/\t/evil.example/",
    "javascript:document.title='run'",
    "data:text/html,<script>1</script>",
    "/..//evil.example/",
  ];
  const followed: string[] = [];
  for (const to of targets) {
    await using window = await openWindow(browser, world, inBrowser);
    const { page } = window;
    page.setDefaultTimeout(stopMs);
    const elsewhere: string[] = [];
    await page.route("**/*", (route) => {
      if (route.request().url().startsWith(`${world.baseUrl}/`)) return route.continue();
      elsewhere.push(route.request().url());
      return route.abort();
    });
    await page.goto(`/login?to=${encodeURIComponent(to)}`);
    await page.getByLabel("Name", { exact: true }).fill(admin.username);
    await page.getByLabel("Password", { exact: true }).fill(admin.password);
    await page.keyboard.press("Enter");
    const shell = page.getByRole("navigation", { name: "Breadcrumb" });
    // Whoever is led elsewhere, or kept at the sign-in page, never gets here.
    await shell
      .waitFor({ timeout: stopMs })
      .catch(() => followed.push(`${to}: stopped before the dashboard was there`));
    if (elsewhere.length > 0) followed.push(`${to} leads to ${elsewhere[0]}`);
  }
  expect(followed).toEqual([]);
  tried(context, count(targets.length, "hostile targets after the sign-in"));
});

/** What a change would move. */
async function readState({ call }: Awaited<ReturnType<typeof openApi>>): Promise<string> {
  const lists = await Promise.all(
    ["/api/users", "/api/tokens", "/api/plugins/lifecycle"].map((path) => call("GET", path)),
  );
  const items = lists.flatMap(({ body }) => body["items"] as Record<string, unknown>[]);
  // How often a plugin was asked and when a token was used are no changes.
  return JSON.stringify(items.map((item) => ({ ...item, runtime: null, lastUsedAt: null, lastAddress: null })));
}
