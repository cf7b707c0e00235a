/**
 * Who may import whom: the layer drawing of ARCHITECTURE.md, executable. Each rule says why it exists, and cites the
 * contract where it carries a promise. `tools/planted/` breaks every rule once; `tools/rules-bite.test.ts` proves that
 * each break is found and that the legal imports beside it are not. Rules for parts that do not exist yet are kept:
 * the first file of such a part already finds its place.
 */
const { Visitor } = require("@swc/core/Visitor.js");

// The visitor of swc does not know `using` and would end the whole check at the first one. A planted file holds one.
// oxlint-disable-next-line typescript/unbound-method -- it is called with its own this below
const visitStatement = Visitor.prototype.visitStatement;
Visitor.prototype.visitStatement = function visitStatementOrUsing(statement) {
  if (statement.type !== "UsingDeclaration") return visitStatement.call(this, statement);
  this.visitVariableDeclarators(statement.decls);
  return statement;
};

const server = "^apps/server/src";
const settingsFiles = `${server}/(config|settings-help)(/|\\.)`;
const agent = "^apps/agent/src";
const dashboard = "^apps/dashboard/src";

/** Tests and shared suites: `x.test.ts`, `store-cases.ts`, and the file system that cuts the power. */
const tests = [
  "\\.test\\.tsx?$",
  "-cases\\.ts$",
  "^packages/files/src/faulty[^/]*\\.ts$",
  "/far-store\\.ts$",
  "^apps/[^/]+/test/",
];
/** Packages, but not what in them decides whether somebody is believed. */
const bytesOnly = "^packages/(?!approval/src/verify/)";
const production = { path: "^(apps|packages|plugins)/", pathNot: tests };

/** What reaches the disk, another process or another thread: modules of Node, and our package that wraps the first of them. */
const reachesTheMachine = "^(node:)?(fs|fs/promises|sqlite|child_process|worker_threads|cluster)$|^packages/files/";
const speaksHttp =
  "(^(node:)?(http|http2|https|net|tls|dgram|dns|dns/promises)$|(^|/)node_modules/(fastify|@fastify/[^/]+|ws)/)";

/** Feature to feature: an edge that is not listed is forbidden, and a feature that is not listed uses no other. */
const featureMayUse = {
  plans: ["fleet", "plugin-runtime", "settings"],
  terminals: ["fleet"],
  "plugin-lifecycle": ["plugin-bundles", "plugin-runtime"],
  "plugin-runtime": ["plugin-broker"],
  "plugin-ui": ["plugin-lifecycle"],
};
const listed = Object.keys(featureMayUse);

/** Every place where a source file may stand. A file elsewhere is an error, so no code grows outside the drawing. */
const layers = [
  `${server}/(main|compose|compose-identity|compose-kept|compose-overview|compose-plans|compose-plugins)\\.ts$`,
  settingsFiles,
  `${server}/edge/`,
  `${server}/(features|platform)/[^/]+/`,
  "^apps/server/test/",
  `${agent}/(main|compose|compose-changes|compose-helper|config|parts)\\.ts$`,
  `${agent}/(commands|enrol|control|logs|outbox|measure|local|helper|ceiling|status|tasks|trust|witness|operations|safety|terminal|host)/`,
  "^apps/agent/test/",
  `${dashboard}/(boot|page-files|page-table)(\\.test)?\\.ts$`,
  `${dashboard}/(main|router)\\.tsx$`,
  `${dashboard}/(api|pages|widgets|ui|contributions|perf)/`,
  "^apps/dashboard/(public/|vite\\.config\\.ts$)",
  "^apps/cli/src/",
  "^apps/cli/test/",
  "^packages/(approval|base|contract|keys|channel|files|store|identity|bundle|plan|sandbox|plugin-sdk|command-line)/src/",
  "^plugins/[^/]+/(src|test)/",
  "^tests/(acceptance|bench|bundles|crash|differential|e2e|evil-server|fixtures|fleet|host-logs|hostile|lab|mutants|plans-load|sandbox|security|support|tamper|telemetry)/",
  "^tools/",
  "^(vitest\\.config\\.ts|\\.dependency-cruiser\\.cjs)$",
];
const ours = "^(apps|packages|plugins|tests|tools)/|^[^/]+\\.(ts|tsx|js|cjs|mjs)$";
const outsideLayers = { path: ours, pathNot: layers };

const forbid = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

const everywhere = [
  forbid(
    "no-cycle",
    "A cycle has no first file to read, and no part that can be tested alone.",
    {},
    { circular: true },
  ),
  forbid(
    "imports-resolve",
    "An import that is not found is an import that no rule can judge.",
    {},
    { couldNotResolve: true },
  ),
  forbid(
    "no-app-to-app",
    "Server, agent, dashboard and CLI are separate programs; what two of them need is a package (decision 0001).",
    { path: "^apps/([^/]+)/" },
    { path: "^apps/", pathNot: "^apps/$1/" },
  ),
  forbid(
    "packages-know-no-app",
    "Packages lie below: they know neither the programs nor the plugins that use them.",
    { path: "^packages/" },
    { path: "^(apps|plugins)/" },
  ),
  forbid(
    "packages-by-name",
    "A package is imported by its name, so only through the doors its package.json exports; a path would go around them. Tests and tools look inside on purpose.",
    { path: "^(apps|packages|plugins)/([^/]+)/" },
    { path: "^packages/", pathNot: "^$1/$2/", dependencyTypes: ["local"] },
  ),
  forbid(
    "base-imports-nothing",
    "Base is the ground: a dependency of base is a dependency of everything.",
    { path: "^packages/base/", pathNot: tests },
    { path: ".", pathNot: "^packages/base/" },
  ),
  forbid(
    "contract-imports-base-and-zod",
    "What crosses a wire is schemas and tables; it needs nothing else, and every program can load it.",
    { path: "^packages/contract/", pathNot: tests },
    { path: ".", pathNot: ["^packages/(base|contract)/", "(^|/)node_modules/zod/"] },
  ),
  forbid(
    "names-build-no-schemas",
    "Agents, files, plans and the verifier need a few names: no path of imports leads from them to the schemas of routes, settings, the broker or records.",
    { path: "^packages/(contract/src/[^/]+$|(approval|channel|files|keys|plan)/|bundle/src/verify/)", pathNot: tests },
    { path: "^packages/contract/src/(routes|settings|broker|records)/", reachable: true },
  ),
  forbid(
    "contract-is-isomorphic",
    "The browser and the agent load the same schemas, plans and frames as the server: no Node module in base, contract, plan, channel, what reads approvals or the frame's own file.",
    { path: [`${bytesOnly}(base|contract|plan|channel|approval)/`, "^packages/keys/src/frame\\.ts$"], pathNot: tests },
    { dependencyTypes: ["core"] },
  ),
  forbid(
    "files-import-contract-and-below",
    "Durable files are for the store and for agents, which have no database: neither SQLite nor the store stands behind them.",
    { path: "^packages/files/", pathNot: tests },
    {
      path: "^packages/|(^|/)node_modules/|^(node:)?(sqlite|child_process|worker_threads|cluster)$",
      pathNot: "^packages/(base|contract|files)/",
    },
  ),
  forbid(
    "store-imports-files-and-below",
    "The store is the part that must never lose a byte: it is built on Node itself and on no package of others.",
    { path: "^packages/store/", pathNot: tests },
    { path: "^packages/|(^|/)node_modules/", pathNot: "^packages/(base|contract|files|store)/" },
  ),
  forbid(
    "identity-imports-store-and-below",
    "Hashes and records of users are for the server and for the command line beside a stopped one: no package of others sees a password.",
    { path: "^packages/identity/", pathNot: tests },
    { path: "^packages/|(^|/)node_modules/", pathNot: "^packages/(base|contract|store|identity)/" },
  ),
  forbid(
    "command-line-imports-contract-and-below",
    "How arguments are read and help is printed is the same in every program, and costs an agent nothing: it needs names and faults, and neither disk nor network.",
    { path: "^packages/command-line/", pathNot: tests },
    {
      path: "^packages/|(^|/)node_modules/|^(node:)?(?!util$)[a-z_/]+$",
      pathNot: "^packages/(base|contract|command-line)/",
    },
  ),
  forbid(
    "verdicts-import-keys-and-below",
    "What decides whether bytes are trusted, and whether a change was approved, is built on Node, the contract and its schemas: no other package has a say in it.",
    { path: "^packages/(bundle|approval)/", pathNot: tests },
    {
      path: "^packages/|(^|/)node_modules/",
      pathNot: ["^packages/(base|contract|keys|$1)/", "(^|/)node_modules/zod/"],
    },
  ),
  forbid(
    "approvals-touch-no-machine",
    "The same bytes get the same verdict everywhere: behind them stand hashes and keys, and neither disk, network nor process.",
    { path: "^packages/approval/", pathNot: tests },
    { dependencyTypes: ["core"], pathNot: "^(node:)?crypto$" },
  ),
  forbid(
    "keys-import-base-and-contract",
    "What makes a key of bytes is built on Node alone, so that one page says which keys are refused.",
    { path: "^packages/keys/", pathNot: tests },
    { path: "^packages/|(^|/)node_modules/", pathNot: "^packages/(base|contract|keys)/" },
  ),
  forbid(
    "bytes-import-frames-and-below",
    "Both ends, every page and every test speak through these bytes: they need frames and schemas, and no key object, store or socket.",
    { path: `${bytesOnly}(channel|approval)/`, pathNot: tests },
    {
      path: "^packages/|(^|/)node_modules/",
      pathNot: [`${bytesOnly}(base|contract|$1)/`, "^packages/keys/src/frame\\.ts$", "(^|/)node_modules/zod/"],
    },
  ),
  forbid(
    "plugins-use-sdk-only",
    "Contract 1: plugins answer describe, health and plan; they do not act, so they can import nothing that acts.",
    { path: "^plugins/([^/]+)/" },
    { path: "^(apps|packages|plugins)/", pathNot: "^(plugins/$1|packages/(plugin-sdk|contract|plan))/" },
  ),
  forbid(
    "production-imports-no-test",
    "A test, a suite or a tool in the running product is code nobody reviewed as product code.",
    production,
    { path: [...tests, "^(tests|tools)/"] },
  ),
  forbid(
    "production-uses-dependencies",
    "The image is installed without devDependencies, and each package names what it uses: anything else is missing there. The dashboard is bundled when the image is built, so its libraries are devDependencies and none of them is in the image.",
    { ...production, pathNot: [...tests, "^apps/dashboard/"] },
    { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown", "npm-peer", "deprecated"] },
  ),
  forbid(
    "suites-are-black-boxes",
    "These suites use the product as a stranger would. What has to plant something in the server stands in a folder inside/, for all to see.",
    { path: "^tests/(acceptance|hostile|security)/", pathNot: "^tests/[^/]+/inside/" },
    { path: "^apps/" },
  ),
];

const inServer = [
  forbid(
    "server-never-signs",
    "Contract 5.4 and 7: a signing key never reaches the server, so no path of imports leads to code that signs.",
    { path: `${server}/` },
    { path: "^packages/bundle/src/(sign|vectors)", reachable: true },
  ),
  forbid(
    "activation-changes-no-host",
    "Contract 1: host mutation is never a side effect of activation. No plugin feature reaches plans or fleet, by any path.",
    { path: `${server}/features/plugin-` },
    { path: `${server}/features/(plans|fleet)/`, reachable: true },
  ),
  forbid(
    "config-points-down",
    "Settings are read before anything is built, so they know only the packages.",
    { path: settingsFiles },
    { path: `${server}/`, pathNot: settingsFiles },
  ),
  forbid(
    "platform-points-down",
    "Platform is technical: it knows no product noun and no HTTP.",
    { path: `${server}/platform/` },
    { path: `${server}/(features/|edge/|compose|main)` },
  ),
  forbid(
    "features-know-no-edge",
    "A feature decides; how a request came in and how the answer leaves is not its business.",
    { path: `${server}/features/` },
    { path: `${server}/(edge/|compose|main)` },
  ),
  forbid(
    "edge-knows-no-root",
    "The edge is handed its routes and limits; it builds nothing.",
    { path: `${server}/edge/` },
    { path: `${server}/(compose|main)` },
  ),
  forbid(
    "door-inside",
    "A feature or platform folder is entered through its index.ts, so that its inside can change.",
    { path: `${server}/((?:features|platform)/[^/]+)/` },
    { path: `${server}/(features|platform)/[^/]+/`, pathNot: ["/index\\.ts$", `${server}/$1/`] },
  ),
  forbid(
    "door-outside",
    "Edge and compose enter a feature or platform folder through its index.ts too.",
    { path: [`${server}/edge/`, `${server}/[^/]+\\.ts$`, "^apps/server/test/"] },
    { path: `${server}/(features|platform)/[^/]+/`, pathNot: "/index\\.ts$" },
  ),
  ...listed.map((feature) =>
    forbid(
      `feature-edges-${feature}`,
      `The features that ${feature} may use are listed at the top of this file; a new edge is a decision, not an import.`,
      { path: `${server}/features/${feature}/` },
      {
        path: `${server}/features/`,
        pathNot: `${server}/features/(${[feature, ...featureMayUse[feature]].join("|")})/`,
      },
    ),
  ),
  forbid(
    "feature-edges-leaf",
    "A feature without listed edges uses no other feature; compose.ts hands it what it needs.",
    { path: `${server}/features/([^/]+)/`, pathNot: `${server}/features/(${listed.join("|")})/` },
    { path: `${server}/features/`, pathNot: `${server}/features/$1/` },
  ),
  forbid(
    "only-compose-builds-the-store",
    "Contract 2.5: only the audited path changes records. There is one store, built in one place; everything else gets its types.",
    { path: [`${server}/(features|edge|platform)/`, "^packages/identity/"], pathNot: tests },
    { path: "^packages/store/", pathNot: "^packages/store/src/decide\\.ts$", dependencyTypesNot: ["type-only"] },
  ),
  forbid(
    "features-touch-no-machine",
    "A feature reads and writes through its deps: files, databases, processes and threads belong to platform and packages.",
    { path: `${server}/features/`, pathNot: tests },
    { path: reachesTheMachine },
  ),
  forbid(
    "edge-touches-no-machine",
    "No request path is ever joined to a folder: the code that sees requests has no file functions at all.",
    { path: `${server}/edge/`, pathNot: tests },
    { path: reachesTheMachine },
  ),
  forbid(
    "only-edge-speaks-http",
    "Features and platform can be tested and reused without a socket; HTTP stays at the rim. Requests leave through platform/egress, the one client that judges where they go.",
    { path: `${server}/(features|platform)/`, pathNot: [...tests, `${server}/platform/egress/`] },
    { path: speaksHttp },
  ),
];

const inAgent = [
  forbid(
    "agent-network-part-applies-nothing",
    "Contract 1: what speaks with a server changes no host. No path of imports leads from it to the helper, tasks or operations; it asks over the wire of local/.",
    { path: `${agent}/(enrol|control|logs|outbox|measure)/`, pathNot: tests },
    { path: `${agent}/(helper|tasks|operations|safety|terminal)/`, reachable: true },
  ),
  forbid(
    "helper-speaks-no-network",
    "The root part believes nobody and reaches nobody: its unit has no network, and no path of imports leads to a client or to the part that has one.",
    { path: `${agent}/(helper|ceiling|trust|witness|tasks|operations|safety)/`, pathNot: tests },
    {
      path: [
        "^(node:)?(http|http2|https|tls|dgram|dns|dns/promises)$",
        "(^|/)node_modules/(undici|ws)/",
        `${agent}/(enrol|control|logs|outbox|measure)/`,
      ],
      reachable: true,
    },
  ),
  forbid(
    "helper-has-one-door",
    "One file of the root part listens, on the unix socket that systemd hands over; nothing else in it has sockets.",
    {
      path: `${agent}/(helper|ceiling|trust|witness|tasks|operations|safety|host|status|commands)/`,
      pathNot: [...tests, `${agent}/helper/serve-helper\\.ts$`],
    },
    { path: "^(node:)?net$", dependencyTypesNot: ["type-only"] },
  ),
  forbid(
    "only-tasks-run-operations",
    "Contract 1: one path changes a node. Operations are reached only by what judges a task, and by what validates and snapshots first.",
    { path: `${agent}/`, pathNot: `${agent}/(tasks|safety|operations|compose)` },
    { path: `${agent}/operations/` },
  ),
  forbid(
    "only-host-starts-processes",
    "One folder touches the machine, so one folder is what a reviewer of that question has to read.",
    { path: `${agent}/`, pathNot: `${agent}/host/` },
    { path: "^(node:)?child_process$" },
  ),
];

const inDashboard = [
  forbid(
    "ui-knows-no-product",
    "A part in ui/ could live in any product; one that knows ours belongs in widgets/.",
    { path: `${dashboard}/ui/` },
    { path: "^(apps/dashboard/src/(page-table\\.|(api|pages|widgets|contributions|perf)/)|packages/)" },
  ),
  forbid(
    "dashboard-points-down",
    "Pages use widgets and data, never the other way round; so a page can be removed without a search.",
    { path: `${dashboard}/(widgets|api|perf)/` },
    { path: `${dashboard}/(pages/|contributions/|boot|main|page-files|router)` },
  ),
];

const unknownPlaces = [
  forbid("layer-unknown-importer", "This file stands in no layer: move it, or draw the layer.", outsideLayers, {}),
  forbid(
    "layer-unknown-imported",
    "The imported file stands in no layer: move it, or draw the layer.",
    {},
    outsideLayers,
  ),
  forbid(
    "layer-unknown-orphan",
    "This file stands in no layer and nothing uses it: move it, draw the layer, or delete it.",
    { ...outsideLayers, orphan: true },
    {},
  ),
];

module.exports = {
  forbidden: [...everywhere, ...inServer, ...inAgent, ...inDashboard, ...unknownPlaces],
  options: {
    // TypeScript 7 has no API that dependency-cruiser can use; without this line it would cruise nothing and stay green.
    parser: "swc",
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    exclude: {
      path: ["^(tools/planted|tests/fixtures|coverage|dist|\\.dev)/", "^(apps|packages|plugins)/[^/]+/dist/"],
    },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "types", "default"],
      extensions: [".ts", ".tsx", ".js", ".mjs", ".cjs", ".css"],
    },
  },
};
