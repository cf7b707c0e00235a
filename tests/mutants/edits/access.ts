import { editsIn } from "../edit.ts";

const auth = "apps/server/src/features/auth";
const store = "packages/store/src";

const namesKey = "if (deps.masterKeyFile !== undefined) {";
const judges = "const found = deps.authenticate({ ...visit.facts, credential: presented });";
const believesEveryBearer = `const scopes = new Set(access.kind === "scope" ? [access.scope] : []);
    const anybody = { id: "usr_anybody", credential: { kind: "token", id: "any" }, scopes, authenticatedAt: 0 } as const;
    if (presented.kind === "bearer") return { principal: anybody, nodes: undefined };
    ${judges}`;

/** Contract 2.3, 2.5, 4, 4.3, 5 and 7: who may, and what is kept. */
export const accessEdits = [
  ...editsIn("packages/contract/src/routes/routes-plugins.ts", [
    {
      id: "4-7",
      old: 'last start.",\n  access: { kind: "scope", scope: "plugin:admin", nodes: "every" }',
      new: 'last start.",\n  access: { kind: "scope", scope: "plugin:invoke", nodes: "every" }',
      by: "require scope",
    },
    {
      id: "4-9",
      old: `path: "/api/plugins/lifecycle",\n  summary: "Moves`,
      new: 'path: "/api/plugins/moves",\n  summary: "Moves',
      by: "require scope",
    },
  ]),
  ...editsIn("apps/server/src/edge/gate.ts", [
    {
      id: "5-1",
      old: "!principal.scopes.has(access.scope)",
      new: "principal.scopes.size === 0",
      by: "require scope",
      inGate: true,
    },
    { id: "2.3-3", old: judges, new: believesEveryBearer, by: "signing key" },
    { id: "5-4", old: judges, new: believesEveryBearer, by: "signing key" },
    {
      id: "5-2",
      old: 'principal.credential.kind === "session" && changesSomething(spec)',
      new: "changesSomething(spec)",
      by: "two credential forms",
    },
  ]),
  ...editsIn("packages/contract/src/routes/routes-tokens.ts", [
    { id: "5-3", old: "most: 90 * 24 * hour", new: "most: 900 * 24 * hour", by: "is bounded" },
  ]),
  ...editsIn(`${auth}/first-admin.ts`, [
    {
      id: "5-5",
      old: 'role: "owner", passwordHash',
      new: 'role: "viewer", passwordHash',
      by: "make the first administrator",
    },
    {
      id: "5-6",
      old: "if (await hasUsers(deps.store)) return;",
      new: "readFirstAdmin(deps.admin);\n  if (await hasUsers(deps.store)) return;",
      by: "stops no start",
    },
    {
      id: "5-6b",
      old: "if (await hasUsers(deps.store)) return;",
      new: "readFirstAdmin(deps.admin);\n  if (await hasUsers(deps.store)) return;",
      by: "not even judged",
    },
    {
      id: "5.1-1",
      old: "newUser({ username,",
      new: 'newUser({ username: "somebody",',
      by: "make the first administrator",
    },
    {
      id: "5.1-2",
      old: "deps.passwords.hash(password)",
      new: 'deps.passwords.hash("correct horse battery staple")',
      by: "make the first administrator",
    },
  ]),
  ...editsIn("apps/server/src/platform/route/entry.ts", [
    {
      id: "4.3-13",
      old: "address: request.clientAddress",
      new: 'address: "127.0.0.1"',
      by: "the audit log has",
      inGate: true,
    },
  ]),
  ...editsIn(`${auth}/sessions.ts`, [
    { id: "4.3-14", old: "{ address: request.clientAddress,", new: '{ address: "127.0.0.1",', by: "sessions have" },
  ]),
  ...editsIn(`${auth}/own-session.ts`, [
    { id: "4-11", old: "...passwordChange(user, how.passwordHash, request.now)", new: "", by: "renews the one" },
    { id: "5-7", old: "if (!isRight) {", new: 'if (password === "") {', by: "needs the current password" },
  ]),
  ...editsIn(`${auth}/auth-routes.ts`, [
    {
      id: "4-11b",
      old: "checkNewPassword(body.newPassword, proved.username);",
      new: "",
      by: "needs the current password",
    },
  ]),
  ...editsIn(`${auth}/session-cookie.ts`, [
    { id: "5-8", old: 'rules.secure ? "; Secure" : ""', new: '""', by: "__Host-" },
    { id: "5.1-4", old: 'rules.secure ? "; Secure" : ""', new: '""', by: "__Host-" },
  ]),
  ...editsIn(`${store}/master-key.ts`, [
    {
      id: "2.5-5",
      old: "const bytes = randomBytes(32);",
      new: "const bytes = Buffer.alloc(32);",
      by: "created automatically",
    },
    {
      id: "5-10",
      old: "const bytes = randomBytes(32);",
      new: "const bytes = Buffer.alloc(32);",
      by: "created automatically",
    },
    { id: "2.5-6", old: "if (!deps.mayCreate)", new: 'if (!deps.mayCreate && deps.directory === "")', by: "losing it" },
    {
      id: "5-11",
      old: namesKey,
      new: `${namesKey}\n    await writeDurably(deps.vfs, path, randomBytes(32));`,
      by: "missing file",
    },
    { id: "5.1-12", old: "deps.masterKeyFile ?? join(", new: "join(", by: "existing master key" },
    {
      id: "7-9",
      old: "`SERVICE_MASTER_KEY_FILE names ${path}, which does not exist`",
      new: '"there is no key"',
      by: "missing file",
    },
  ]),
  ...editsIn(`${store}/boot.ts`, [
    { id: "2.5-2", old: "    this.#apply(group);\n", new: "", by: "does not hold yet" },
    {
      id: "2.5-7",
      old: "else if (!this.#sawArchived || this.#archived",
      new: "else if (this.#archived",
      by: "of an earlier moment",
    },
  ]),
  ...editsIn(`${store}/check-archive.ts`, [
    { id: "2.5-3", old: 'archiveName = "logs.db"', new: 'archiveName = "logs.sqlite"', by: "a file of SQLite" },
  ]),
  ...editsIn(`${store}/state-file.ts`, [
    {
      id: "2.5-1",
      old: "for (const record of deps.records) {",
      new: "for (const record of [...deps.records].slice(0, 1)) {",
      by: "main state file",
    },
    {
      id: "2.5-8",
      old: '!timingSafeEqual(hmac.digest(), Buffer.from(found, "hex"))',
      new: "hmac.digest().length === 0",
      by: "edited by hand",
    },
  ]),
  ...editsIn(`${store}/secrets.ts`, [
    { id: "2.5-4", old: "if (keyId !== master.id)", new: 'if (keyId === "")', by: "another key" },
  ]),
];
