import { execFileSync } from "node:child_process";
import { type BuildStamp, channels } from "../../apps/server/src/platform/build-info/index.ts";

export interface StampInput {
  readonly root: string;
  readonly version: string;
  /** `dev` unless a release says otherwise. */
  readonly channel?: string | undefined;
  /** For builds whose source has no `.git`, such as an image's. */
  readonly commit?: string | undefined;
  /** `SOURCE_DATE_EPOCH`: the same source then gives the same stamp. */
  readonly sourceDateEpoch?: string | undefined;
  readonly now: number;
}

/** What this build was made from. What cannot be known is `unknown`; what is asked for and cannot be is refused. */
export function makeStamp(input: StampInput): BuildStamp {
  const channel = channels.find((name) => name === (input.channel ?? "dev"));
  if (channel === undefined) throw new Error(`--channel: expected ${channels.join(", ")}, found ${input.channel}`);
  if (channel === "stable" && input.version.includes("-")) {
    throw new Error(`--channel stable: expected a release version, found ${input.version}`);
  }
  return { commit: input.commit ?? findCommit(input.root), builtAt: timeOf(input), channel };
}

function timeOf({ sourceDateEpoch, now }: StampInput): string {
  if (sourceDateEpoch === undefined || sourceDateEpoch === "") return new Date(now).toISOString();
  if (!/^[0-9]{1,11}$/.test(sourceDateEpoch)) {
    throw new Error(`SOURCE_DATE_EPOCH: expected whole seconds since 1970, found ${JSON.stringify(sourceDateEpoch)}`);
  }
  return new Date(Number(sourceDateEpoch) * 1000).toISOString();
}

function findCommit(root: string): string {
  try {
    const output = execFileSync("git", ["-C", root, "rev-parse", "HEAD"], { stdio: ["ignore", "pipe", "ignore"] });
    return output.toString("utf8").trim();
  } catch {
    return "unknown";
  }
}
