import { memo } from "react";
import { cx } from "./cx.ts";
import { Link } from "./Link.tsx";
import { Mark, type State } from "./StateMark.tsx";
import { VisuallyHidden } from "./VisuallyHidden.tsx";
import styles from "./Matrix.module.css";

export type MatrixCell = {
  key: string;
  state: State /** Its name and its state, on hover. */;
  title: string;
  href: string;
};

export type MatrixProps = {
  /** What the marks are and how many of each, for whoever cannot see them. */
  label: string;
  cells: readonly MatrixCell[];
};

/**
 * A mark for each of some hundred things, in an order that does not change with their states: what is well is faint, so that the
 * eye meets the rest. For the pointer and the eye alone; a list beside it is the same for keyboard and screen reader.
 */
export function Matrix({ label, cells }: MatrixProps) {
  return (
    <div>
      <VisuallyHidden>{label}</VisuallyHidden>
      <div className={styles.matrix} aria-hidden="true">
        {cells.map((cell) => (
          <Cell key={cell.key} state={cell.state} title={cell.title} href={cell.href} />
        ))}
      </div>
    </div>
  );
}

// Remembered: of two hundred, one or two change at a time.
const Cell = memo(function Cell({ state, title, href }: Omit<MatrixCell, "key">) {
  const isSquare = state === "ok" || state === "quiet";
  return (
    <Link href={href} look="bare" tabIndex={-1} title={title} className={cx(styles.cell, isSquare && styles[state])}>
      {!isSquare && <Mark state={state} />}
    </Link>
  );
});
