import { afterEach, expect, test, vi } from "vitest";
import { askWhoAtStart, takeWho } from "./who-at-start.ts";

const answers = (...bodies: readonly unknown[]) => {
  const fetch = vi.fn<() => Promise<Response>>();
  for (const body of bodies) fetch.mockResolvedValueOnce(Response.json(body));
  vi.stubGlobal("fetch", fetch);
  vi.stubGlobal("window", {});
  return fetch;
};
afterEach(() => vi.unstubAllGlobals());

test("what was asked for at the start is given once, and asked for anew after that", async () => {
  const fetch = answers({ user: { id: "usr_1" } }, { user: { id: "usr_2" } });
  askWhoAtStart();
  expect(await takeWho()).toEqual({ user: { id: "usr_1" } });
  expect(fetch).toHaveBeenCalledTimes(1);
  expect(await takeWho()).toEqual({ user: { id: "usr_2" } });
  expect(fetch).toHaveBeenCalledTimes(2);
});

test("a refusal at the start reaches whoever takes the answer", async () => {
  vi.stubGlobal("window", {});
  vi.stubGlobal("fetch", async () => Response.json({ code: "auth.required" }, { status: 401 }));
  askWhoAtStart();
  await expect(takeWho()).rejects.toMatchObject({ status: 401 });
});
