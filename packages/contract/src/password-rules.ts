/** Counted in code points, so that a letter is one character whatever the computer makes of it. */
export const passwordLimits = { least: 12, most: 256 } as const;

/** One letter can be written as one code point or as two; both must open the same door. */
export function normalisePassword(password: string): string {
  return password.normalize("NFC");
}

/** Says why a password is not taken, in words that do not repeat it; undefined when it is. */
export function judgePassword(password: string, username: string): string | undefined {
  const text = normalisePassword(password);
  const length = Array.from(text).length;
  if (length < passwordLimits.least) return `at least ${passwordLimits.least} characters are expected, found ${length}`;
  if (length > passwordLimits.most) return `at most ${passwordLimits.most} characters are expected, found ${length}`;
  const lower = text.toLowerCase();
  if (lower === username || isStemOf(username, lower)) return "it is the user name, or the user name and a few digits";
  if (new Set(lower).size < leastDistinct) return `at least ${leastDistinct} different characters are expected`;
  if (isRun(lower)) return "it is a run of neighbouring characters";
  if (trivialStems.has(stemOf(lower))) return "it is a well-known password and a few digits";
  return undefined;
}

const leastDistinct = 5;

/** Words that people complete with digits and signs until a form takes them. */
const trivialStems: ReadonlySet<string> = new Set([
  "password",
  "passwordpassword",
  "passw",
  "letmein",
  "letmeinletmein",
  "welcome",
  "welcomewelcome",
  "admin",
  "administrator",
  "adminadmin",
  "changeme",
  "changemechangeme",
  "changethis",
  "changeit",
  "gatehouse",
  "gatehousegatehouse",
  "gatehouseadmin",
  "iloveyou",
  "qwerty",
  "qwertyqwerty",
  "qwertyuiop",
  "secret",
  "secretsecret",
  "topsecret",
  "default",
  "testtest",
  "testtesttest",
]);

const rows = ["01234567890123456789", "abcdefghijklmnopqrstuvwxyz", "qwertyuiopasdfghjklzxcvbnm", "1qaz2wsx3edc4rfv"];
const runs = rows.flatMap((row) => [row, Array.from(row).reverse().join("")]).map((row) => row + row);

function isRun(lower: string): boolean {
  return runs.some((run) => run.includes(lower));
}

/** The letters alone. */
function stemOf(lower: string): string {
  return lower.replaceAll(/[^a-z]/g, "");
}

function isStemOf(username: string, lower: string): boolean {
  const stem = stemOf(username);
  return stem !== "" && stem === stemOf(lower);
}
