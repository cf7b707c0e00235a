/**
 * Contract 3.1: nothing of the server's environment reaches a plugin. A fixed PATH, and a caller's values only under
 * names that no loader and no runtime gives a meaning to.
 */
export function actionEnvironment(given: Readonly<Record<string, string>> = {}): Record<string, string> {
  for (const [name, value] of Object.entries(given)) {
    if (!/^(TZ|GATEHOUSE_[A-Z0-9_]{1,64})$/.test(name))
      throw new TypeError(`a plugin's environment may hold TZ and GATEHOUSE_*, found ${JSON.stringify(name)}`);
    if (value.includes("\0")) throw new TypeError(`the value of ${name} holds a NUL`);
  }
  return { PATH: "/usr/local/bin:/usr/bin:/bin", LANG: "C.UTF-8", HOME: "/nonexistent", ...given };
}
