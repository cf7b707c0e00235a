import { useState, type ComponentProps } from "react";
import { cx } from "./cx.ts";
import { useFieldLinks } from "./Field.tsx";
import styles from "./input.module.css";

export type PasswordInputProps = Omit<ComponentProps<"input">, "type">;

/** Hidden until asked. The button is a word, and pressing it never sends the form. */
export function PasswordInput({ className, autoComplete = "current-password", ...rest }: PasswordInputProps) {
  const links = useFieldLinks();
  const [shown, setShown] = useState(false);
  return (
    <span className={styles.revealBox}>
      <input
        spellCheck={false}
        autoCapitalize="none"
        {...links}
        {...rest}
        autoComplete={autoComplete}
        type={shown ? "text" : "password"}
        className={cx(styles.input, shown && styles.mono, className)}
      />
      <button
        type="button"
        className={styles.reveal}
        aria-pressed={shown}
        aria-label={shown ? "Hide password" : "Show password"}
        disabled={rest.disabled}
        onClick={() => setShown(!shown)}
      >
        {shown ? "Hide" : "Show"}
      </button>
    </span>
  );
}
