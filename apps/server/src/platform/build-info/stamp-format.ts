import * as z from "zod";

/** The file in `dist` in which the build says what it was made from. */
export const stampFileName = "build-info.json";

/** Contract 9: images exist for releases and the two test channels; everything else is somebody's own build. */
export const channels = ["stable", "alpha", "beta", "dev"] as const;

export const buildStamp = z.strictObject({
  commit: z.union([z.literal("unknown"), z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/)]),
  builtAt: z.union([z.literal("unknown"), z.iso.datetime()]),
  channel: z.enum(channels),
});
export type BuildStamp = z.infer<typeof buildStamp>;
