import { X } from "lucide-react";
import { type ReactNode, useId } from "react";
import { FieldError } from "../../ui/Field.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import styles from "./NewPlanPage.module.css";

export interface FormGroupProps {
  readonly title: string;
  readonly says: string;
  readonly children: ReactNode;
}

/** Rows that belong together, under what they are. */
export function FormGroup({ title, says, children }: FormGroupProps) {
  return (
    <fieldset className={styles.group}>
      <legend>
        {title} <span className={styles.quiet}>{says}</span>
      </legend>
      {children}
    </fieldset>
  );
}

export interface FormRowProps {
  readonly look: "zone" | "service" | "peer";
  readonly wrong: string | undefined;
  readonly removes?: string;
  readonly onRemove?: () => void;
  readonly children: (links: { "aria-invalid"?: true; "aria-describedby"?: string }) => ReactNode;
}

/** Fields beside each other, with what is wrong with any of them below. */
export function FormRow({ look, wrong, removes, onRemove, children }: FormRowProps) {
  const id = useId();
  return (
    <div className={styles.row}>
      <div className={styles[look]}>
        {children(wrong === undefined ? {} : { "aria-invalid": true, "aria-describedby": id })}
        {removes !== undefined && (
          <IconButton size="small" label={removes} icon={<X size={13} aria-hidden="true" />} onClick={onRemove} />
        )}
      </div>
      <FieldError id={id} error={wrong} />
    </div>
  );
}
