import type { ComponentProps } from "react";
import { cx } from "./cx.ts";
import { useFieldLinks } from "./Field.tsx";
import styles from "./input.module.css";

export type TextInputProps = ComponentProps<"input"> & { mono?: boolean };

export function TextInput({ mono = false, className, type = "text", ...rest }: TextInputProps) {
  const links = useFieldLinks();
  return <input {...links} {...rest} type={type} className={cx(styles.input, mono && styles.mono, className)} />;
}
