import styles from "./Spinner.module.css";

/** A turning ring for work that has begun. It is never alone: the words beside it say what is being done. */
export function Spinner() {
  return (
    <svg className={styles.spinner} viewBox="0 0 14 14" aria-hidden="true">
      <circle cx="7" cy="7" r="5.5" />
      <path d="M7 1.5A5.5 5.5 0 0 1 12.5 7" />
    </svg>
  );
}
