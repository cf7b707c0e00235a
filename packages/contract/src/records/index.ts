/**
 * Records: every kind of record that the store keeps, as one table. Programs that open a data directory hand it to the
 * store, which reads and writes nothing else. Never asks who may read them; that is a matter of routes.
 */
import { alertKind, alertRuleKind, alertSilenceKind } from "./alert-records.ts";
import { artifactKind } from "./artifact-records.ts";
import {
  credentialsKind,
  idempotencyKind,
  ownersKind,
  sessionKind,
  tokenKind,
  userKind,
  usernameKind,
} from "./identity-records.ts";
import { enrolmentKind, nodeDriftKind, nodeKind, nodeOutboxKind, witnessedKind } from "./fleet-records.ts";
import { planKind, serverSettingsKey, serverSettingsKind, taskKind } from "./plan-records.ts";
import { pluginKind, pluginKvKind, pluginKvUseKind, pluginQuestionKind } from "./plugin-records.ts";
import type { RecordKind } from "./record-kind.ts";
import { fixtureKind } from "./retired-records.ts";
import { auditFloorKind, witnessKind } from "./store-records.ts";
import { webhookKind } from "./webhook-records.ts";

export type { AlertRecord, AlertRuleRecord, AlertSilenceRecord } from "./alert-records.ts";
export type { ArtifactRecord } from "./artifact-records.ts";
export type {
  CredentialsRecord,
  IdempotencyRecord,
  OwnersRecord,
  SessionRecord,
  TokenRecord,
  UsernameRecord,
  UserRecord,
} from "./identity-records.ts";
export type {
  EnrolmentRecord,
  NodeDriftRecord,
  NodeOutboxRecord,
  NodeRecord,
  WitnessedRecord,
} from "./fleet-records.ts";
export type { PlanApproval, PlanRecord, ServerSettingsRecord, TaskRecord } from "./plan-records.ts";
export type { PluginKvRecord, PluginKvUseRecord, PluginQuestionRecord, PluginRecord } from "./plugin-records.ts";
export { defineKind, moment, type RecordKey, type RecordKind, type RecordOf, sealedText, text } from "./record-kind.ts";
export { auditFloorKey, witnessKey } from "./store-records.ts";
export type { WebhookRecord } from "./webhook-records.ts";
export {
  alertKind,
  alertRuleKind,
  alertSilenceKind,
  artifactKind,
  auditFloorKind,
  credentialsKind,
  enrolmentKind,
  idempotencyKind,
  nodeDriftKind,
  nodeKind,
  nodeOutboxKind,
  ownersKind,
  planKind,
  pluginKind,
  pluginKvKind,
  pluginKvUseKind,
  pluginQuestionKind,
  serverSettingsKey,
  serverSettingsKind,
  sessionKind,
  taskKind,
  tokenKind,
  userKind,
  usernameKind,
  webhookKind,
  witnessedKind,
  witnessKind,
};

export const recordKinds: readonly RecordKind[] = [
  userKind,
  usernameKind,
  sessionKind,
  tokenKind,
  credentialsKind,
  ownersKind,
  idempotencyKind,
  pluginKind,
  pluginKvKind,
  pluginKvUseKind,
  pluginQuestionKind,
  nodeKind,
  nodeOutboxKind,
  nodeDriftKind,
  witnessedKind,
  enrolmentKind,
  planKind,
  taskKind,
  artifactKind,
  serverSettingsKind,
  alertKind,
  alertRuleKind,
  alertSilenceKind,
  webhookKind,
  auditFloorKind,
  witnessKind,
  fixtureKind,
];
