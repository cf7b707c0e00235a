import * as contract from "@gatehouse/contract/routes";

/** Every row of the API: whatever the contract exports that is one. */
export const contractRows: readonly contract.RouteSpec[] = (Object.values(contract) as unknown[]).filter(isRow);

function isRow(value: unknown): value is contract.RouteSpec {
  return typeof value === "object" && value !== null && "method" in value && "path" in value && "responses" in value;
}

/** Every socket. */
export const contractSockets: readonly contract.SocketSpec[] = (Object.values(contract) as unknown[]).filter(isSocket);

function isSocket(value: unknown): value is contract.SocketSpec {
  return typeof value === "object" && value !== null && "path" in value && "maxFrame" in value;
}
