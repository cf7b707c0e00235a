import { type Capability, capabilities, capabilityNames } from "@gatehouse/contract";

/** Where a name has to be written. No id of a publisher has capitals, so a policy with it is refused. */
const placeholder = "PUBLISHER";

/**
 * A trust policy that trusts one key: for ids that begin with the publisher's name, for what reaches no further than the
 * plugin's own things, and for what was asked for beside it.
 */
export function trustSnippet(
  { keyId, publicKey }: { readonly keyId: string; readonly publicKey: string },
  publisher = placeholder,
  more: readonly Capability[] = [],
) {
  const allowed = capabilityNames.filter((name) => capabilities[name].risk === "own" || more.includes(name));
  return {
    publishers: {
      [publisher]: { keys: [{ id: keyId, publicKey }], idPrefixes: [`${publisher}-`], capabilities: allowed },
    },
  };
}
