import { stripTypeScriptTypes } from "node:module";
import { parseSync } from "vite";

/** Where an error can be thrown: before every statement, arrow body and call of a file. */
export interface FaultPoint {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/**
 * Puts a call `__point(n)` before every statement of every function, before the expression of every short arrow, and
 * before every call, `new` and `await`. Statements of the module itself run while it is loaded, before any bundle.
 */
export function plantFaultPoints(file: string, source: string, points: FaultPoint[]): string {
  const code = stripTypeScriptTypes(source);
  const insertions: { at: number; text: string; order: number }[] = [];
  const point = (start: number): string => {
    const line = code.slice(0, start).split("\n").length;
    points.push({ file, line, text: (source.split("\n")[line - 1] ?? "").trim() });
    return `globalThis.__point(${points.length - 1})`;
  };
  const insert = (at: number, text: string, order: number) => insertions.push({ at, text, order });
  const wrap = (node: Node, depth: number) => {
    insert(node.start, `(${point(node.start)}, `, depth);
    insert(node.end, ")", -depth);
  };
  const statement = (node: Node, depth: number) => {
    insert(node.start, `{ ${point(node.start)}; `, depth);
    insert(node.end, " }", -depth);
  };

  const visit = (node: Node, parent: Node | undefined, depth: number): void => {
    if (node.type === "BlockStatement") {
      for (const inner of node["body"] as Node[]) insert(inner.start, `${point(inner.start)}; `, depth);
    } else if (isLoneBody(node, parent)) statement(node, depth);
    else if (parent?.type === "ArrowFunctionExpression" && parent["body"] === node) wrap(node, depth);
    else if (calls.has(node.type) && parent?.type !== "ChainExpression" && !isInChain(node, parent)) wrap(node, depth);
    for (const child of childrenOf(node)) visit(child, node, depth + 1);
  };
  visit(parseSync(file, code).program as unknown as Node, undefined, 0);

  // At one place, outer insertions stand before inner ones where they open, and after them where they close.
  insertions.sort((a, b) => a.at - b.at || a.order - b.order);
  let planted = "";
  let from = 0;
  for (const { at, text } of insertions) {
    planted += code.slice(from, at) + text;
    from = at;
  }
  return planted + code.slice(from);
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

const calls: ReadonlySet<string> = new Set(["CallExpression", "NewExpression", "AwaitExpression", "ChainExpression"]);

/** A statement that is the whole body of an `if` or a loop. */
function isLoneBody(node: Node, parent: Node | undefined): boolean {
  if (parent === undefined || !/^(?:If|For|ForIn|ForOf|While)Statement$/.test(parent.type)) return false;
  return [parent["consequent"], parent["alternate"], parent["body"]].includes(node);
}

/** A part of `a?.b()` cannot stand in brackets without ending the chain. */
function isInChain(node: Node, parent: Node | undefined): boolean {
  return parent?.type === "MemberExpression" && node["optional"] === true;
}

function childrenOf(node: Node): Node[] {
  return Object.values(node).flatMap((value) => (Array.isArray(value) ? value : [value]).filter(isNode));
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string";
}
