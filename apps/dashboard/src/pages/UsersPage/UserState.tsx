import { StateMark } from "../../ui/StateMark.tsx";
import styles from "./UsersPage.module.css";

export function UserState({ disabled }: { readonly disabled: boolean }) {
  return (
    <span className={styles.line}>
      <StateMark state={disabled ? "quiet" : "ok"} word={disabled ? "Disabled" : "May sign in"} />
    </span>
  );
}
