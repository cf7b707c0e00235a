import { CopyButton } from "./CopyButton.tsx";
import { groups } from "./middle.ts";
import { VisuallyHidden } from "./VisuallyHidden.tsx";
import styles from "./Digest.module.css";

/** The whole digest, in groups of four, wherever somebody decides on it. Selecting it selects no spaces. */
export function Digest({ value, label = "digest" }: { value: string; label?: string }) {
  const [algorithm, hex] = value.includes(":")
    ? [value.slice(0, value.indexOf(":")), value.slice(value.indexOf(":") + 1)]
    : ["", value];
  return (
    <span className={styles.digest}>
      <VisuallyHidden>{value}</VisuallyHidden>
      <code className={styles.hex} aria-hidden="true">
        {algorithm && <span className={styles.algorithm}>{algorithm}:</span>}
        {groups(hex).map((part, at) => (
          <span key={at} className={styles.group}>
            {part}
            <wbr />
          </span>
        ))}
      </code>
      <CopyButton text={value} label={label} />
    </span>
  );
}
