/**
 * Where a sign-in leads: a path of this very page. An address elsewhere, or a script, would make the sign-in a springboard,
 * so it is judged here again, by the reader that will follow it, whatever the router made of the address.
 */
export function safeTarget(to: unknown, origin: string): string {
  if (typeof to !== "string" || !/^\/(?![/\\])/.test(to)) return "/";
  const target = URL.parse(to, origin);
  if (target === null || target.origin !== origin) return "/";
  return `${target.pathname}${target.search}${target.hash}`;
}
