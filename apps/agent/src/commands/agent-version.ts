/** Put in when the agent is compiled, from the root package.json and from nothing else: the same sources give the same bytes. */
declare const GATEHOUSE_AGENT_VERSION: string | undefined;

declare const GATEHOUSE_RELEASE_KEYS: string | undefined;
declare const GATEHOUSE_TEST_BUILD: boolean | undefined;

/** Whether this is the one file that hosts run, and not its sources. */
export const isCompiled = typeof GATEHOUSE_AGENT_VERSION === "string";

/** What runs from sources is no release, and says so. */
export const agentVersion = typeof GATEHOUSE_AGENT_VERSION === "string" ? GATEHOUSE_AGENT_VERSION : "0.0.0-source";

/**
 * When the sources of this version were made, written by hand with each release: no time of compiling is in the program. A clock
 * that is earlier was never set.
 */
export const agentMadeAt = Date.UTC(2026, 10, 1);

/** A build for tests alone: it may hold the release key that everybody has, and any version. It says so wherever it says its version. */
export const isTestBuild = typeof GATEHOUSE_TEST_BUILD === "boolean" && GATEHOUSE_TEST_BUILD;

/** For whoever looks at a host that runs one. */
export const testBuildWords =
  "This is a build for tests: no host should run it, because anybody can sign a release for it.";

/** The keys that releases are signed with, as base64 with commas between: none in what was compiled without one. */
export const releaseKeyText = typeof GATEHOUSE_RELEASE_KEYS === "string" ? GATEHOUSE_RELEASE_KEYS : "";

/** Written by hand: no release before this one is taken, whatever runs. It rises when hosts must not go back behind a release. */
export const releaseFloor = "0.2.1-alpha.2";
