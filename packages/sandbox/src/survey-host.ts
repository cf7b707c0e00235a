import { accessSync, constants, existsSync, lstatSync, readlinkSync, realpathSync } from "node:fs";
import type { SandboxSetup, SystemPath } from "./command-line.ts";
import { newTag } from "./tags.ts";

/** Looks what this host has; whether it works is for `detectSandbox` to try. */
export function surveyHost(): Omit<SandboxSetup, "level" | "filterPath"> {
  const isRoot = process.getuid?.() === 0;
  return {
    prlimit: findProgram("prlimit") ?? "/usr/bin/prlimit",
    setpriv: findProgram("setpriv"),
    bwrap: findProgram("bwrap"),
    systemPaths: ["/bin", "/lib", "/lib64"].flatMap(systemPath),
    // OpenSSL inside Node ends the process when the file exists and may not be read. The other is a table of libraries.
    publicFiles: ["/etc/ssl/openssl.cnf", "/etc/ld.so.cache"]
      .filter((path) => existsSync(path))
      .map((path) => realpathSync(path)),
    node:
      existsSync("/usr/local/bin") && everybodyReaches(process.execPath) ? realpathSync(process.execPath) : undefined,
    isRoot,
    tag: newTag(),
  };
}

/** Only where the distribution puts them; never by PATH. */
function findProgram(name: string): string | undefined {
  return ["/usr/bin", "/bin"]
    .map((directory) => `${directory}/${name}`)
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

function systemPath(path: string): SystemPath[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  return [{ path, link: found.isSymbolicLink() ? readlinkSync(path) : undefined }];
}

/** Inside, the plugin is nobody: each directory on the way must let everybody through. */
function everybodyReaches(path: string): boolean {
  const real = realpathSync(path);
  const steps = real.split("/").slice(1);
  return steps.every((_, index) => {
    const { mode } = lstatSync(`/${steps.slice(0, index + 1).join("/")}`);
    return (mode & 0o001) !== 0;
  });
}
