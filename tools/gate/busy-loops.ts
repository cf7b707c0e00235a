import { spawn } from "node:child_process";
import { once } from "node:events";

/** Without an end of its own; but nobody forgets it on a machine, because it goes when its parent has gone. */
const endless = "while (String(process.ppid) === process.argv[1]) for (let i = 0; i < 1e8; i += 1);";

/** As many endless loops as asked, each a process of ordinary priority in a session of its own, until it is disposed. */
export async function startBusyLoops(count: number): Promise<AsyncDisposable> {
  const loops = Array.from({ length: count }, () =>
    spawn(process.execPath, ["-e", endless, String(process.pid)], { detached: true, stdio: "ignore" }),
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
