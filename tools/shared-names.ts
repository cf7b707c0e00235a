/** Test support of a package: shared suites, and the samples and doubles that they use. */
const support = /\.test\.tsx?$|-cases\.ts$|\/(sample-|faulty)[^/]*\.ts$|\/far-store\.ts$/;
const declaration = /^export (?:async )?(?:function\*?|class|interface|type|const) (\w+)/gm;

/** Production files whose exports other people meet by name: the server, the command line and the packages. */
export function sharesNames(file: string): boolean {
  return /^(apps\/(server|cli)|packages\/[^/]+)\/src\/.*\.tsx?$/.test(file) && !support.test(file);
}

/** Exported names that more than one file declares, each with those files. A door that passes a name on declares nothing. */
export function findSharedNames(sources: ReadonlyMap<string, string>): Map<string, readonly string[]> {
  const homes = new Map<string, Set<string>>();
  for (const [file, text] of sources) {
    for (const [, name = ""] of text.matchAll(declaration)) {
      homes.set(name, (homes.get(name) ?? new Set()).add(file));
    }
  }
  const shared = [...homes].filter(([, files]) => files.size > 1).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return new Map(shared.map(([name, files]) => [name, [...files].toSorted()]));
}
