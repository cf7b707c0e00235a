import { exec } from "../../host/exec.ts";
export const firewall = exec;
