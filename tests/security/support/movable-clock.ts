import { until } from "../../support/until.ts";
import type { TestServer } from "./server.ts";

const moved = "the clock was moved";

const program = `
const now = Date.now;
let ahead = 0;
Date.now = () => now() + ahead;
process.on("SIGUSR2", () => {
  ahead += 6 * 60_000;
  process.stdout.write("${moved}\\n");
});`;

/** For the environment of a server whose wall clock is to be moved: nobody waits for a sign-in to grow old. */
export const movableClock = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(program)}` } as const;

/** From now on everybody who signed in did so longer than five minutes ago. */
export async function passSixMinutes(server: Pick<TestServer, "pid" | "stdout">): Promise<void> {
  const times = () => server.stdout().split(moved).length;
  const before = times();
  process.kill(server.pid, "SIGUSR2");
  await until("the clock of the server to move", () => times() > before);
}
