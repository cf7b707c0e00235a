import { lazy, Suspense, useSyncExternalStore } from "react";
import { onProofChange, pendingProof } from "../../api/proof.ts";
import { untilLoaded } from "../../api/until-loaded.ts";

const ProofDialog = lazy(async () => ({
  default: (await untilLoaded(() => import("./ProofDialog.tsx"))).ProofDialog,
}));

/** Stands beside the pages, once: whatever request needs a proof, the person is asked here, over the page. */
export function ProofDialogs() {
  const pending = useSyncExternalStore(onProofChange, pendingProof);
  if (pending === undefined) return null;
  return (
    <Suspense fallback={null}>
      <ProofDialog pending={pending} />
    </Suspense>
  );
}
