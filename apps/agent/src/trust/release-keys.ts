import { fault } from "@gatehouse/contract/faults";
import { keyIdOf, loadPublicKey } from "@gatehouse/keys";

/** A raw Ed25519 key whose releases this agent takes, by the id that follows from it. */
export interface ReleaseKey {
  readonly id: string;
  readonly key: Uint8Array;
}

/** The key that signs now, and the one that will. */
export const mostReleaseKeys = 2;

/** Everybody has its private half: it stands in the tests. Only builds that say they are for tests may hold it. */
export const testReleaseKey = "W2SJycf9Dc9QVF58FkiG70BJHsBsfxsSMEF5foEXU14=";

export interface CompiledKeys {
  /** As they were compiled in: base64, with commas between. */
  readonly text: string;
  readonly isTestBuild: boolean;
}

/** The keys that releases are signed with. Throws where none was compiled in, or one that no host may believe. */
export function getReleaseKeys({ text, isTestBuild }: CompiledKeys): readonly ReleaseKey[] {
  const texts = text === "" ? [] : text.split(",");
  if (texts.length === 0) throw fault("release.key_absent", "expected a release key in the agent, found none");
  if (texts.length > mostReleaseKeys) throw malformed(`at most ${mostReleaseKeys}`, String(texts.length));
  if (new Set(texts).size !== texts.length) throw malformed("each once", "one twice");
  if (!isTestBuild && texts.includes(testReleaseKey)) {
    throw fault(
      "release.test_key",
      "expected the key of releases, found the key of tests in a build that is for hosts",
    );
  }
  return texts.map((base64) => {
    const key = new Uint8Array(Buffer.from(base64, "base64"));
    if (Buffer.from(key).toString("base64") !== base64) throw malformed("padded base64", "something else");
    // One that anybody can sign for is refused before it is used.
    loadPublicKey(key, "the release key");
    return { id: keyIdOf(key), key };
  });
}

function malformed(expected: string, found: string): Error {
  return fault("release.key_absent", `release keys: expected ${expected}, found ${found}`);
}
