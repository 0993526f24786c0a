import { findCard } from '../../db/cards/cards.ts';
import { findCustomer } from '../../db/customers/customers.ts';
import { normalizeUuid } from '../../domain/identifiers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { ScriptedOutcome, StoredScript } from '../../gateway/sandbox-control.ts';
import { callSandbox } from '../call-sandbox.ts';
import { type Deps, type Finish, now } from '../deps.ts';
import { invalid } from '../refusal.ts';

export type { StoredScript };

export interface NewScript {
  readonly id: string;
  /** The contract allows exactly one of the two. */
  readonly customerId: string | null;
  readonly cardId: string | null;
  readonly outcomes: readonly ScriptedOutcome[];
}

/**
 * Sets the outcomes of the next calls to the simulated acquirer for one customer or card. The acquirer identifies a
 * script by its id, so a request that runs again adds nothing. Refusals: an unknown `customerId` or `cardId`;
 * `unavailable`.
 */
export async function createScript<Answer>(
  deps: Deps,
  merchant: Merchant,
  input: NewScript,
  finish: Finish<StoredScript, Answer>,
): Promise<Answer> {
  const customerId = input.customerId === null ? null : normalizeUuid(input.customerId);
  const cardId = input.cardId === null ? null : normalizeUuid(input.cardId);
  await refuseUnknown(deps, merchant, customerId, cardId);
  const script = {
    scriptId: input.id,
    account: merchant.merchantId,
    customerId,
    cardId,
    outcomes: input.outcomes,
    createdAt: now(deps, merchant),
  };
  const stored = await callSandbox(deps, (sandbox) => sandbox.createScript(script));
  return deps.db.transaction(merchant, (tx) => finish(tx, stored));
}

async function refuseUnknown(
  deps: Deps,
  merchant: Merchant,
  customerId: string | null,
  cardId: string | null,
): Promise<void> {
  if (customerId !== null && !(await findCustomer(deps.db, merchant, { by: 'id', value: customerId }))) {
    throw invalid({ customerId: 'You have no such customer.' });
  }
  if (cardId !== null && !(await findCard(deps.db, merchant, cardId))) {
    throw invalid({ cardId: 'You have no such card.' });
  }
}
