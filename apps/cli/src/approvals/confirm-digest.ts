import { planWords } from "@gatehouse/channel";
import { UsageError } from "@gatehouse/command-line";
import { fault } from "@gatehouse/contract";
import type { Terminal } from "../terminal/terminal.ts";

/** Characters of the digest that a script has to know. */
const knownDigits = 12;

export function parseYes(text: string | undefined, topic: string): string | undefined {
  if (text === undefined || (text.length === knownDigits && /^[0-9a-f]*$/.test(text))) return text;
  throw new UsageError(`--yes takes the first ${knownDigits} characters of the plan's digest`, topic);
}

export interface ConfirmWish {
  readonly digest: string;
  /** What a script knows of the digest; without it a person is asked. */
  readonly yes: string | undefined;
  /** What is shown to the person before the question. */
  readonly lines: readonly string[];
  readonly terminal: Terminal;
}

/** Nothing is signed unless somebody names the plan by what was computed here: a reflex of the hand does not know its words. */
export async function confirmDigest({ digest, yes, lines, terminal }: ConfirmWish): Promise<void> {
  if (yes !== undefined) {
    if (digest.startsWith(yes)) return;
    throw fault("cli.not_confirmed", `--yes is for a plan whose digest begins with ${yes}; this one is ${digest}`);
  }
  const words = planWords(digest).slice(-2).join(" ");
  await terminal.show(lines);
  const typed = await terminal.ask("To approve exactly this, type the last two words of the digest: ");
  if (typed.trim().toLowerCase().split(/\s+/).join(" ") === words) return;
  throw fault("cli.not_confirmed", "what was typed is not the last two words of the digest");
}
