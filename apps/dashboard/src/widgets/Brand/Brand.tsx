import styles from "./Brand.module.css";

/** The mark is a gate in plan: two piers, an open leaf and the arc it swung. */
export function Brand() {
  return (
    <span className={styles.brand}>
      <svg viewBox="0 0 20 20" aria-hidden="true" fill="currentColor">
        <path d="M3 0h4v6H3zM3 15h4v5H3z" />
        <path fill="none" stroke="currentColor" strokeWidth="2.4" d="M3.8 6h13" />
        <path fill="none" stroke="currentColor" strokeWidth="1.2" d="M16.2 7.2A9.6 9.6 0 0 1 7.4 16" />
      </svg>
      Gatehouse
    </span>
  );
}
