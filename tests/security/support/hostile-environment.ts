import { execFileSync } from "node:child_process";
import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** An environment in which every program that takes it over leaves a trace. */
export interface HostileEnvironment {
  readonly variables: Readonly<Record<string, string>>;
  /** `<what>-<process id>` of whatever ran because of it. */
  traces(): Promise<readonly string[]>;
}

/** Programs on the way to a plugin, and those a plugin's first line may name. */
const programs = ["node", "sh", "bash", "env", "prlimit", "setpriv", "bwrap", "python3", "id"];
/** Libraries of bubblewrap and the shell that Node does not need: with these in their place, they could not start. */
const libraries = ["libcap.so.2", "libselinux.so.1", "libtinfo.so.6", "libpcre2-8.so.0", "libcap-ng.so.0"];

export async function makeHostileEnvironment(place: string): Promise<HostileEnvironment> {
  const at = (name: string) => join(place, name);
  const ran = at("ran");
  for (const name of ["bin", "lib", "gconv", "coverage", "tmp"]) await mkdir(at(name), { recursive: true });
  await mkdir(ran, { mode: 0o777 });
  // A plugin may run as nobody: what it runs must be able to leave its trace.
  await chmod(place, 0o755);
  await chmod(ran, 0o777);
  for (const name of programs) {
    const real = name === "node" ? process.execPath : `/usr/bin/${name}`;
    await writeFile(at(`bin/${name}`), `#!/bin/sh\n: > '${ran}/${name}'-$$\nexec ${real} "$@"\n`, { mode: 0o755 });
  }
  for (const name of libraries) await writeFile(at(`lib/${name}`), "not a library");
  const preload = at("preload.cjs");
  await writeFile(
    preload,
    `require("node:fs").writeFileSync(${JSON.stringify(`${ran}/preload-`)} + process.pid, "");\n`,
  );
  const startup = at("startup.sh");
  await writeFile(startup, `: > '${ran}/startup'-$$\n`);
  await writeFile(at("gconv/gconv-modules"), "module INTERNAL EVIL// ../lib/evil 1\n");
  await writeFile(at("openssl.cnf"), "");
  const library = buildLibrary(at("lib/evil.so"), ran);
  return {
    variables: {
      PATH: `${at("bin")}:/usr/local/bin:/usr/bin:/bin`,
      NODE_OPTIONS: `--require=${preload}`,
      NODE_PATH: place,
      NODE_V8_COVERAGE: at("coverage"),
      NODE_EXTRA_CA_CERTS: at("openssl.cnf"),
      NODE_REDIRECT_WARNINGS: at("warnings"),
      LD_PRELOAD: library,
      LD_AUDIT: at("lib/no-such-audit.so"),
      LD_LIBRARY_PATH: at("lib"),
      GCONV_PATH: at("gconv"),
      LOCPATH: place,
      NLSPATH: `${place}/%N`,
      GLIBC_TUNABLES: "glibc.malloc.check=1",
      MALLOC_PERTURB_: "7",
      BASH_ENV: startup,
      ENV: startup,
      "BASH_FUNC_read%%": `() { : > '${ran}/function'-$$; }`,
      SHELLOPTS: "xtrace",
      PS4: `$(: > '${ran}/ps4'-$$)`,
      PROMPT_COMMAND: startup,
      CDPATH: place,
      IFS: "/",
      PYTHONPATH: place,
      PYTHONSTARTUP: startup,
      PERL5OPT: `-I${place}`,
      RUBYOPT: `-I${place}`,
      TMPDIR: at("tmp"),
      HOME: place,
      LANG: "evil.UTF-8",
      LC_ALL: "C",
      TZ: "Mars/Olympus",
      OPENSSL_CONF: at("openssl.cnf"),
      SSL_CERT_FILE: at("openssl.cnf"),
      HTTPS_PROXY: "http://127.0.0.1:9",
      http_proxy: "http://127.0.0.1:9",
      GATEHOUSE_ANYTHING: "canary",
      "odd name": "canary",
    },
    traces: () => readdir(ran),
  };
}

/** Leaves a trace in every process that loads it. Without a compiler, a name that the loader complains about. */
function buildLibrary(path: string, ran: string): string {
  const source = `#include <stdio.h>
#include <fcntl.h>
#include <unistd.h>
__attribute__((constructor)) static void leave_trace(void) {
  char name[512];
  snprintf(name, sizeof name, "%s/library-%d", "${ran}", (int)getpid());
  int fd = open(name, O_CREAT | O_WRONLY, 0600);
  if (fd >= 0) close(fd);
}
`;
  try {
    execFileSync("cc", ["-shared", "-fPIC", "-x", "c", "-o", path, "-"], {
      input: source,
      stdio: ["pipe", "ignore", "ignore"],
    });
  } catch {
    return path;
  }
  return path;
}
