import { execFile } from "node:child_process";
export const exec = execFile;
