import { spawn } from "node:child_process";
import { once } from "node:events";

/** As many endless loops as asked, each a process of ordinary priority in a session of its own, until it is disposed. */
export async function startBusyLoops(count: number): Promise<AsyncDisposable> {
  const loops = Array.from({ length: count }, () =>
    spawn(process.execPath, ["-e", "for (;;);"], { detached: true, stdio: "ignore" }),
  );
  await Promise.all(loops.map((loop) => once(loop, "spawn")));
  return {
    [Symbol.asyncDispose]: async () => {
      await Promise.all(
        loops.map((loop) => {
          const ended = once(loop, "exit");
          loop.kill("SIGKILL");
          return ended;
        }),
      );
    },
  };
}
