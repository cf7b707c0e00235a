/** Where an agent speaks to its server. The path is part of what both sides sign. */
export const controlPath = "/api/agent/control/stream";
export const enrolPath = "/api/agent/enrol";
/** Behind it stands the architecture. */
export const agentDownloadPath = "/api/agent/download";
