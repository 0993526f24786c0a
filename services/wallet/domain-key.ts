import { createHash } from 'node:crypto';
import type { DomainKey } from '../../db/wallet/verified-wallet-domains.ts';

/** The key of a domain name in the directory of verified domains. Its slot is the first byte of the name's SHA-256. */
export function domainKey(domainName: string): DomainKey {
  return { slot: createHash('sha256').update(domainName).digest()[0]!, domainName };
}
