import { X } from "lucide-react";
import { useEffect, useId, useRef, type ReactNode } from "react";
import { cx } from "./cx.ts";
import { IconButton } from "./IconButton.tsx";
import { dropRepeats } from "./no-repeat.ts";
import styles from "./Dialog.module.css";

export type DialogProps = {
  open: boolean;
  /** Called for Escape, the close button and a press outside. */
  onClose: () => void;
  title: ReactNode;
  children: ReactNode;
  /** Buttons, the deciding one last. */
  footer?: ReactNode;
  size?: "narrow" | "wide";
  /** center: a dialog; side: a sheet from the right; left: a sheet from the left, for navigation; top: near the top, for what grows */
  place?: "center" | "side" | "left" | "top";
  /** False while leaving would lose something or work is under way: then only the buttons close it. */
  dismissable?: boolean;
  /** Hides the title from the eye where the content has its own. */
  bareTitle?: boolean;
};

/** The platform's own modal: top layer, everything behind it inert, focus returned at the end. */
export function Dialog({
  open,
  onClose,
  title,
  children,
  footer,
  size = "narrow",
  place = "center",
  dismissable = true,
  bareTitle = false,
}: DialogProps) {
  const titleId = useId();
  const dialog = useRef<HTMLDialogElement>(null);

  useEffect(() => {
    const element = dialog.current;
    if (!open || !element) return undefined;
    // Unmounting a dialog does not give the focus back by itself, so closing comes first.
    const from = document.activeElement;
    element.showModal();
    return () => {
      element.close();
      if (from instanceof HTMLElement && from.isConnected) from.focus();
    };
  }, [open]);

  if (!open) return null;
  return (
    <dialog
      ref={dialog}
      className={cx(styles.dialog, styles[size], styles[place])}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        if (dismissable) onClose();
      }}
      onKeyDown={(event) => {
        dropRepeats(event);
        // Chromium closes on a second Escape even when the first was refused.
        if (event.key === "Escape" && !dismissable) event.preventDefault();
      }}
      onPointerDown={(event) => {
        if (dismissable && event.target === event.currentTarget) onClose();
      }}
    >
      <div className={styles.box}>
        <header className={cx(styles.head, bareTitle && styles.bare)}>
          <h2 id={titleId}>{title}</h2>
          {dismissable && !bareTitle && <IconButton label="Close" icon={<X aria-hidden="true" />} onClick={onClose} />}
        </header>
        <div className={styles.body}>{children}</div>
        {footer && <footer className={styles.foot}>{footer}</footer>}
      </div>
    </dialog>
  );
}
