import {
  type BundleRefusal,
  type Check,
  openBundle,
  refuseUnopened,
  type TrustPolicy,
  type Verdict,
  type VerifiedBundle,
  verifyBundle,
} from "@gatehouse/bundle/verify";
import type { Clock } from "@gatehouse/base";
import { isFault } from "@gatehouse/contract";

export interface JudgeDeps {
  /** SERVICE_PLUGIN_DIR. */
  readonly directory: string;
  readonly policy: TrustPolicy;
  readonly clock: Pick<Clock, "now">;
}

/** What stands under a name in the plugin directory at this moment. */
export type Judged =
  | { readonly kind: "absent" }
  | { readonly kind: "accepted"; readonly checks: readonly Check[]; readonly bundle: VerifiedBundle }
  | {
      readonly kind: "rejected";
      readonly checks: readonly Check[];
      readonly refusal: BundleRefusal;
      /** The id that the manifest claims; believed by nobody. */
      readonly claimedId: string | undefined;
    };

/** Reads and judges one bundle. Never throws: what cannot be judged is rejected, and what is not there is absent. */
export async function judgeOnDisk({ directory, policy, clock }: JudgeDeps, name: string): Promise<Judged> {
  try {
    const bundle = await openBundle(directory, name);
    try {
      return toJudged(await verifyBundle({ bundle, policy, now: clock.now() }));
    } finally {
      await bundle.close();
    }
  } catch (error) {
    if (isFault(error, "bundle.file_missing") && error.fields["missing"] === "bundle") return { kind: "absent" };
    return toJudged(refuseUnopened(error));
  }
}

function toJudged(verdict: Verdict): Judged {
  const { checks } = verdict;
  if (verdict.accepted) return { kind: "accepted", checks, bundle: verdict.bundle };
  return { kind: "rejected", checks, refusal: verdict.refusal, claimedId: verdict.manifest?.id };
}
