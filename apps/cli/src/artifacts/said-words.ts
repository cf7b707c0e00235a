import { basename } from "node:path";
import { UsageError } from "@gatehouse/command-line";
import { type ArtifactFacts, operations, releaseName } from "@gatehouse/plan";

export interface GivenWords {
  readonly file: string;
  readonly release?: true;
  readonly name?: string;
  readonly version: string;
  readonly architecture: string;
  readonly publisher?: string;
}

type Said<Facts> = Facts extends unknown ? Omit<Facts, "sha256" | "size" | "signature"> : never;

const ofRelease = operations["agent.update"].schema.pick({ version: true, architecture: true });
const ofBinary = operations["binary.replace"].schema.pick({
  name: true,
  version: true,
  architecture: true,
  publisher: true,
});

/** What somebody says of a file whose artifact they sign, refused by its field before the file is read. */
export function readSaidWords(given: GivenWords, topic: string): Said<ArtifactFacts> {
  const { file, name, version, architecture, publisher } = given;
  const words = { version, architecture };
  if (given.release === true) {
    const surplus = (["name", "publisher"] as const).find((flag) => given[flag] !== undefined);
    if (surplus !== undefined) throw new UsageError(`--${surplus} is for programs, and not for --release`, topic);
    return { kind: "release", name: releaseName, ...take(ofRelease.safeParse(words), topic) };
  }
  if (publisher === undefined) {
    throw new UsageError("whose it is: write --publisher ID, or --release for a release of the agent", topic);
  }
  const program = { name: name ?? basename(file), ...words, publisher };
  return { kind: "binary", ...take(ofBinary.safeParse(program), topic) };
}

type Reading<Words> =
  | { readonly success: true; readonly data: Words }
  | { readonly success: false; readonly error: { readonly issues: readonly Issue[] } };

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

function take<Words>(read: Reading<Words>, topic: string): Words {
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new UsageError(`--${issue?.path.join(".") ?? ""} ${issue?.message ?? "is not taken"}`, topic);
}
