import type { Command } from "./command.ts";
import { artifactAdd } from "./commands/artifact-add.ts";
import { artifactList } from "./commands/artifact-list.ts";
import { artifactRemove } from "./commands/artifact-remove.ts";
import { artifactShow } from "./commands/artifact-show.ts";
import { artifactSign } from "./commands/artifact-sign.ts";
import { auditCheck } from "./commands/audit-check.ts";
import { auditPrune } from "./commands/audit-prune.ts";
import { auditSearch } from "./commands/audit-search.ts";
import { auditVerify } from "./commands/audit-verify.ts";
import { auditWitness } from "./commands/audit-witness.ts";
import { auditWitnesses } from "./commands/audit-witnesses.ts";
import { logs } from "./commands/logs.ts";
import { login } from "./commands/login.ts";
import { logout } from "./commands/logout.ts";
import { nodeEnrol } from "./commands/node-enrol.ts";
import { nodeEnrolments } from "./commands/node-enrolments.ts";
import { nodeList } from "./commands/node-list.ts";
import { showMetrics } from "./commands/node-metrics.ts";
import { nodePlaceCommand } from "./commands/node-place.ts";
import { nodeRemove } from "./commands/node-remove.ts";
import { nodeRename } from "./commands/node-rename.ts";
import { nodeRevoke } from "./commands/node-revoke.ts";
import { nodeShow } from "./commands/node-show.ts";
import { nodeTagCommand } from "./commands/node-tag.ts";
import { nodeWatch } from "./commands/node-watch.ts";
import { passwordCommand } from "./commands/password.ts";
import { planApply } from "./commands/plan-apply.ts";
import { planApprove } from "./commands/plan-approve.ts";
import { planCreate } from "./commands/plan-create.ts";
import { planDiff } from "./commands/plan-diff.ts";
import { planList } from "./commands/plan-list.ts";
import { planReject } from "./commands/plan-reject.ts";
import { planReview } from "./commands/plan-review.ts";
import { planShow } from "./commands/plan-show.ts";
import { planHalt } from "./commands/plan-halt.ts";
import { planStop } from "./commands/plan-stop.ts";
import { planUndo } from "./commands/plan-undo.ts";
import { planWatch } from "./commands/plan-watch.ts";
import { planWithdraw } from "./commands/plan-withdraw.ts";
import { pluginActivate } from "./commands/plugin-activate.ts";
import { pluginAsk } from "./commands/plugin-ask.ts";
import { pluginCheck } from "./commands/plugin-check.ts";
import { pluginDisable } from "./commands/plugin-disable.ts";
import { pluginInstall } from "./commands/plugin-install.ts";
import { pluginList } from "./commands/plugin-list.ts";
import { pluginMarket } from "./commands/plugin-market.ts";
import { pluginShow } from "./commands/plugin-show.ts";
import { pluginTrust } from "./commands/plugin-trust.ts";
import { pluginInspect } from "./commands/plugin-inspect.ts";
import { pluginKeygen } from "./commands/plugin-keygen.ts";
import { pluginNew } from "./commands/plugin-new.ts";
import { pluginPack } from "./commands/plugin-pack.ts";
import { pluginSign } from "./commands/plugin-sign.ts";
import { pluginTry } from "./commands/plugin-try.ts";
import { pluginVectors } from "./commands/plugin-vectors.ts";
import { pluginVerify } from "./commands/plugin-verify.ts";
import { sessionEnd } from "./commands/session-end.ts";
import { sessionList } from "./commands/session-list.ts";
import { settingsSet } from "./commands/settings-set.ts";
import { settingsShow } from "./commands/settings-show.ts";
import { stateRecover } from "./commands/state-recover.ts";
import { tokenIssue } from "./commands/token-issue.ts";
import { tokenList } from "./commands/token-list.ts";
import { tokenRevoke } from "./commands/token-revoke.ts";
import { trustCheck } from "./commands/trust-check.ts";
import { userChange } from "./commands/user-change.ts";
import { userCreate } from "./commands/user-create.ts";
import { userList } from "./commands/user-list.ts";
import { userRemove } from "./commands/user-remove.ts";
import { userResetPassword } from "./commands/user-reset-password.ts";
import { version } from "./commands/version.ts";
import { whoami } from "./commands/whoami.ts";

/** Every command there is, in the order in which the help lists them. */
export const commands: readonly Command[] = [
  login,
  logout,
  whoami,
  passwordCommand,
  sessionList,
  sessionEnd,
  tokenList,
  tokenIssue,
  tokenRevoke,
  userList,
  userCreate,
  userChange,
  userRemove,
  userResetPassword,
  nodeList,
  nodeShow,
  showMetrics,
  logs,
  nodeEnrol,
  nodeEnrolments,
  nodeTagCommand,
  nodeRename,
  nodePlaceCommand,
  nodeRevoke,
  nodeRemove,
  nodeWatch,
  planCreate,
  planList,
  planShow,
  planDiff,
  planReview,
  planWithdraw,
  planReject,
  planApprove,
  planApply,
  planWatch,
  planHalt,
  planUndo,
  planStop,
  settingsShow,
  settingsSet,
  pluginNew,
  pluginTry,
  pluginKeygen,
  pluginPack,
  pluginSign,
  pluginInspect,
  pluginVerify,
  pluginVectors,
  trustCheck,
  pluginList,
  pluginShow,
  pluginInstall,
  pluginActivate,
  pluginDisable,
  pluginAsk,
  pluginCheck,
  pluginTrust,
  pluginMarket,
  artifactSign,
  artifactAdd,
  artifactList,
  artifactShow,
  artifactRemove,
  auditSearch,
  auditCheck,
  auditVerify,
  auditPrune,
  auditWitness,
  auditWitnesses,
  stateRecover,
  version,
];
