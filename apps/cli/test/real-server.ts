import { join, resolve } from "node:path";
import { childEnvironment } from "../../../tests/support/child-environment.ts";
import { Program } from "./program.ts";

export const root = resolve(import.meta.dirname, "../../..");
export const owner = { username: "admin", password: "seven lazy otters" } as const;

/** Moves the wall clock of the server's process by six minutes at each SIGUSR2: nobody waits for a sign-in to grow old. */
const movableClock = `
const now = Date.now;
let ahead = 0;
Date.now = () => now() + ahead;
process.on("SIGUSR2", () => {
  ahead += 6 * 60_000;
  process.stdout.write("the clock was moved\\n");
});`;

export interface RealServer {
  readonly url: string;
  readonly dataDir: string;
  /** From now on everybody who signed in did so longer than five minutes ago. */
  passSixMinutes(): Promise<void>;
  /** Leaves the data behind. */
  stop(): Promise<void>;
  /** For the end of a test that did not come so far. */
  kill(): void;
}

/** Starts the product's own server on a free port; its data lies in `directory`. */
export async function startRealServer(directory: string): Promise<RealServer> {
  const dataDir = join(directory, "data");
  const words = [
    "--import",
    `data:text/javascript,${encodeURIComponent(movableClock)}`,
    join(root, "apps/server/src/main.ts"),
  ];
  const program = new Program(process.execPath, words, {
    cwd: directory,
    env: childEnvironment({
      SERVICE_LISTEN: "127.0.0.1:0",
      SERVICE_DATA_DIR: dataDir,
      SERVICE_ADMIN_USERNAME: owner.username,
      SERVICE_ADMIN_PASSWORD: owner.password,
      SERVICE_SIGNIN_RATE: "1000",
    }),
  });
  await program.waitFor("listening");
  await program.waitFor("\n");
  const port = /port=(\d+)/.exec(program.out)?.[1] ?? "";
  return {
    url: `http://127.0.0.1:${port}`,
    dataDir,
    passSixMinutes: async () => {
      program.child.kill("SIGUSR2");
      await program.waitFor("the clock was moved");
    },
    kill: () => void program.child.kill("SIGKILL"),
    stop: async () => {
      program.child.kill("SIGTERM");
      const { code, out, err } = await program.ended;
      if (code !== 0) throw new Error(`the server ended with ${code}:\n${out}\n${err}`);
    },
  };
}
