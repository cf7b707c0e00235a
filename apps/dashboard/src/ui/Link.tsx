import { createContext, use, type ComponentProps, type MouseEvent } from "react";
import { cx } from "./cx.ts";
import styles from "./Link.module.css";

/** How a link is followed inside the app. Without a provider a link is an ordinary one. */
export type LinkHost = {
  navigate: (href: string) => void;
  preload?: (href: string) => void;
};

const Host = createContext<LinkHost | null>(null);

export const LinkProvider = Host.Provider;

export type LinkProps = Omit<ComponentProps<"a">, "href"> & {
  href: string;
  /** text: in the accent; quiet: ink with a faint line; count: a number in a sentence; bare: no look of its own */
  look?: "text" | "quiet" | "count" | "bare";
};

/** A real anchor, so that a middle click, a copy of the address and a screen reader all work. */
export function Link({ href, look = "text", className, onClick, onPointerEnter, children, ...rest }: LinkProps) {
  const host = use(Host);
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (!host || !isPlainClick(event) || !href.startsWith("/") || rest.target || rest.download !== undefined) return;
    event.preventDefault();
    host.navigate(href);
  };
  return (
    <a
      {...rest}
      href={href}
      className={cx(styles[look], className)}
      onClick={follow}
      onPointerEnter={(event) => {
        onPointerEnter?.(event);
        if (href.startsWith("/")) host?.preload?.(href);
      }}
    >
      {children}
    </a>
  );
}

/** Follows a link from code: for a whole row that leads to a page. */
export function useFollow(): (href: string) => void {
  const host = use(Host);
  return (href) => (host ? host.navigate(href) : window.location.assign(href));
}

function isPlainClick(event: MouseEvent): boolean {
  return (
    !event.defaultPrevented &&
    event.button === 0 &&
    !event.metaKey &&
    !event.ctrlKey &&
    !event.shiftKey &&
    !event.altKey
  );
}
