/** A closed form in plain ASCII: two names that look alike are the same bytes, so there is nothing to fold or to confuse. */
export const usernameForm = /^[a-z0-9][a-z0-9._-]{0,62}$/;

/**
 * What somebody typed as their name, as it is kept; undefined for a name that nobody can have. Only the 26 ASCII letters
 * are made small: `toLowerCase` of the whole text would also turn the Kelvin sign into a `k`.
 */
export function parseUsername(typed: string): string | undefined {
  const name = typed.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  return usernameForm.test(name) ? name : undefined;
}
