import { X } from "lucide-react";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { IconButton } from "./IconButton.tsx";
import { Link } from "./Link.tsx";
import { Mark } from "./StateMark.tsx";
import { dismiss, hold, readToasts, release, watchToasts } from "./toast-store.ts";
import styles from "./Toaster.module.css";

/** Where toasts appear. Mount once; say things with toast() from toast-store. */
export function Toaster() {
  const messages = useSyncExternalStore(watchToasts, readToasts);
  const region = useRef<HTMLElement>(null);
  // A popover is in the top layer, so that a toast is not under the dialog that caused it.
  useEffect(() => {
    const element = region.current;
    if (!element) return;
    if (element.matches(":popover-open")) element.hidePopover();
    if (messages.length > 0) element.showPopover();
  }, [messages]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- only holds the clock while it is read
    <section
      ref={region}
      popover="manual"
      className={styles.toaster}
      aria-label="Messages"
      onPointerEnter={hold}
      onPointerLeave={release}
      onFocus={hold}
      onBlur={release}
    >
      <ol aria-live="polite">
        {messages.map((message) => (
          <li key={message.id} className={styles.toast}>
            <Mark state={message.state} />
            <span className={styles.text}>
              {message.text} {message.action && <Link href={message.action.href}>{message.action.label}</Link>}
            </span>
            <IconButton
              size="small"
              label="Dismiss"
              icon={<X aria-hidden="true" />}
              onClick={() => dismiss(message.id)}
            />
          </li>
        ))}
      </ol>
    </section>
  );
}
