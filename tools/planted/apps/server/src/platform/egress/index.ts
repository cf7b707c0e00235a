import { connect } from "node:tls";
import { Resolver } from "node:dns/promises";
export const egress = [connect, Resolver];
