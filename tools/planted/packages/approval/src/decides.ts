import { verify } from "./verify/index.ts"; // breaks: bytes-import-frames-and-below
export const decides = verify;
