import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { useMay } from "../../api/auth.ts";
import { plansStopQuery } from "../../api/plans.ts";
import { untilLoaded } from "../../api/until-loaded.ts";

const StopLine = lazy(async () => ({
  default: (await untilLoaded(() => import("../StopLine/StopLine.tsx"))).StopLine,
}));

/** A line under the top bar of every page while all plans are stopped. What it says is loaded then. */
export function WhenStopped() {
  const { data } = useQuery({ ...plansStopQuery, enabled: useMay("plan:read") });
  const stopped = data?.stopped ?? null;
  if (stopped === null) return null;
  return (
    <Suspense fallback={null}>
      <StopLine stopped={stopped} />
    </Suspense>
  );
}
