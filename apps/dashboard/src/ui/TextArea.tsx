import type { ComponentProps } from "react";
import { cx } from "./cx.ts";
import { useFieldLinks } from "./Field.tsx";
import styles from "./input.module.css";

export type TextAreaProps = ComponentProps<"textarea"> & { mono?: boolean };

export function TextArea({ mono = false, className, ...rest }: TextAreaProps) {
  const links = useFieldLinks();
  return <textarea {...links} {...rest} className={cx(styles.input, styles.area, mono && styles.mono, className)} />;
}
