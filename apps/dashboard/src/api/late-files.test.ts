import { expect, test, vi } from "vitest";
import { type LateDeps, LateFiles } from "./late-files.ts";

/** Pauses that end when the test says so, and what they were. */
function setUp(more: Partial<LateDeps> = {}) {
  const pauses: { readonly ms: number; readonly end: () => void }[] = [];
  const remembered: { script: string | null } = { script: null };
  const reload = vi.fn<() => void>();
  const deps: LateDeps = {
    servedScript: async () => undefined,
    ownScript: "/assets/index.old.js",
    isInUse: () => false,
    reload,
    remember: {
      get: () => remembered.script,
      set: (script: string) => void (remembered.script = script),
    },
    pause: (ms: number) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      pauses.push({ ms, end: resolve });
      return promise;
    },
    ...more,
  };
  const files = new LateFiles(deps);
  const failing = (times: number) => {
    const load = vi.fn<() => Promise<string>>();
    for (let time = 0; time < times; time += 1) load.mockRejectedValueOnce(new Error("nobody there"));
    return load.mockResolvedValue("the part");
  };
  const pausedAgain = (count: number) => vi.waitFor(() => expect(pauses).toHaveLength(count));
  return { deps, reload, files, failing, pauses, pausedAgain };
}

test("a part that does not come is asked for again, after longer and longer pauses, until it comes", async () => {
  const { files, failing, pauses, pausedAgain } = setUp();
  const loaded = files.load(failing(8));
  for (let times = 1; times <= 8; times += 1) {
    await pausedAgain(times);
    expect(files.state).toBe("waiting");
    pauses.at(-1)?.end();
  }
  expect(await loaded).toBe("the part");
  expect(pauses.map(({ ms }) => ms / 1_000)).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  expect(files.state).toBe("none");
});

test("it is asked for at once when somebody says so, and when the server is heard again", async () => {
  const { files, failing, pausedAgain } = setUp();
  const load = failing(2);
  const loaded = files.load(load);
  await pausedAgain(1);
  files.tryNow();
  await pausedAgain(2);
  files.tryNow();
  expect(await loaded).toBe("the part");
  expect(load).toHaveBeenCalledTimes(3);
});

test("files of another dashboard load the page anew, once for each dashboard", async () => {
  const { files, deps, reload, failing, pausedAgain } = setUp({ servedScript: async () => "/assets/index.new.js" });
  void files.load(failing(9));
  void files.load(failing(9));
  await pausedAgain(2);
  expect([files.state, reload.mock.calls.length]).toEqual(["updated", 1]);
  const again = new LateFiles(deps);
  void again.load(failing(9));
  await pausedAgain(3);
  expect([again.state, reload.mock.calls.length]).toEqual(["updated", 1]);
});

test("a page that somebody types in is not loaded anew by itself", async () => {
  const { files, reload, failing, pausedAgain } = setUp({
    servedScript: async () => "/assets/index.new.js",
    isInUse: () => true,
  });
  void files.load(failing(9));
  await pausedAgain(1);
  expect([files.state, reload.mock.calls.length]).toEqual(["updated", 0]);
});

test("a part that does not come from a server that answers is called stuck, and is never the reason to load anew", async () => {
  const { files, reload, failing, pausedAgain } = setUp({ servedScript: async () => "/assets/index.old.js" });
  void files.load(failing(9));
  for (const times of [1, 2, 3]) {
    await pausedAgain(times);
    expect(files.state).toBe(times < 3 ? "none" : "stuck");
    files.tryNow();
  }
  expect(reload).not.toHaveBeenCalled();
});
