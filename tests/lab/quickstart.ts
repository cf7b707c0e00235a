/** The commands of the README's quickstart for the container, so that the page and the test cannot drift apart. */
export function readQuickstart(readme: string): string {
  const section = /<!-- quickstart: container -->\n+```sh\n([\s\S]*?)```/.exec(readme)?.[1];
  if (section === undefined) throw new Error("README.md has no quickstart for the container");
  // Where the repository is and how it was fetched is the reader's; the steps begin inside deploy/compose.
  return section
    .split("\n")
    .filter((line) => !line.startsWith("git clone") && !line.startsWith("cd "))
    .join("\n");
}
