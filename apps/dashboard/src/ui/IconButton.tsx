import type { ComponentProps, ReactNode } from "react";
import { cx } from "./cx.ts";
import { dropRepeats } from "./no-repeat.ts";
import styles from "./IconButton.module.css";

export type IconButtonProps = Omit<ComponentProps<"button">, "children" | "aria-label" | "onKeyDown"> & {
  /** The accessible name, also shown on hover. */
  label: string;
  icon: ReactNode;
  size?: "small" | "normal";
};

/** Only for copy, close, theme, menu and reveal: everything else has a word. */
export function IconButton({ label, icon, size = "normal", className, type = "button", ...rest }: IconButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-label={label}
      title={label}
      onKeyDown={dropRepeats}
      className={cx(styles.button, size === "small" && styles.small, className)}
    >
      {icon}
    </button>
  );
}
