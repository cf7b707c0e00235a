import { createContext, use, useId, type ReactNode } from "react";
import { Mark } from "./StateMark.tsx";
import styles from "./Field.module.css";

type FieldLinks = { id: string; describedBy: string | undefined; invalid: boolean; required: boolean };

const Links = createContext<FieldLinks | null>(null);

export type FieldProps = {
  label: ReactNode;
  /** Said before anything is typed: what is expected. */
  hint?: ReactNode;
  /** What is wrong and what would be right. Shown under the input and read out with it. */
  error?: ReactNode;
  optional?: boolean;
  required?: boolean;
  /** Something small at the right end of the label, such as a link. */
  aside?: ReactNode;
  children: ReactNode;
};

/** A label, its input, a hint and an error, tied together for the eye and for a screen reader. */
export function Field({ label, hint, error, optional = false, required = false, aside, children }: FieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const describedBy = [error && errorId, hint && hintId].filter(Boolean).join(" ") || undefined;
  return (
    <div className={styles.field}>
      <div className={styles.head}>
        <label htmlFor={id} className={styles.label}>
          {label}
          {optional && <span className={styles.optional}> optional</span>}
        </label>
        {aside && <span className={styles.aside}>{aside}</span>}
      </div>
      <Links value={{ id, describedBy, invalid: Boolean(error), required }}>{children}</Links>
      <FieldError id={errorId} error={error} />
      {hint && (
        <p id={hintId} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** The live region stays in the page, so that an error that appears later is read out. */
export function FieldError({ id, error }: { id: string; error: ReactNode }) {
  return (
    <p id={id} className={styles.error} aria-live="polite" hidden={!error}>
      {error && <Mark state="bad" />}
      {error && <span>{error}</span>}
    </p>
  );
}

/** What an input inside a Field has to carry. Outside a Field the input needs its own aria-label. */
export function useFieldLinks() {
  const links = use(Links);
  if (!links) return {};
  return {
    id: links.id,
    "aria-describedby": links.describedBy,
    "aria-invalid": links.invalid || undefined,
    required: links.required,
  };
}
