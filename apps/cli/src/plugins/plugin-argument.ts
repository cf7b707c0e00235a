import { UsageError } from "@gatehouse/command-line";
import { pluginIdPattern } from "@gatehouse/contract";

export const pluginArgument = { value: "ID", about: "The plugin's id, as gatehouse plugin list shows it." } as const;

/** Said in the help of every command that needs it. */
export const adminAbout = "It needs the scope plugin:admin.";

/** Looked at before anything is sent: most wrong ids are paths. */
export function parsePluginId(text: string, topic: string): string {
  if (pluginIdPattern.test(text)) return text;
  throw new UsageError(
    `ID takes 2 to 63 of a-z, 0-9 and -, and begins with a letter or digit; found ${JSON.stringify(text)}`,
    topic,
  );
}
