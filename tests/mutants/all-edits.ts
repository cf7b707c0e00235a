import type { Edit } from "./edit.ts";
import { accessEdits } from "./edits/access.ts";
import { applyEdits } from "./edits/apply.ts";
import { bundleEdits } from "./edits/bundles.ts";
import { edgeEdits } from "./edits/edge.ts";
import { fleetEdits } from "./edits/fleet.ts";
import { geoEdits } from "./edits/geo.ts";
import { lifecycleEdits } from "./edits/lifecycle.ts";
import { proxyEdits } from "./edits/proxy.ts";
import { runtimeEdits } from "./edits/runtime.ts";

const onlyInContainer = "only the image shows it, and an image is not built for every edit: npm run lab:container";

const onlyOnHosts = "only a real host shows it, and no agent is built for every edit: npm run lab";

export const edits: readonly Edit[] = [
  ...lifecycleEdits,
  ...bundleEdits,
  ...runtimeEdits,
  ...edgeEdits,
  ...proxyEdits,
  ...accessEdits,
  ...fleetEdits,
  ...applyEdits,
  ...geoEdits,
];

/** Breaks nothing: were it killed, the others would be killed by something else than what they break. */
export const control: Edit = {
  id: "8-1z",
  file: "apps/server/src/edge/request-log.ts",
  old: "/** Contract 5.2: by default only",
  new: "/** By default only",
  by: "1000 ms is not slow",
};

/** Held rows that no edit here can show to be held, and why. */
export const withoutEdit: Readonly<Record<string, string>> = {
  "1-9": onlyOnHosts,
  "1-10": onlyInContainer,
  "1-11": onlyOnHosts,
  "2.2-2": onlyInContainer,
  "10-1": onlyInContainer,
  "10-2": onlyInContainer,
  "10-3": onlyInContainer,
};
