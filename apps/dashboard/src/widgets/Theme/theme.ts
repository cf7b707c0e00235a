import { useSyncExternalStore } from "react";

/** `/theme-init.js` owns the choice: it keeps it and sets the attribute. This only asks and reads. */
export const themes = ["light", "dark", "system"] as const;
export type Theme = (typeof themes)[number];

export const themeWords: Readonly<Record<Theme, string>> = { light: "Light", dark: "Dark", system: "System" };

export function chooseTheme(theme: Theme): void {
  document.dispatchEvent(new CustomEvent("gatehouse-theme", { detail: theme }));
}

export function useTheme(): Theme {
  return useSyncExternalStore(watchTheme, readTheme);
}

function readTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === "light" || theme === "dark" ? theme : "system";
}

function watchTheme(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => observer.disconnect();
}
