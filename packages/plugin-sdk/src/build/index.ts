/**
 * Build: turns a plugin's sources into the one artifact file that is signed and run.
 * Never brings a bundler of its own and never signs; the caller passes the one, `gatehouse plugin sign` does the other.
 */
export { type Bundled, buildArtifact, type BuildOptions, type BuiltArtifact } from "./build-artifact.ts";
