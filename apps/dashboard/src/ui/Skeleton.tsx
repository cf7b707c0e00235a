import { cx } from "./cx.ts";
import { VisuallyHidden } from "./VisuallyHidden.tsx";
import styles from "./Skeleton.module.css";

const widths = ["w1", "w2", "w3", "w4", "w5"] as const;

export type SkeletonProps = {
  /** lines: prose; rows: a table; list: marks with two lines; title: an object's head */
  shape?: "lines" | "rows" | "list" | "title";
  count?: number;
  /** Columns of "rows". */
  columns?: number;
  /** What is being read: "Reading plugins". */
  label?: string;
};

/** The final shape without its words, so that nothing jumps when they come. Fades in late: quick answers show none. */
export function Skeleton({ shape = "lines", count = 3, columns = 4, label = "Loading" }: SkeletonProps) {
  return (
    <div className={styles.skeleton}>
      <VisuallyHidden>
        <output>{label}</output>
      </VisuallyHidden>
      {shape === "title" && (
        <div aria-hidden="true">
          <span className={cx(styles.bar, styles.tall)} />
          <span className={cx(styles.bar, styles.w3)} />
        </div>
      )}
      {shape !== "title" &&
        Array.from({ length: count }, (_, row) => (
          <div key={row} className={styles[shape]} aria-hidden="true">
            {shape === "lines" && <Bar at={row} />}
            {shape === "list" && (
              <>
                <span className={styles.dot} />
                <span className={styles.two}>
                  <Bar at={row} />
                  <Bar at={row + 2} />
                </span>
                <span className={cx(styles.bar, styles.time)} />
              </>
            )}
            {shape === "rows" &&
              Array.from({ length: columns }, (_column, column) => (
                <span key={column} className={styles.cell}>
                  <Bar at={row + column} />
                </span>
              ))}
          </div>
        ))}
    </div>
  );
}

function Bar({ at }: { at: number }) {
  return <span className={cx(styles.bar, styles[widths[(at * 3) % widths.length] ?? "w1"])} />;
}
