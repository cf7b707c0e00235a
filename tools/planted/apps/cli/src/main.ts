import { openFileStore } from "@gatehouse/store";
import { sign } from "@gatehouse/bundle/sign";
export const main = [openFileStore, sign];
