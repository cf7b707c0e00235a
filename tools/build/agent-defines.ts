import { compareVersions } from "@gatehouse/base";
import { getReleaseKeys } from "../../apps/agent/src/trust/release-keys.ts";

/** What is said of a build when it is made, and stands in the program. */
export interface AgentBuildWords {
  /** Of the root package.json. */
  readonly packageVersion: string;
  /** Raw Ed25519 keys in base64: the one that signs releases now, and the one that will. */
  readonly releaseKeys?: readonly string[];
  /** For tests alone: it may hold the release key that everybody has, and any version. */
  readonly isTestBuild?: boolean;
  /** Another version than that of the sources. */
  readonly version?: string;
}

/** The words as Bun's compiler takes them. Throws for what no host may run. */
export function agentDefines(words: AgentBuildWords): string[] {
  const { packageVersion, releaseKeys = [], isTestBuild = false, version = packageVersion } = words;
  if (version !== packageVersion && !isTestBuild) {
    throw new Error(
      `expected version ${packageVersion} of the sources, found ${version}: only a build for tests has another`,
    );
  }
  // Throws for what is no version: hosts compare it.
  compareVersions(version, packageVersion);
  const text = releaseKeys.join(",");
  if (releaseKeys.length > 0) getReleaseKeys({ text, isTestBuild });
  return Object.entries({
    GATEHOUSE_AGENT_VERSION: version,
    GATEHOUSE_RELEASE_KEYS: text,
    GATEHOUSE_TEST_BUILD: isTestBuild,
  }).map(([name, value]) => `--define=${name}=${JSON.stringify(value)}`);
}
