import type { Lifecycle } from "../../api/plugins.ts";
import { StateMark } from "../../ui/StateMark.tsx";
import styles from "./PluginsPage.module.css";

/** What this host offers to fence plugins in, and what it was told to accept. */
export function SandboxLine({ sandbox }: { readonly sandbox: Lifecycle["sandbox"] }) {
  const { level, isTried, least, message } = sandbox;
  if (!isTried) return <span className={styles.sandbox}>Sandbox not tested yet: there is no bundle to run.</span>;
  if (level === null) {
    return (
      <span className={styles.sandbox}>
        <StateMark state="bad" word="No plugin can run on this host." /> {message}
      </span>
    );
  }
  return (
    <span className={styles.sandbox}>
      Sandbox of this host: <b>{level}</b>. The least accepted is <b>{least}</b>. Found by trying: {message}.
    </span>
  );
}
