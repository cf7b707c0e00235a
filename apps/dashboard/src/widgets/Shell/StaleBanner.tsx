import { useEffect } from "react";
import { useLive } from "../../api/events.ts";
import { Banner } from "../../ui/Banner.tsx";
import { hourAndMinute } from "../../ui/relative-time.ts";
import { lateFiles } from "../../api/until-loaded.ts";
import { RenewalBanner } from "../CrashView/RenewalBanner.tsx";
import styles from "./Shell.module.css";

/** Says over every page that what is shown no longer follows the server, and from when it is; or is of another version. */
export function StaleBanner() {
  const { state, staleFrom } = useLive();
  useEffect(() => {
    if (state === "live") lateFiles.tryNow();
  }, [state]);
  return (
    <div className={styles.stale}>
      {staleFrom !== undefined && (
        <Banner state="off" title="The server cannot be reached." live>
          What you see is from {hourAndMinute(staleFrom, Date.now())}. It renews itself.
        </Banner>
      )}
      <RenewalBanner />
    </div>
  );
}
