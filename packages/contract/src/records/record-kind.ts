import type { JsonObject } from "@gatehouse/base";
import * as z from "zod";
import type { Scope } from "../scopes.ts";

/**
 * What the store keeps under one noun: how its values look, how older ones become today's, which of their fields are
 * sealed, who hears of their changes and how long they stay.
 */
export interface RecordKind<Value extends JsonObject = JsonObject> {
  readonly name: string;
  readonly says: string;
  /** Closed: a value with a field that is not named is neither written nor read. */
  readonly schema: z.ZodType;
  /** Form of the values that are written now: one more than there are migrations. */
  readonly form: number;
  /** The first makes a value of form 2 out of one of form 1, and so on. */
  readonly migrations: readonly ((old: JsonObject) => JsonObject)[];
  /** Fields that hold ciphertext under a key derived from the master key. */
  readonly sealed: readonly string[];
  /** Scope that lets one hear of changes whose action has this noun; without one they are for auditors. */
  readonly heardWith: Scope | undefined;
  /** How long a record stays. */
  readonly kept: string;
  /** Names one record of this kind; what is read under the name has the type of the kind. */
  key(id: string): RecordKey<Value>;
  /** The key whose text a file has; it must begin with the name of the kind. */
  keyFrom(text: string): RecordKey<Value>;
}

/** Names one record. A value that its kind makes: no text passes for it. */
export interface RecordKey<Value extends JsonObject = JsonObject> {
  readonly kind: RecordKind<Value>;
  readonly id: string;
  /** `kind/id`, as it stands in the files and in the audit log. */
  readonly text: string;
  /** Its text: a key that is written as JSON brings no schema along. */
  toJSON(): string;
}

/** The value of a kind, as nobody may change it. */
export type RecordOf<Kind extends RecordKind> = Kind extends RecordKind<infer Value> ? Value : never;

export interface KindDefinition<Schema extends z.ZodType> {
  readonly name: string;
  readonly says: string;
  readonly schema: Schema;
  readonly migrations?: readonly ((old: JsonObject) => JsonObject)[];
  readonly sealed?: readonly (keyof z.output<Schema> & string)[];
  readonly heardWith?: Scope;
  readonly kept: string;
}

export function defineKind<Schema extends z.ZodType<JsonObject>>(
  definition: KindDefinition<Schema>,
): RecordKind<DeepReadonly<z.output<Schema>>> {
  const { name, says, schema, migrations = [], sealed = [], heardWith, kept } = definition;
  const kind: RecordKind<DeepReadonly<z.output<Schema>>> = {
    name,
    says,
    schema,
    form: migrations.length + 1,
    migrations,
    sealed,
    heardWith,
    kept,
    key: (id) => new Key(kind, `${name}/${id}`),
    keyFrom: (text) => new Key(kind, text),
  };
  return kind;
}

class Key<Value extends JsonObject> implements RecordKey<Value> {
  readonly kind: RecordKind<Value>;
  readonly text: string;

  constructor(kind: RecordKind<Value>, text: string) {
    this.kind = kind;
    this.text = text;
  }

  get id(): string {
    return this.text.slice(this.kind.name.length + 1);
  }

  toJSON(): string {
    return this.text;
  }
}

/** A field that holds ciphertext, as the store's secrets write it; plain text in its place is refused. */
export const sealedText = z.string().regex(/^sealed1:[0-9a-f]{16}:[A-Za-z0-9_-]{16}:[A-Za-z0-9_-]{22,}$/);

/** Milliseconds since 1970. */
export const moment = z.number();

/**
 * Ids, names and digests are texts and no more: whoever wrote the record has judged them, and a pattern for each would cost
 * more than all else that is asked of a record.
 */
export const text = z.string();

type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;
