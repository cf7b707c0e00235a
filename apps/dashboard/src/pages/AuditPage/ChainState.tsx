import { lazy, Suspense } from "react";
import { untilLoaded } from "../../api/until-loaded.ts";
import { Link } from "../../ui/Link.tsx";
import { ChainDrawing } from "./ChainDrawing.tsx";
import { ChainFacts } from "./ChainFacts.tsx";
import { heldHeads } from "./held-heads.ts";
import type { Chain } from "./use-chain.ts";

// Seldom needed, and whoever reads it takes time.
const DisbeliefView = lazy(async () => ({
  default: (await untilLoaded(() => import("./DisbeliefView.tsx"))).DisbeliefView,
}));
const WitnessSheet = lazy(async () => ({
  default: (await untilLoaded(() => import("./WitnessSheet.tsx"))).WitnessSheet,
}));

export interface ChainStateProps {
  readonly chain: Chain;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  readonly onClose: () => void;
}

/** What is known of the chain: four facts and the line; or, while a host says that this is another log, what that means. */
export function ChainState({ chain, isOpen, onOpen, onClose }: ChainStateProps) {
  const { verdict, check, ends, asked, witnesses, disbelief } = chain;
  const heads = heldHeads(witnesses.data?.items ?? []);
  return (
    <>
      {disbelief === undefined ? (
        <>
          <ChainFacts
            verdict={verdict}
            check={check.data}
            ends={ends}
            askedAt={asked.data?.at ?? 0}
            witnesses={witnesses.data}
            onWitnesses={() => <WhoElse isNobody={heads.length === 0} onOpen={onOpen} />}
          />
          <ChainDrawing ends={ends} heads={heads} />
        </>
      ) : (
        <Suspense fallback={null}>
          <DisbeliefView chain={chain} disbelief={disbelief} />
        </Suspense>
      )}
      {isOpen && (
        <Suspense fallback={null}>
          <WitnessSheet witnesses={witnesses.data} onClose={onClose} />
        </Suspense>
      )}
    </>
  );
}

function WhoElse({ isNobody, onOpen }: Pick<ChainStateProps, "onOpen"> & { readonly isNobody: boolean }) {
  return (
    <Link
      href="/audit?witnesses=true"
      look="quiet"
      onClick={(event) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        onOpen();
      }}
    >
      {isNobody ? "What helps" : "Which hosts"}
    </Link>
  );
}
