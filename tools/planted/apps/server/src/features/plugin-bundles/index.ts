import { verify } from "@gatehouse/bundle/verify";
export const bundles = verify;
