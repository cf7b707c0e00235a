import { keys } from "@gatehouse/keys"; // breaks: bytes-import-frames-and-below
export const loadsKeys = keys;
