import react from "@vitejs/plugin-react";
import { defineConfig, type HtmlTagDescriptor, type Plugin, type Rolldown } from "vite";

/** Sources of our packages do nothing when they are merely imported: schemas the page does not use stay out of it. */
const declaresOnly = /\/packages\/(base|channel|contract|keys)\/src\//;

/** Names are plain here; `tools/build/site-files.ts` gives each file the hash of its bytes (contract 4.1). */
const plainName = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replaceAll(/[^A-Za-z0-9.-]+/g, "-")
    .replaceAll(/^[.-]+/g, "")
    .toLowerCase();

/** What every page begins with. Anything heavy that only some pages need (menus, the palette, licences, virtual rows) is not in it. */
const libraries =
  /\/node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack\/(react-router|router-core|history|store|react-store|react-query|query-core))\//;
/** And not the text of a licence, which the page about licences reads. */
const isScript = /\.m?js$/;
/** Our own small parts: what two pages share is loaded as one file, not as thirty. */
const sharedParts =
  /\/(apps\/dashboard\/src\/(ui|widgets|api|perf)|packages\/(base|contract)\/src|node_modules\/lucide-react)\//;
/** Those that nobody needs to sign in. */
const innerParts =
  /\/(src\/widgets\/(?!Proof|Brand|CrashView|ApiErrorView|PageTitle)|packages\/contract\/src\/|src\/ui\/(Badge|Banner|Choices|Columns|ConfirmDialog|Diff|Digest|Empty|Facts|Kbd|List|Meter|PageHead|Pager|Section|Select|Sheet|ShortText|Stepper|Tabs|TextArea|Time|Toaster|Tooltip|relative-time|toast-store|use-clock|use-phone)\.)/;
/** Where the first page begins: a part that none of these leads to comes with the page that needs it. */
const firstPage =
  /\/src\/(boot\.ts|main\.tsx|widgets\/Shell\/(Shell|TopMenus)\.tsx|pages\/OverviewPage\/OverviewPage\.tsx)$/;
/** Calls about plans: nobody signs in with them. */
const planCalls = /\/src\/api\/plans\.ts$/;
/** What plans are made, read and decided with: the first page counts plans, and does none of it. */
const planParts =
  /\/src\/widgets\/((ChangeFields|DraftPlan|PlanHosts|PlanSections)\/|Plans\/(?!plan-state|plans-href|task-words))/;
/** How alerts are acknowledged and said at length: the first page says why a node needs a look, and does none of it. */
const alertParts = /\/src\/widgets\/Alerts\/(?!say-alert)/;
/** The language of plans with its schemas, for the page that composes them. */
const planLanguage =
  /\/(node_modules\/zod\/v4|packages\/plan\/src)\/|\/NewPlanPage\/no-eval\.ts$|\/packages\/contract\/src\/(address-range|host-parts|id-form|node-id|plugin-names|visible-text)\.ts$/;
/** What the first script uses, so that it can run before anything else has come. */
const firstParts =
  /vite\/preload-helper|\/src\/(page-files|page-table|api\/(api-error|client|proof|who-at-start|until-loaded|late-files)|perf\/perf)\.ts$/;
const heavyParts = /\/src\/ui\/(Table|use-row-window|table-keys|Menu|Palette|find-items)/;
/** Words for what hosts refuse and how changes end: the pages of a plan and of a node alone say them. */
const refusalTables = /\/(packages\/contract\/src\/[a-z-]*faults|src\/widgets\/Plans\/task-words)\.ts$/;

/** Names in the page itself what the first script will ask for, so that the browser loads all of it side by side. */
const namesFirstFiles: Plugin = {
  name: "names-first-files",
  transformIndexHtml: { order: "post", handler: (_page, { bundle }) => (bundle ? firstFiles(bundle) : []) },
};

function firstFiles(bundle: Rolldown.OutputBundle): HtmlTagDescriptor[] {
  const chunks = Object.values(bundle).filter((part) => part.type === "chunk");
  const main = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith("/src/main.tsx"));
  if (main === undefined) throw new Error("the dashboard's main chunk was not found");
  // Vite has named the first script and what that needs already.
  const named = new Set(chunks.filter(({ isEntry }) => isEntry).flatMap((chunk) => [...filesOf(chunk, bundle)]));
  return [...filesOf(main, bundle)]
    .filter((file) => !named.has(file))
    .map((file) => {
      const rel = file.endsWith(".css") ? "stylesheet" : "modulepreload";
      return { tag: "link", attrs: { rel, crossorigin: true, href: `/${file}` }, injectTo: "head" };
    });
}

/** A chunk, what it imports before it can run, and the styles of both. */
function filesOf(chunk: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle, found = new Set<string>()): Set<string> {
  if (found.has(chunk.fileName)) return found;
  found.add(chunk.fileName);
  for (const name of chunk.imports) {
    const next = bundle[name];
    if (next?.type === "chunk") filesOf(next, bundle, found);
  }
  for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style);
  return found;
}

/** Walks from a part to all that import it. The contract has doors that lead to everything: what is used of it is not told by them. */
function isOfFirstPage(id: string, modules: Pick<Rolldown.ChunkingContext, "getModuleInfo">): boolean {
  if (!id.includes("/apps/dashboard/src/")) return true;
  const above = new Set([id]);
  for (const one of above) {
    if (firstPage.test(one)) return true;
    for (const importer of modules.getModuleInfo(one)?.importers ?? []) above.add(importer);
  }
  return false;
}

/** What the map library has in it and no file of ours may have (contract 4.1): a link that leads elsewhere, and text that is evaluated. */
const mapLibrary = {
  page: {
    file: /\/maplibre-gl\.mjs$/,
    part: '`<a href="https://maplibre.org/" target="_blank">MapLibre</a>`',
    instead: '"MapLibre"',
  },
  worker: {
    file: /\/maplibre-gl-worker\.mjs/,
    part: "globalThis.eval",
    instead: '(()=>{throw Error("no text is evaluated here")})',
  },
} as const;

/** A later version of it that says so otherwise stops the build. */
function leaveOut({ file, part, instead }: (typeof mapLibrary)[keyof typeof mapLibrary]): Plugin {
  return {
    name: "leave-out",
    transform: (code, id) => {
      if (!file.test(id)) return null;
      const [before, behind, ...more] = code.split(part);
      if (before === undefined || behind === undefined || more.length > 0)
        throw new Error(`${id} has not once ${part}`);
      return { code: `${before}${instead}${behind}`, map: null };
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), namesFirstFiles, leaveOut(mapLibrary.page)],
  css: { modules: { generateScopedName: "[name]__[local]__[hash:base64:5]" } },
  // The map library's, the only one: a file of this origin under a plain name, as every other.
  worker: {
    plugins: () => [leaveOut(mapLibrary.worker)],
    rolldownOptions: { output: { entryFileNames: ({ name }) => `assets/${plainName(name)}.js` } },
  },
  build: {
    target: "es2023",
    // A data: address would need a looser policy for fonts and could not be kept by the browser.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      treeshake: {
        moduleSideEffects: (id) => !declaresOnly.test(id),
        // A page that uses a table of the contract does not need the schemas, and with them zod, beside it.
        manualPureFunctions: ["z", "idOf", "listOf", "limitOf", "visibleText"],
      },
      output: {
        // Over HTTP/1.1 each file of a page is a turn of its own, and costs more than its bytes.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: "first-parts", test: firstParts, priority: 4 },
            { name: "libraries", test: (id) => libraries.test(id) && isScript.test(id), priority: 3 },
            {
              name: (id, context) => (isOfFirstPage(id, context) ? "inner-parts" : "page-parts"),
              debugName: "inner-parts",
              test: (id) =>
                sharedParts.test(id) &&
                innerParts.test(id) &&
                !planParts.test(id) &&
                !alertParts.test(id) &&
                !refusalTables.test(id),
              minShareCount: 2,
              priority: 2,
            },
            { name: "map-library", test: /\/node_modules\/maplibre-gl\//, priority: 5 },
            { name: "plan-language", test: planLanguage, priority: 5 },
            { name: "plan-parts", test: planParts, minShareCount: 2, priority: 3 },
            { name: "alert-parts", test: alertParts, minShareCount: 2, priority: 3 },
            { name: "plan-calls", test: planCalls, minShareCount: 2, priority: 2 },
            {
              name: "parts",
              test: (id) => sharedParts.test(id) && !heavyParts.test(id) && !refusalTables.test(id),
              minShareCount: 2,
              priority: 1,
            },
          ],
        },
        entryFileNames: ({ name }) => `assets/${plainName(name)}.js`,
        chunkFileNames: ({ name }) => `assets/${plainName(name)}.js`,
        assetFileNames: ({ names }) => `assets/${plainName(names[0] ?? "asset")}`,
      },
    },
  },
});
