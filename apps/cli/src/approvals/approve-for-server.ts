import type { Surroundings } from "../command.ts";
import type { CheckedSection } from "../plans/check-section.ts";
import type { CheckedPlan } from "../plans/read-plan.ts";
import { readAddressBook } from "./address-book.ts";
import { checkLint } from "./check-lint.ts";
import { serverHosts } from "./choose-hosts.ts";
import { confirmDigest } from "./confirm-digest.ts";
import { approvedPlanLines, leftOutLines, trustingHostLines } from "./describe-approval.ts";

interface Deps {
  readonly surroundings: Surroundings;
  readonly now: number;
}

/** The same look at a plan for hosts whose root trusts the server: what is given there is a word, not a signature. */
export async function approveForServer(
  checked: CheckedPlan,
  { yes }: { readonly yes: string | undefined },
  { surroundings, now }: Deps,
): Promise<{ readonly trusting: readonly CheckedSection[]; readonly lines: readonly string[] }> {
  const { plan, sections, around } = checked;
  const { trusting, leftOut } = serverHosts(sections);
  checkLint(trusting, around);
  const known = { around, book: await readAddressBook(surroundings), now };
  const lines = [
    ...approvedPlanLines(checked),
    ...trusting.flatMap((one) => trustingHostLines(one, known)),
    ...leftOutLines(leftOut),
  ];
  await confirmDigest({ digest: plan.digest, yes, lines, terminal: surroundings.terminal });
  return { trusting, lines };
}
