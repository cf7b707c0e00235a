/**
 * Approval: what approvers sign, byte by byte: statements, their containers, SSH keys and signatures, trust files; browser-safe.
 * Never decides whether somebody is believed: that is `@gatehouse/approval/verify`, which needs Node.
 */
export { readArmor, writeArmor } from "./armor.ts";
export { readContainer, type SignedStatement, writeContainer } from "./container.ts";
export { hasSection, type SectionBits, sectionBits, sectionsOf } from "./section-bits.ts";
export { readSshKey, readSshKeyLine, type SshKey, type SshKeyType, sshKeyTypes } from "./ssh-key.ts";
export { approvalNamespace, readSshSig, type SshSig, sshKeygenSign } from "./sshsig.ts";
export { orderDomain, orderFrame, readOrder, type ServerOrder, serverOrderId } from "./server-order.ts";
export { type Approval, approvalDomain, approvalFrame, readApproval } from "./statement.ts";
export { serialiseTrust, type TrustFile, trustFile } from "./trust-file.ts";
