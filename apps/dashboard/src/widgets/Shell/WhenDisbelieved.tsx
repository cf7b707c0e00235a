import { useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { useMay } from "../../api/auth.ts";
import { untilLoaded } from "../../api/until-loaded.ts";
import { disbeliefQuery } from "../../api/witnesses.ts";

const WitnessBand = lazy(async () => ({
  default: (await untilLoaded(() => import("../WitnessBand/WitnessBand.tsx"))).WitnessBand,
}));

/** On every page while a host refuses the log, but not on the overview, whose first sentence says it. What it says is loaded then. */
export function WhenDisbelieved() {
  const { data } = useQuery({ ...disbeliefQuery, enabled: useMay("audit:read") });
  const isSaid = useLocation({ select: ({ pathname }) => pathname === "/" });
  if (isSaid || data === undefined || data.items.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <WitnessBand read={data} />
    </Suspense>
  );
}
