/**
 * What a wallet provider signs for one wallet session. The browser passes it on unchanged, so fields that are not named
 * here stay in it. Times are passed on as the provider writes them.
 */
export interface WalletSession {
  readonly epochTimestamp: number;
  readonly expiresAt: number;
  readonly merchantSessionIdentifier: string;
  readonly nonce: string;
  readonly merchantIdentifier: string;
  readonly domainName: string;
  readonly displayName: string;
  readonly signature: string;
}

const NUMBERS = ['epochTimestamp', 'expiresAt'] as const satisfies readonly (keyof WalletSession)[];
const TEXTS = [
  'merchantSessionIdentifier',
  'nonce',
  'merchantIdentifier',
  'domainName',
  'displayName',
  'signature',
] as const satisfies readonly (keyof WalletSession)[];

/** Reads a provider's answer. Null unless it is a complete session for the domain. */
export function readWalletSession(value: unknown, domainName: string): WalletSession | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const fields = value as Record<string, unknown>;
  const isComplete =
    NUMBERS.every((name) => Number.isSafeInteger(fields[name])) &&
    TEXTS.every((name) => typeof fields[name] === 'string' && fields[name] !== '');
  return isComplete && fields.domainName === domainName ? (value as WalletSession) : null;
}
