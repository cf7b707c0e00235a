import { expect, test } from "vitest";
import { actionEnvironment } from "./action-environment.ts";
import { commandLine, type SandboxSetup } from "./command-line.ts";
import { processLimits } from "./limits.ts";

const setup: SandboxSetup = {
  level: "landlock",
  prlimit: "/usr/bin/prlimit",
  setpriv: "/usr/bin/setpriv",
  bwrap: "/usr/bin/bwrap",
  systemPaths: [
    { path: "/bin", link: "usr/bin" },
    { path: "/opt-lib", link: undefined },
  ],
  publicFiles: ["/etc/ssl/openssl.cnf"],
  node: "/opt/node",
  filterPath: "/run/gatehouse/filter",
  isRoot: false,
  tag: 77,
};
const command = {
  stagedDirectory: "/run/gatehouse/abc",
  action: "--describe; $(x)",
  limits: processLimits({ deadlineMs: 10_000, artifactBytes: 5, runningTasks: 40, tag: 77 }),
  environment: actionEnvironment({ TZ: "UTC" }),
};

test("the limits come first and cover memory, addresses, CPU, processes, files, descriptors, timers and core dumps", () => {
  const { program, args } = commandLine(setup, command);
  expect(program).toBe("/usr/bin/prlimit");
  expect(args.slice(0, args.indexOf("--"))).toEqual([
    "--data=805306368",
    "--as=17179869184",
    "--cpu=11",
    "--nproc=168",
    "--fsize=16777216",
    "--nofile=64",
    "--sigpending=512",
    "--core=0",
    "--memlock=65536",
    "--rttime=77",
  ]);
});

test("under Landlock the plugin may read programs and its own copy, and write to nothing but /dev/null", () => {
  const { args } = commandLine(setup, command);
  const rules = args.filter((word) => word.startsWith("path-beneath:"));
  expect(rules).toEqual([
    "path-beneath:execute,read-file,read-dir:/usr",
    "path-beneath:execute,read-file,read-dir:/run/gatehouse/abc",
    "path-beneath:execute,read-file,read-dir:/opt-lib",
    "path-beneath:read-file,write-file:/dev/null",
    "path-beneath:read-file:/dev/urandom",
    "path-beneath:read-file:/run/gatehouse/filter",
    "path-beneath:read-file:/etc/ssl/openssl.cnf",
  ]);
  expect(args).toContain("--no-new-privs");
});

test("under Landlock the filter is loaded when no rule is left to be made, so that it need not let a plugin make any", () => {
  const { args } = commandLine(setup, command);
  const last = args.findLastIndex((word) => word.startsWith("path-beneath:"));
  expect(args.slice(last + 1).join(" ")).toBe(
    "-- /usr/bin/setpriv --seccomp-filter /run/gatehouse/filter -- /proc/self/fd/3 --describe; $(x)",
  );
});

test("in namespaces everything is read-only, the artifact comes from the descriptor, and nothing else of the host is there", () => {
  const { args } = commandLine({ ...setup, level: "namespaces" }, command);
  const sources = args.flatMap((word, index) => (/^--(ro-)?(dev-)?bind$/.test(word) ? [args[index + 1]] : []));
  expect(sources).toEqual(["/usr", "/opt-lib", "/opt/node", "/dev/null", "/dev/urandom"]);
  expect(args).not.toContain("--bind");
  expect(args).not.toContain("--proc");
  expect(args.join(" ")).toContain("--perms 0555 --ro-bind-data 3 /plugin --remount-ro /");
  expect(args.join(" ")).toContain("--clearenv --setenv PATH /usr/local/bin:/usr/bin:/bin");
  expect(args).not.toContain("/usr/bin/setpriv");
});

test("as root a plugin becomes nobody before the namespaces, and has no capability to regain under Landlock", () => {
  const inside = commandLine({ ...setup, level: "namespaces", isRoot: true }, command).args;
  expect(inside.indexOf("--reuid=65534")).toBeLessThan(inside.indexOf("/usr/bin/bwrap"));
  expect(commandLine({ ...setup, isRoot: true }, command).args).toContain("--bounding-set=-all");
});

test("the action is one literal word at the end, behind the last --, on every level", () => {
  for (const level of ["namespaces", "landlock", "none"] as const) {
    const { args } = commandLine({ ...setup, level }, command);
    expect(args.at(-1)).toBe("--describe; $(x)");
    expect(args.at(-3)).toBe("--");
  }
});

test("an artifact larger than the limit of file size can still be copied into the namespaces", () => {
  expect(processLimits({ deadlineMs: 500, artifactBytes: 100e6, runningTasks: 0, tag: 1 })).toMatchObject({
    fileBytes: 100e6,
    cpuSeconds: 2,
  });
});

test("nothing of the server's environment reaches a plugin, and no caller can hand over what a loader reads", () => {
  expect(actionEnvironment()).toEqual({
    PATH: "/usr/local/bin:/usr/bin:/bin",
    LANG: "C.UTF-8",
    HOME: "/nonexistent",
  });
  expect(actionEnvironment({ GATEHOUSE_PLUGIN: "netguard" })).toMatchObject({ GATEHOUSE_PLUGIN: "netguard" });
  for (const name of ["LD_PRELOAD", "NODE_OPTIONS", "PATH", "HOME", "", "gatehouse_x", "GATEHOUSE_a", "PYTHONPATH"])
    expect(() => actionEnvironment({ [name]: "x" })).toThrow(TypeError);
  expect(() => actionEnvironment({ TZ: "a\0b" })).toThrow(TypeError);
});
