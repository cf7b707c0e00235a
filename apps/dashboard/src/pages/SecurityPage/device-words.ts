/** What a user agent says about itself, shortly. It is a claim of the program and no proof of anything. */
export function deviceWords(userAgent: string): string {
  if (userAgent.trim() === "") return "A program that does not say what it is";
  const browser = browsers.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1];
  if (browser === undefined) return userAgent.split(" ", 1)[0] ?? userAgent;
  return system === undefined ? browser : `${browser} on ${system}`;
}

// The order decides: Edge also says Chrome, and everything says Mozilla.
const browsers: readonly (readonly [RegExp, string])[] = [
  [/^gatehouse(-cli)?\//i, "Command line"],
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bCriOS\/|\bChrome\/|\bHeadlessChrome\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, "Android"],
  [/\biPhone\b|\biPad\b/, "iOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMacintosh\b|\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b|\bX11\b/, "Linux"],
];
