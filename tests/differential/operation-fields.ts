import { type Operation, operations } from "@gatehouse/plan";
import * as z from "zod";

/** Where a field stands in an operation: names, and `[]` for any item of a list. */
export type FieldPath = readonly string[];

interface FormNode {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, FormNode>>;
  readonly items?: FormNode;
  readonly anyOf?: readonly FormNode[];
  /** One of these. */
  readonly oneOf?: readonly FormNode[];
}

/** Every field of a kind of operation, as its schema has them: one that comes to it is found without anybody naming it. */
export function fieldsOf(kind: Operation["kind"]): FieldPath[] {
  return fieldsIn(z.toJSONSchema(operations[kind].schema, { io: "input" }) as FormNode, []);
}

function fieldsIn({ type, properties = {}, items, anyOf = [], oneOf }: FormNode, path: FieldPath): FieldPath[] {
  const own = path.length === 0 ? [] : [path];
  if (oneOf !== undefined) return distinctPaths(oneOf.flatMap((form) => fieldsIn(form, path)));
  // What may also be null is what it is otherwise.
  const [other, ...more] = anyOf.filter((form) => form.type !== "null");
  if (type === undefined && other !== undefined && more.length === 0) return fieldsIn(other, path);
  if (type === "object") {
    return [...own, ...Object.entries(properties).flatMap(([name, form]) => fieldsIn(form, [...path, name]))];
  }
  if (type === "array" && items !== undefined) return [...own, ...fieldsIn(items, [...path, "[]"])];
  if (type === "string" || type === "integer") return own;
  throw new Error(`a field of a form that nobody knows here: ${path.join(".")}`);
}

function distinctPaths(paths: readonly FieldPath[]): FieldPath[] {
  return [...new Map(paths.map((path) => [path.join("."), path])).values()];
}

type Parent = Record<string, unknown>;

export interface FoundField {
  readonly good: unknown;
  /** Puts another value there. */
  put(value: unknown): void;
}

/** A field in a sample; undefined where the sample has none. */
export function findField(sample: object, [name = "", ...rest]: FieldPath): FoundField | undefined {
  const names = name === "[]" ? Object.keys(sample) : [name];
  for (const key of names) {
    const parent = sample as Parent;
    const good = parent[key];
    if (good === undefined) continue;
    if (rest.length === 0) return { good, put: (value) => void (parent[key] = value) };
    const found = typeof good === "object" && good !== null ? findField(good, rest) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
