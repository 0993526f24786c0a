import { readBalance } from '../../db/ledger/balances.ts';
import type { Balance } from '../../domain/ledger/balance.ts';
import { merchantDay } from '../../domain/local-time.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { type Deps, now } from '../deps.ts';
import { findRecipientNamed } from '../recipients/find-recipient.ts';
import { notFound } from '../refusal.ts';

/** The merchant's balance on its current day. */
export async function getBalance(deps: Deps, merchant: Merchant): Promise<Balance> {
  return balanceNow(deps, merchant, null);
}

/** The balance of a recipient, by its number, UUID or hash. Refusal: `not_found`. */
export async function getRecipientBalance(
  deps: Deps,
  merchant: Merchant,
  identifier: string,
): Promise<Balance> {
  const recipient = await findRecipientNamed(deps, merchant, identifier);
  if (recipient === undefined) throw notFound('Recipient');
  return balanceNow(deps, merchant, recipient.id);
}

function balanceNow(deps: Deps, merchant: Merchant, recipientId: string | null): Promise<Balance> {
  return readBalance(deps.db, merchant, { recipientId, today: merchantDay(now(deps, merchant)) });
}
