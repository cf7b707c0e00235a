import { runScenarios } from "../support/run-scenarios.ts";
import { changedBytes } from "./changed-bytes.ts";
import { generatedManifests } from "./generated-manifests.ts";
import { generatedPolicies } from "./generated-policies.ts";
import { wronglyAccepted } from "./harms.ts";
import { swappedFiles } from "./swapped-files.ts";

/** `npm run bundles:hostile [-- --short] [-- --seed N] [-- --only name]`: tries to get bytes accepted that nobody signed. */
await runScenarios({
  suite: "bundles:hostile",
  scenarios: [changedBytes, generatedManifests, swappedFiles, generatedPolicies],
  harms: [wronglyAccepted],
});
