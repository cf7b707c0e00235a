/**
 * A ref for the field a dialog opens on. The platform looks for this attribute when a dialog opens; React's own
 * `autoFocus` comes before that, when nothing of the dialog can be focused yet.
 */
export function focusFirst(element: HTMLElement | null): void {
  element?.setAttribute("autofocus", "");
}
