import { sign } from "@gatehouse/bundle/sign";
export const plan = { sign };
