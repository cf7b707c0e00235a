import * as z from "zod";
import { faults } from "../faults.ts";

export const problemMediaType = "application/problem+json";

/** The `type` of a problem (RFC 9457): a name, not an address, so that it stays true wherever the server is installed. */
export function problemType(code: string): string {
  return `urn:gatehouse:problem:${code}`;
}

/** Every error answer has this form. Fields of the case stand beside these; `code` is what programs match on. */
export const problemSchema = z
  .looseObject({
    type: z.string().meta({ description: "urn:gatehouse:problem: and the code." }),
    title: z.string().meta({ description: "What this sort of refusal is called." }),
    status: z.int().min(400).max(599),
    detail: z.string().meta({ description: "Which check failed, what was expected and what was found." }),
    code: z.string().meta({ description: "Stable and dotted.", examples: Object.keys(faults).slice(0, 3) }),
    requestId: z.string().meta({ description: "The X-Request-Id of this answer." }),
    todo: z.string().optional().meta({ description: "What to do about it." }),
  })
  .meta({ id: "Problem" });

export type Problem = z.output<typeof problemSchema>;
