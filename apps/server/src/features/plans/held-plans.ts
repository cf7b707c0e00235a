import type { Blobs } from "@gatehouse/store/blobs";
import { holdLast } from "./hold-last.ts";
import { plansLimits } from "./limits.ts";
import { openPlanHosts } from "./plan-hosts.ts";
import { readDocument } from "./read-document.ts";

/** Plans as they were read. One is reviewed, approved and sent in turn: it is read once, as long as it is one of the last few. */
export function openHeldPlans({ blobs }: { readonly blobs: Blobs }) {
  const documentOf = holdLast(plansLimits.heldDocuments, (digest) => readDocument(blobs, digest));
  return { documentOf, hostsOf: openPlanHosts({ blobs, documentOf }) };
}

export type HeldPlans = ReturnType<typeof openHeldPlans>;
