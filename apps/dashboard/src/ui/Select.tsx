import { ChevronDown } from "lucide-react";
import type { ComponentProps } from "react";
import { cx } from "./cx.ts";
import { useFieldLinks } from "./Field.tsx";
import styles from "./input.module.css";

export type SelectOption = { value: string; label: string; disabled?: boolean };
export type SelectProps = Omit<ComponentProps<"select">, "children"> & { options: readonly SelectOption[] };

/** The system's own select: the best one on a phone, complete by keyboard, and no bytes. */
export function Select({ options, className, ...rest }: SelectProps) {
  const links = useFieldLinks();
  return (
    <span className={styles.selectBox}>
      <select {...links} {...rest} className={cx(styles.input, styles.select, className)}>
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown aria-hidden="true" />
    </span>
  );
}
