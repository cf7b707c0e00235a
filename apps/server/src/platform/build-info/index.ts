/**
 * Build info: which build this is, for `GET /api/version` and the command line.
 * Never guesses: what the build did not stamp is `unknown`.
 */
export { type BuildInfo, readBuildInfo } from "./read-build-info.ts";
export { type BuildStamp, channels, stampFileName } from "./stamp-format.ts";
