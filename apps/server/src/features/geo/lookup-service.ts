/** The service that a template names. */
export interface LookupService {
  /** How people know it. */
  readonly host: string;
  readonly origin: string;
  /** Where one address is asked for. Only public ones are, in their one form. */
  urlFor(address: string): string;
}

/** Undefined when lookups are off. What stands in the template beside the host may be a secret, and is in no name. */
export function lookupServiceOf(template: string): LookupService | undefined {
  if (template === "off") return undefined;
  const urlFor = (address: string) => template.replaceAll("{ip}", encodeURIComponent(address));
  const { host, origin } = new URL(urlFor("192.0.2.1"));
  return { host, origin, urlFor };
}
