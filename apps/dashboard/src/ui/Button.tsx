import type { ComponentProps, ReactNode } from "react";
import { cx } from "./cx.ts";
import { Link } from "./Link.tsx";
import { dropRepeats } from "./no-repeat.ts";
import { Spinner } from "./Spinner.tsx";
import styles from "./Button.module.css";

type Look = {
  /** primary: solid, at most one per screen; quiet: outlined; danger: outlined in red; danger-solid: inside a confirmation only */
  look?: "primary" | "quiet" | "danger" | "danger-solid" | "bare";
  size?: "small" | "normal";
  wide?: boolean;
  icon?: ReactNode;
};

export type ButtonProps = ComponentProps<"button"> &
  Look & {
    /** Work has begun: the button keeps its size and focus, and takes no second press. */
    busy?: boolean;
  };

export function Button({
  look = "quiet",
  size = "normal",
  wide = false,
  busy = false,
  icon,
  className,
  children,
  onClick,
  onKeyDown,
  type = "button",
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={cx(styles.button, styles[look], size === "small" && styles.small, wide && styles.wide, className)}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onKeyDown={(event) => {
        dropRepeats(event);
        onKeyDown?.(event);
      }}
      onClick={(event) => {
        // Not `disabled`: that would throw the focus away in the middle of the work.
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {busy ? <Spinner /> : icon}
      {children}
    </button>
  );
}

export type ButtonLinkProps = Look & { href: string; className?: string; children: ReactNode; download?: boolean };

/** Looks like a button, is a link: for what leads somewhere instead of doing something. */
export function ButtonLink({
  look = "quiet",
  size = "normal",
  wide = false,
  icon,
  className,
  children,
  href,
  download,
}: ButtonLinkProps) {
  return (
    <Link
      href={href}
      look="bare"
      download={download}
      className={cx(styles.button, styles[look], size === "small" && styles.small, wide && styles.wide, className)}
    >
      {icon}
      {children}
    </Link>
  );
}
