/** Put in when the agent is compiled, from the root package.json and from nothing else: the same sources give the same bytes. */
declare const GATEHOUSE_AGENT_VERSION: string | undefined;

/** Whether this is the one file that hosts run, and not its sources. */
export const isCompiled = typeof GATEHOUSE_AGENT_VERSION === "string";

/** What runs from sources is no release, and says so. */
export const agentVersion = typeof GATEHOUSE_AGENT_VERSION === "string" ? GATEHOUSE_AGENT_VERSION : "0.0.0-source";

/**
 * When the sources of this version were made, written by hand with each release: no time of compiling is in the program. A clock
 * that is earlier was never set.
 */
export const agentMadeAt = Date.UTC(2026, 10, 1);
