/** What of the list of nodes is shown, as its address says it. */
export interface NodeFilter {
  /** A standing, or one of `online`. */
  readonly state?: string;
  readonly tag?: string;
  readonly ceiling?: string;
  readonly version?: string;
  /** What the agent is built for. */
  readonly architecture?: string;
  readonly text?: string;
}

export const nodeFilterNames = ["state", "tag", "ceiling", "version", "architecture", "text"] as const;

export function nodesHref(filter: NodeFilter): string {
  const said = nodeFilterNames.flatMap((name) => searchOf(name, filter[name]));
  return said.length === 0 ? "/nodes" : `/nodes?${said.join("&")}`;
}

/** One part of an address, or none where nothing is said. */
export function searchOf(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`${name}=${encodeURIComponent(asSearchText(value))}`];
}

/** The router reads a value as JSON where it can: a version that looks like a number has to say that it is text. */
function asSearchText(value: string): string {
  try {
    JSON.parse(value);
    return JSON.stringify(value);
  } catch {
    return value;
  }
}
