import { findRecipient as findRow, type RecipientKey } from '../../db/recipients/recipients.ts';
import { isPublicHash, isUuid, normalizeUuid } from '../../domain/identifiers.ts';
import type { Recipient } from '../../domain/recipients/recipient.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../deps.ts';
import { notFound } from '../refusal.ts';

const NUMBER = /^[1-9][0-9]{0,8}$/;

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
  if (isPublicHash(identifier)) return { by: 'hash', value: identifier };
  throw notFound('Recipient');
}

/** The recipient with this number, UUID or hash, as splits name it; undefined when the merchant has none. */
export async function findRecipientNamed(
  deps: Pick<Deps, 'db'>,
  merchant: MerchantScope,
  name: string,
): Promise<Recipient | undefined> {
  if (NUMBER.test(name)) return findRow(deps.db, merchant, { by: 'number', value: name });
  if (!isUuid(name) && !isPublicHash(name)) return undefined;
  return findRow(deps.db, merchant, recipientKey(name));
}
