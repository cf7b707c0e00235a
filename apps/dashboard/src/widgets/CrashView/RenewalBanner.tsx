import { Banner } from "../../ui/Banner.tsx";
import { Button } from "../../ui/Button.tsx";
import { lateWords } from "./late-words.ts";
import { useLateState } from "./use-late-state.ts";

/** Offers what the page does not do by itself while somebody types in it. */
export function RenewalBanner() {
  const state = useLateState();
  if (state === "none" || state === "waiting") return null;
  const { title, says } = lateWords[state];
  return (
    <Banner
      state="wait"
      live
      title={title}
      action={
        <Button size="small" onClick={() => location.reload()}>
          Load the page again
        </Button>
      }
    >
      {says}
    </Banner>
  );
}
