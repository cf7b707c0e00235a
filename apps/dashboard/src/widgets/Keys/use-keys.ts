import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { useWhoAmI } from "../../api/auth.ts";
import { menuPagesFor } from "../../page-table.ts";
import { readKey } from "./keys.ts";

const prefixMs = 1_500;

/** The keys of the whole dashboard. A page's own keys live in the page. */
export function useKeys({ openPalette, openHelp }: { openPalette: () => void; openHelp: () => void }): void {
  const navigate = useNavigate();
  const { scopes } = useWhoAmI();
  useEffect(() => {
    let prefixAt = Number.NEGATIVE_INFINITY;
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing) return;
      const { key, ctrlKey, metaKey, altKey } = event;
      const afterPrefix = event.timeStamp - prefixAt < prefixMs;
      const step = readKey({ key, ctrlKey, metaKey, altKey, isTyping: isTypedInto(event.target) }, afterPrefix);
      prefixAt = step.kind === "prefix" ? event.timeStamp : Number.NEGATIVE_INFINITY;
      const page = step.kind === "go" ? menuPagesFor(scopes).find(({ menu }) => menu.key === step.key) : undefined;
      if (step.kind === "palette") openPalette();
      else if (step.kind === "help") openHelp();
      else if (page !== undefined) void navigate({ to: page.path });
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [navigate, scopes, openPalette, openHelp]);
}

function isTypedInto(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  return target.closest("input, textarea, select, [contenteditable], [role=textbox], dialog, [role=menu]") !== null;
}
