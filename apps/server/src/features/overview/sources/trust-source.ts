import { overviewLimits } from "../limits.ts";
import { cutFindings, type OverviewSource } from "../overview-source.ts";

export interface TrustSourceDeps {
  readonly policy: {
    readonly publishers: ReadonlyMap<
      string,
      { readonly id: string; readonly keys: readonly { readonly id: string; readonly notAfter?: number | undefined }[] }
    >;
    readonly revoked: { readonly keys: ReadonlySet<string> };
  };
}

/** Keys of publishers that end soon, or have ended not long ago; of those without an end there is nothing to say. */
export function trustSource({ policy }: TrustSourceDeps): OverviewSource {
  const keys = [...policy.publishers.values()]
    .flatMap(({ id: publisher, keys: own }) => own.map(({ id, notAfter }) => ({ publisher, id, notAfter })))
    .flatMap(({ notAfter, ...key }) => (notAfter === undefined ? [] : [{ ...key, notAfter }]))
    .filter(({ id }) => !policy.revoked.keys.has(id))
    .toSorted((a, b) => a.notAfter - b.notAfter);
  return {
    about: "trust policy",
    kinds: ["key_expiring"],
    read: ({ now }) => [
      cutFindings(
        "key_expiring",
        keys.filter(({ notAfter }) => Math.abs(notAfter - now) <= overviewLimits.keyMs),
        ({ publisher, id, notAfter }) => ({
          subject: { type: "key", id, name: id },
          title: `A key of ${publisher} ${notAfter <= now ? "has ended" : "ends"}`,
          line: `${id}. What it alone has signed is not loaded at a start after that.`,
          until: notAfter,
        }),
      ),
    ],
  };
}
