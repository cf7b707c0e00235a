import { spawn } from "node:child_process";
import { fault } from "@gatehouse/contract/faults";
import { hostEnvironment } from "./run-on-host.ts";
import { serviceSettings, unitNames } from "./unit-files.ts";

/** Starts the agent's own program as the network part, hands it a text and gives what it printed. */
export type RunAsAgent = (binary: string, args: readonly string[], input: string) => Promise<string>;

/** What a unit that runs once has no use for, or what systemd-run says itself. */
const notForOnce = ["Type", "ExecStart", "Restart", "RestartSec", "RestartPreventExitStatus"];

/** The user whom systemd makes up for the agent's unit; under the same name both own the same directory. */
const agentUser = unitNames.agent.replace(/\.service$/, "");

/** The settings of the agent's own unit: what root starts to speak with a server has no more rights than what stays. */
export function asAgentArguments(binary: string, args: readonly string[]): string[] {
  const properties = serviceSettings(unitNames.agent, notForOnce);
  return [
    "--pipe",
    "--wait",
    "--collect",
    "--quiet",
    "--service-type=exec",
    "--description=Gatehouse agent: enrolment of this host",
    ...[...properties, `User=${agentUser}`, "RuntimeMaxSec=300"].map((line) => `--property=${line}`),
    "--",
    binary,
    ...args,
  ];
}

const outputBytes = 256 * 1024;

/** The text goes over a pipe: arguments and environment can be seen by others on the host. */
export const runAsAgent: RunAsAgent = (binary, args, input) =>
  new Promise((resolve, reject) => {
    const failed = (why: string, cause?: unknown) =>
      reject(fault("agent.command_failed", `systemd-run ${why}`, { cause }));
    const child = spawn("systemd-run", asAgentArguments(binary, args), {
      env: hostEnvironment,
      stdio: ["pipe", "pipe", "pipe"],
    });
    let [out, err] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out = (out + text).slice(0, outputBytes);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      err = (err + text).slice(0, outputBytes);
    });
    child.on("error", (error) => failed("could not be started", error));
    // One that ends early takes no input; its exit says why.
    child.stdin.on("error", () => undefined);
    child.on("close", (code) => {
      if (out.trim() !== "") return resolve(out);
      failed(`ended with ${code ?? "no exit code"} and said: ${err.trim().split("\n")[0]?.slice(0, 300) ?? ""}`);
    });
    child.stdin.end(input);
  });
