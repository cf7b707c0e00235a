import { type Capability, capabilities, capabilityNames } from "@gatehouse/contract";

/** Where a name has to be written. No id of a publisher has capitals, so a policy with it is refused. */
const placeholder = "PUBLISHER";

/**
 * A trust policy that trusts one key: for ids that begin with the publisher's name, and for what reaches no further than
 * the plugin's own things. Whoever wants to allow more adds it, and reads about it first.
 */
export function trustSnippet({ keyId, publicKey }: { keyId: string; publicKey: string }, publisher = placeholder) {
  const own = capabilityNames.filter((name: Capability) => capabilities[name].risk === "own");
  return {
    publishers: {
      [publisher]: { keys: [{ id: keyId, publicKey }], idPrefixes: [`${publisher}-`], capabilities: own },
    },
  };
}
