import { expect, test } from "vitest";
import { busCases, farBus } from "./bus-cases.ts";
import { inProcessBus } from "./in-process.ts";

busCases("in-process", () => ({
  open: async (options) => {
    const bus = inProcessBus(options);
    return { here: bus, there: bus };
  },
}));

// The cases hold for a bus between processes, too, with all that such a one may lose and delay.
busCases("between processes", farBus);

test("between processes: hints before `ready` and while cut are really lost, or the cases would ask for nothing", async () => {
  const under = farBus();
  const { here, there } = await under.open({ namespace: "test", onListenerError: () => expect.unreachable() });
  const heard: number[] = [];
  there.subscribe("audit.moved", ({ position }) => heard.push(position));
  here.publish("audit.moved", { position: 1 });
  await there.ready();
  under.cut?.();
  here.publish("audit.moved", { position: 2 });
  await here.ready();
  under.mend?.();
  here.publish("audit.moved", { position: 3 });
  await there.ready();
  expect(heard).toEqual([3]);
});

test("in-process: no hint comes within the microtasks of its sender, so that nobody learns to rely on it", async () => {
  const bus = inProcessBus({ namespace: "test", onListenerError: () => expect.unreachable() });
  let heard = 0;
  const arrived = new Promise<void>((resolve) => {
    bus.subscribe("audit.moved", () => {
      heard += 1;
      resolve();
    });
  });
  bus.publish("audit.moved", { position: 1 });
  for (let n = 0; n < 100; n += 1) await Promise.resolve();
  expect(heard).toBe(0);
  await arrived;
});
