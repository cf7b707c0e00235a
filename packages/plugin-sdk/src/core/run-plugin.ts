import { openAction } from "./open-action.ts";
import type { Plugin } from "./plugin.ts";
import { sealWorld } from "./sealed-world.ts";

/**
 * Runs this process as a plugin: `<artifact> describe|health|plan`, one request on standard input, one answer on standard
 * output. Call it once, last, in the file that becomes the artifact.
 */
export function runPlugin(plugin: Plugin): void {
  // Standard output is the wire. What a library or a hurried author prints goes where it does no harm.
  const { Console } = globalThis.console;
  globalThis.console = new Console(process.stderr, process.stderr);
  const action = process.argv[2];
  if (action === "plan") sealWorld();

  const running = openAction(plugin, {
    action,
    send: (line) => process.stdout.write(`${line}\n`),
    end: ({ code, trouble }) => {
      if (trouble !== undefined) process.stderr.write(`${describe(trouble)}\n`);
      // Whatever timers and sockets are left: the action is answered. An empty write comes back when the answer is out.
      process.stdout.write("", () => process.exit(code));
    },
  });

  // A question may have megabytes: what has come is joined once, when its line ends.
  let parts: string[] = [];
  process.stdin.setEncoding("utf8");
  process.stdin.on("data", (part: string) => {
    const [first = "", ...others] = part.split("\n");
    parts.push(first);
    for (const next of others) {
      running.receive(parts.join(""));
      parts = [next];
    }
  });
  process.stdin.on("end", () => running.close());
}

function describe(trouble: unknown): string {
  return trouble instanceof Error ? (trouble.stack ?? trouble.message) : String(trouble);
}
