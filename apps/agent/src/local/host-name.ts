/** As the protocol takes it: a kernel lets root call a host anything. */
export function sayableHostName(name: string): string {
  const said = name
    .replaceAll(/[^A-Za-z0-9._-]/g, "-")
    .slice(0, 253)
    .replaceAll(/^[._-]+|[._-]+$/g, "");
  return said === "" ? "unnamed" : said;
}
