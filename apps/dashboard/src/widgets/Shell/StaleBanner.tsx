import { useLive } from "../../api/events.ts";
import { Banner } from "../../ui/Banner.tsx";
import { hourAndMinute } from "../../ui/relative-time.ts";
import styles from "./Shell.module.css";

/** Says over every page that what is shown no longer follows the server, and from when it is. */
export function StaleBanner() {
  const { staleFrom } = useLive();
  if (staleFrom === undefined) return null;
  return (
    <div className={styles.stale}>
      <Banner state="off" title="The server cannot be reached." live>
        What you see is from {hourAndMinute(staleFrom, Date.now())}. It renews itself.
      </Banner>
    </div>
  );
}
