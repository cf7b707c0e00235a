import { useEffect } from "react";
import { tellOddity } from "../../perf/perf.ts";
import { Button } from "../../ui/Button.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { lateFiles } from "../../api/until-loaded.ts";
import { useLateState } from "./use-late-state.ts";
import { lateWords } from "./late-words.ts";
import styles from "./CrashView.module.css";

/** What stands in the place of a page whose files are still on their way. */
export function LatePage() {
  const state = useLateState();
  useEffect(() => {
    if (state === "stuck") tellOddity("a part of the page does not come", lateFiles.lastError);
  }, [state]);
  if (state === "none") return <Skeleton count={8} label="Loading the page" />;
  const { title, says } = lateWords[state];
  return (
    <section className={styles.crash} role="status">
      <h1>{title}</h1>
      <p>{says}</p>
      <p>
        {state === "waiting" ? (
          <Button onClick={lateFiles.tryNow}>Try again</Button>
        ) : (
          <Button onClick={() => location.reload()}>Load the page again</Button>
        )}
      </p>
    </section>
  );
}
