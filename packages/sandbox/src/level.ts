/** How well a plugin is fenced in, the strongest first. Found by trying, never by asking for a version. */
export const sandboxLevels = ["namespaces", "landlock", "none"] as const;
export type SandboxLevel = (typeof sandboxLevels)[number];

export function isAtLeast(level: SandboxLevel, least: SandboxLevel): boolean {
  return sandboxLevels.indexOf(level) <= sandboxLevels.indexOf(least);
}
