import type * as z from "zod";
import { refuse } from "./core/plugin.ts";
import type { Json } from "./core/wire.ts";

/** `readInput` from a schema: names the first field that is not as expected, and never repeats what was found in it. */
export function readInputWith<Input>(schema: z.ZodType<Input>): (input: Json) => Input {
  return (input) => {
    const parsed = schema.safeParse(input);
    if (parsed.success) return parsed.data;
    const issue = parsed.error.issues[0];
    if (issue === undefined) return refuse("the input is not as expected");
    const extra = issue.code === "unrecognized_keys" ? [issue.keys[0] ?? ""] : [];
    const place = [...issue.path, ...extra]
      .map((part) =>
        String(part)
          .replace(/[^\w.-]/g, "?")
          .slice(0, 40),
      )
      .join(".");
    const said = issue.code === "unrecognized_keys" ? "is no field here" : issue.message;
    return refuse(place === "" ? `the input ${said}` : `${place}: ${said}`);
  };
}
