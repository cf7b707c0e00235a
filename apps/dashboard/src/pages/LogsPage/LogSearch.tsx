import { LaterInput } from "../../widgets/LaterInput/LaterInput.tsx";
import styles from "./LogsPage.module.css";

export interface LogSearchProps {
  readonly text: string;
  readonly onText: (text: string) => void;
}

/** Words that a line must have, and those that are only marked. */
export function LogSearch({ text, onText }: LogSearchProps) {
  return (
    <search className={styles.search}>
      <LaterInput
        type="search"
        aria-label="Words of a line"
        placeholder={'Words, "a phrase", mark:word'}
        value={text}
        onValue={onText}
      />
    </search>
  );
}
