import { basename, dirname, resolve } from "node:path";

export const bundleArgument = {
  value: "BUNDLE",
  about: "The bundle: a directory that has the plugin's id for its name and holds manifest.json and artifact.",
} as const;

/** A bundle is found by its name in a directory, as the server finds it in the plugin directory. */
export function placeOfBundle(path: string): { readonly directory: string; readonly name: string } {
  const whole = resolve(path);
  return { directory: dirname(whole), name: basename(whole) };
}
