import { DAY_MS } from '../durations.ts';
import type { OutgoingFailureCode } from '../webhooks/outgoing-failure.ts';

export type WalletDomainStatus = 'pending' | 'verified' | 'failed';

/** The maximum of domains of a merchant. */
export const MAX_WALLET_DOMAINS = 100;

/** Where a domain must serve the verification file. */
export const VERIFICATION_PATH = '/.well-known/mobile-wallet-domain-association';

/** A longer file is not read to its end. */
export const MAX_VERIFICATION_FILE_BYTES = 4 * 1_024;

/** A verified domain is checked again after this time. */
export const RECHECK_AFTER_MS = DAY_MS;

/** A verified domain loses its status after this many failed checks in a row (contract row 13.20). */
export const MAX_FAILED_CHECKS = 3;

/** Domains that the sandbox itself serves, with the verification file in place. */
export const SANDBOX_DOMAIN_SUFFIX = '.wallet.test';

/** Why a check of a domain failed. */
export interface WalletDomainProblem {
  readonly code:
    | 'unexpected_status'
    | 'too_large'
    | 'unexpected_content'
    | OutgoingFailureCode
    | 'verified_by_another_account';
  /** A sentence for the merchant. */
  readonly message: string;
}

/** A domain where a merchant shows a wallet button. Its times are wall time. */
export interface WalletDomain {
  readonly id: string;
  /** In lower case. */
  readonly domainName: string;
  readonly status: WalletDomainStatus;
  /** Where it must serve the verification file. */
  readonly verificationPath: string;
  /** What the verification file must contain. */
  readonly verificationContent: string;
  /** Failed checks since the last successful one. */
  readonly failedChecks: number;
  /** Null unless it is verified. */
  readonly verifiedAt: Date | null;
  /** What failed in the latest check. Null if it succeeded, and before the first one. */
  readonly problem: WalletDomainProblem | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Names of hosts (RFC 1123) with at least one dot, in lower case. The last label has a letter, so no IP address. */
const HOST_NAME = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Whether a text is the name of a domain, in lower case. */
export function isDomainName(text: string): boolean {
  return HOST_NAME.test(text);
}

/** Whether a verification file proves that the merchant controls the domain. */
export function isVerificationFile(text: string, { verificationContent }: WalletDomain): boolean {
  return text.trim() === verificationContent;
}
