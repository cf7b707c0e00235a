import { Dialog, type DialogProps } from "./Dialog.tsx";

export type SheetProps = Omit<DialogProps, "place" | "size"> & { side?: "right" | "left" };

/** A dialog along one side: details on the right, navigation on the left. The whole screen on a phone. */
export function Sheet({ side = "right", ...rest }: SheetProps) {
  return <Dialog {...rest} place={side === "right" ? "side" : "left"} />;
}
