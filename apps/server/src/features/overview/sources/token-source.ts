import type { Principal } from "../../../platform/route/index.ts";
import { overviewLimits } from "../limits.ts";
import { cutFindings, type OverviewSource } from "../overview-source.ts";

export interface EndingToken {
  readonly id: string;
  readonly name: string;
  readonly owner: { readonly id: string; readonly username: string };
  readonly expiresAt: number;
}

export interface TokenSourceDeps {
  /** Those that the asker may see, are not revoked, and end in this time; the first to end first. */
  readonly listEndingTokens: (
    asker: { readonly principal: Principal; readonly isEvery: boolean },
    within: { readonly after: number; readonly before: number },
  ) => Promise<readonly EndingToken[]>;
}

export function tokenSource({ listEndingTokens }: TokenSourceDeps): OverviewSource {
  return {
    about: "tokens",
    kinds: ["token_expiring"],
    read: async ({ principal, seen, now }) => {
      const asker = { principal, isEvery: seen.isEvery };
      const ending = await listEndingTokens(asker, { after: now, before: now + overviewLimits.tokenMs });
      return [
        cutFindings("token_expiring", ending, ({ id, name, owner, expiresAt }) => ({
          subject: { type: "token", id, name },
          title: `Token ${name} ends`,
          line: `${owner.id === principal.id ? "Your token" : `A token of ${owner.username}`}. Whatever uses it is refused from then on.`,
          until: expiresAt,
        })),
      ];
    },
  };
}
