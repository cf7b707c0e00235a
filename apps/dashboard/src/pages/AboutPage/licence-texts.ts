import fonts from "../../ui/fonts/fonts-licence.txt?raw";

/** A piece of other people's work that this page is made of. */
export interface LicensedPart {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** Undefined where the package names its licence and carries no text of it. */
  readonly text: string | undefined;
}

/*
 * Read from the installed packages when the page is built, so the list cannot name another version than the one inside.
 * The patterns must be literals; `licence-texts.test.ts` compares them with what package.json leads to.
 */
const versions: Record<string, string> = import.meta.glob(
  [
    "../../../../../node_modules/@{base-ui,floating-ui,mapbox,maplibre,radix-ui,tanstack}/*/package.json",
    "../../../../../node_modules/@babel/runtime/package.json",
    "../../../../../node_modules/{aria-hidden,bidi-js,cmdk,cookie-es,detect-node-es,earcut,get-nonce,gl-matrix,isbot,json-stringify-pretty-compact,kdbush,lucide-react,maplibre-gl,minimist,murmurhash-js,pbf,potpack,protocol-buffers-schema,quickselect,react,react-dom,react-remove-scroll,react-remove-scroll-bar,react-style-singleton,require-from-string,reselect,resolve-protobuf-schema,scheduler,seroval,seroval-plugins,tinyqueue,tslib,uplot,use-callback-ref,use-sidecar,use-sync-external-store,zod}/package.json",
  ],
  { eager: true, import: "version" },
);
const licences: Record<string, string> = import.meta.glob(
  [
    "../../../../../node_modules/@{base-ui,floating-ui,mapbox,maplibre,radix-ui,tanstack}/*/package.json",
    "../../../../../node_modules/@babel/runtime/package.json",
    "../../../../../node_modules/{aria-hidden,bidi-js,cmdk,cookie-es,detect-node-es,earcut,get-nonce,gl-matrix,isbot,json-stringify-pretty-compact,kdbush,lucide-react,maplibre-gl,minimist,murmurhash-js,pbf,potpack,protocol-buffers-schema,quickselect,react,react-dom,react-remove-scroll,react-remove-scroll-bar,react-style-singleton,require-from-string,reselect,resolve-protobuf-schema,scheduler,seroval,seroval-plugins,tinyqueue,tslib,uplot,use-callback-ref,use-sidecar,use-sync-external-store,zod}/package.json",
  ],
  { eager: true, import: "license" },
);
const texts: Record<string, string> = import.meta.glob(
  [
    "../../../../../node_modules/@{base-ui,floating-ui,mapbox,maplibre,radix-ui,tanstack}/*/LICENSE*",
    "../../../../../node_modules/@babel/runtime/LICENSE*",
    "../../../../../node_modules/{aria-hidden,bidi-js,cmdk,cookie-es,detect-node-es,earcut,get-nonce,gl-matrix,isbot,json-stringify-pretty-compact,kdbush,lucide-react,maplibre-gl,minimist,murmurhash-js,pbf,potpack,protocol-buffers-schema,quickselect,react,react-dom,react-remove-scroll,react-remove-scroll-bar,react-style-singleton,require-from-string,reselect,resolve-protobuf-schema,scheduler,seroval,seroval-plugins,tinyqueue,tslib,uplot,use-callback-ref,use-sidecar,use-sync-external-store,zod}/{LICENSE,license}*",
  ],
  { eager: true, query: "?raw", import: "default" },
);

const nameOf = (path: string): string => path.replace(/^.*node_modules\//, "").replace(/\/[^/]+$/, "");

const textOf = new Map(Object.entries(texts).map(([path, text]) => [nameOf(path), text.trim()]));

/** Everything in alphabetical order, first what is no package. */
export const licensedParts: readonly LicensedPart[] = [
  { name: "Inter and JetBrains Mono", version: "", licence: "OFL-1.1", text: fonts.trim() },
  { name: "Natural Earth, the land of the map", version: "", licence: "public domain", text: undefined },
  ...Object.entries(versions)
    .map(([path, version]) => ({
      name: nameOf(path),
      version,
      licence: licences[path] ?? "not named",
      text: textOf.get(nameOf(path)),
    }))
    .sort((one, other) => one.name.localeCompare(other.name)),
];
