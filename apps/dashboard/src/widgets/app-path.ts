/** Where a contribution's page stands: what comes after `/apps/` in the address. */
export function appPathOf(path: string | null): string {
  return (path ?? "").replace(/^\/(apps\/)?/, "");
}
