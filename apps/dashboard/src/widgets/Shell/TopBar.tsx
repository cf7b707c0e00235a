import { useLiveState } from "../../api/events.ts";
import { useShownTitle } from "../PageTitle/page-title.ts";
import styles from "./TopBar.module.css";

export function TopBar() {
  const title = useShownTitle();
  const live = useLiveState();
  return (
    <header className={styles.bar}>
      <b>{title}</b>
      <span className={styles.right}>{live}</span>
    </header>
  );
}
