/** Values that survive `JSON.parse(JSON.stringify(x))` unchanged. Dates, undefined and functions do not type-check. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}
