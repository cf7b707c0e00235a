import { type LiveState, useLive } from "../../api/events.ts";
import { type State, StateMark } from "../../ui/StateMark.tsx";
import styles from "./TopBar.module.css";

const looks: Readonly<Record<LiveState, { readonly state: State; readonly word: string; readonly says: string }>> = {
  live: { state: "ok", word: "Live", says: "Changes appear here as they happen." },
  reconnecting: { state: "run", word: "Reconnecting", says: "The stream of changes is being opened again." },
  offline: {
    state: "off",
    word: "Offline",
    says: "What you see may be old. The page goes on by itself when the server answers.",
  },
};

/** Whether what is on the screen follows the server. */
export function LiveMark() {
  const { state, word, says } = looks[useLive().state];
  return (
    <span className={styles.live} role="status" title={says}>
      <StateMark state={state} word={word} />
    </span>
  );
}
