export interface CookieRules {
  /** `__Host-gatehouse` with secure cookies, `gatehouse` without (product: identity). */
  readonly name: string;
  readonly secure: boolean;
}

/** `__Host-` holds only with Secure, path `/` and no domain; scripts never see the value; no other site ever sends it. */
export function sessionCookie(rules: CookieRules, value: string, seconds: number): string {
  const attributes = `Path=/; Max-Age=${Math.max(0, Math.floor(seconds))}; HttpOnly; SameSite=Strict`;
  return `${rules.name}=${value}; ${attributes}${rules.secure ? "; Secure" : ""}`;
}

export function clearedCookie(rules: CookieRules): string {
  return sessionCookie(rules, "", 0);
}
