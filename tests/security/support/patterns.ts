import { parseAst } from "vite";
import type { SourceFile } from "./sources.ts";

export interface FoundPattern {
  readonly path: string;
  readonly line: number;
  readonly source: string;
  readonly flags: string;
  /** A part of its source is not known from the file; a word stands in its place. */
  readonly isOpen: boolean;
}

type Node = { readonly type: string } & Record<string, unknown>;

/** Every regular expression a file holds: literals, and `new RegExp(…)` of texts put together from constants of the file. */
export function patternsIn({ path, text }: SourceFile): FoundPattern[] {
  const lang = path.endsWith(".tsx") ? "tsx" : path.endsWith(".ts") ? "ts" : "js";
  const program = parseAst(text.replace(/^#!.*/, ""), { lang }) as unknown as Node;
  const constants = new Map<string, string>();
  const found: FoundPattern[] = [];
  walk(program, (node) => {
    const line = text.slice(0, Number(node["start"])).split("\n").length;
    if (node.type === "VariableDeclarator") {
      const value = textOf(node["init"], constants);
      if (value !== undefined) constants.set((node["id"] as { name: string }).name, value);
    }
    const { regex } = node as { regex?: { pattern: string; flags: string } };
    if (node.type === "Literal" && regex)
      found.push({ path, line, source: regex.pattern, flags: regex.flags, isOpen: false });
    if (isRegExpCall(node)) {
      const [given, flagsGiven] = node["arguments"] as unknown[];
      const known = textOf(given, constants);
      const source = known ?? textOf(given, constants, "word") ?? "";
      found.push({ path, line, source, flags: textOf(flagsGiven, constants) ?? "", isOpen: known === undefined });
    }
  });
  return found;
}

function isRegExpCall(node: Node): boolean {
  if (node.type !== "NewExpression" && node.type !== "CallExpression") return false;
  return (node["callee"] as { name?: string }).name === "RegExp";
}

function textOf(value: unknown, constants: ReadonlyMap<string, string>, instead?: string): string | undefined {
  const node = value as Node | null | undefined;
  if (node?.type === "Literal" && typeof node["value"] === "string") return node["value"];
  if (node?.type === "Identifier") return constants.get(node["name"] as string) ?? instead;
  if (node?.type !== "TemplateLiteral") return undefined;
  const parts = (node["expressions"] as unknown[]).map((part) => textOf(part, constants, instead));
  if (parts.includes(undefined)) return undefined;
  const quasis = node["quasis"] as { value: { cooked: string } }[];
  return quasis.map((quasi, at) => quasi.value.cooked + (parts[at] ?? "")).join("");
}

function walk(node: unknown, visit: (node: Node) => void): void {
  if (typeof node !== "object" || node === null) return;
  if ("type" in node && typeof node.type === "string") visit(node as Node);
  for (const child of Object.values(node)) walk(child, visit);
}
