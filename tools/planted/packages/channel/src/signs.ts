import { keys } from "@gatehouse/keys"; // breaks: channel-imports-frames-and-below
export const signs = keys;
