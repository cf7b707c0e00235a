import { useId, type ReactNode } from "react";
import { Link } from "./Link.tsx";
import styles from "./Section.module.css";

export type SectionProps = {
  title: ReactNode;
  count?: number | undefined;
  /** Where all of it is. */
  more?: { href: string; label: string } | undefined;
  /** Anything else at the right end of the head. */
  aside?: ReactNode;
  children: ReactNode;
};

/** A region of the page with its heading, a count and a link to the whole. */
export function Section({ title, count, more, aside, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles.section}>
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        {count !== undefined && <span className={styles.count}>{count.toLocaleString("en-GB")}</span>}
        {(aside || more) && (
          <span className={styles.aside}>
            {aside}
            {more && (
              <Link href={more.href} look="quiet">
                {more.label}
              </Link>
            )}
          </span>
        )}
      </div>
      {children}
    </section>
  );
}
