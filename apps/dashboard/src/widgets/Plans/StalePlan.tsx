import { Banner } from "../../ui/Banner.tsx";

/** A move was refused, because the plan is no longer what the person saw. */
export function StalePlan() {
  return (
    <Banner state="warn" live title="Nothing was done: the plan has changed meanwhile.">
      Close this, look at what became of it, and decide again.
    </Banner>
  );
}
