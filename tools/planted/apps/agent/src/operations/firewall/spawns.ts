import { spawn } from "node:child_process"; // breaks: only-host-starts-processes
export const spawns = spawn;
