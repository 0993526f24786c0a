import { findRecipient as findRow, type RecipientKey } from '../../db/recipients/recipients.ts';
import { isUuid, normalizeUuid } from '../../domain/identifiers.ts';
import type { Recipient } from '../../domain/recipients/recipient.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../deps.ts';
import { notFound } from '../refusal.ts';

const HASH = /^[a-z2-7]{16,64}$/;

/** The recipient with this UUID (either case) or hash. Refusal: `not_found`. */
export async function findRecipient(
  deps: Pick<Deps, 'db'>,
  merchant: MerchantScope,
  identifier: string,
): Promise<Recipient> {
  const recipient = await findRow(deps.db, merchant, recipientKey(identifier));
  if (recipient === undefined) throw notFound('Recipient');
  return recipient;
}

/** How to look an identifier up. Refusal: `not_found` for a text that is neither. */
export function recipientKey(identifier: string): RecipientKey {
  if (isUuid(identifier)) return { by: 'id', value: normalizeUuid(identifier) };
  if (HASH.test(identifier)) return { by: 'hash', value: identifier };
  throw notFound('Recipient');
}
