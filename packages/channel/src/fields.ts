import * as z from "zod";

/** A version as `package.json` has it, with its pre-release part. */
export const agentVersion = z.string().regex(/^\d{1,5}\.\d{1,5}\.\d{1,5}(-[0-9a-z.]{1,32})?$/);

/** What the kernel calls the host; anything a host may say, as long as it can be shown. */
export const reportedHostName = z
  .string()
  .min(1)
  .max(253)
  .regex(/^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/);
