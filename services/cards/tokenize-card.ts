import { putSecurityCode } from '../../db/cards/card-security-codes.ts';
import { findUsedCard } from '../../db/cards/cards.ts';
import { findCustomer } from '../../db/customers/customers.ts';
import type { Card } from '../../domain/cards/card.ts';
import type { CardData } from '../../domain/cards/card-data.ts';
import { MINUTE_MS } from '../../domain/durations.ts';
import { normalizeUuid } from '../../domain/identifiers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Deps, Finish, TransactionContext } from '../deps.ts';
import { Refusal } from '../refusal.ts';
import { withKeysLoaded } from '../vault/vault.ts';
import { cardContext } from './card-context.ts';
import { addCard, fingerprintOf, type NewCardRecord, outlineOf } from './card-records.ts';
import { readEncryptedCard } from './read-card.ts';
import { isChargeable, repairCards } from './repair-cards.ts';

/** How long a security code is stored for the first authorization (contract row 4.6). */
const SECURITY_CODE_RETENTION_MS = 15 * MINUTE_MS;

export interface CardToTokenize {
  readonly id: string;
  /** The API key of the request, for which failures are counted. */
  readonly keyId: string;
  readonly customerId: string;
  readonly encrypted: string;
}

export interface TokenizedCard {
  readonly card: Card;
  /** False if the customer has already paid with this card (contract row 4.7). */
  readonly isNew: boolean;
}

/**
 * Stores a card for a customer. Refusals, in this order: those of `readEncryptedCard`, `customer_not_found`. The text
 * is decrypted before the customer is looked up, so that every failure is counted.
 */
export async function tokenizeCard<R>(
  deps: Deps,
  merchant: Merchant,
  input: CardToTokenize,
  finish: Finish<TokenizedCard, R>,
): Promise<R> {
  const data = await readEncryptedCard(deps, merchant, {
    encrypted: input.encrypted,
    sender: { kind: 'key', id: input.keyId },
  });
  const customerId = normalizeUuid(input.customerId);
  const tokenize = () =>
    deps.db.transaction(merchant, async (tx) => {
      const customer = await findCustomer(tx, merchant, { by: 'id', value: customerId });
      if (customer === undefined) throw customerNotFound();
      const context = { deps, tx, merchant };
      await repairCards(context, customerId, data);
      const known = await reuse(context, customerId, data);
      if (known !== undefined) return finish(tx, { card: known, isNew: false });
      return finish(tx, { card: await store(context, { id: input.id, customerId, data }), isNew: true });
    });
  return withKeysLoaded(deps.vault, tokenize);
}

/**
 * The card with which the customer has already paid; undefined if there is none. The search does not compare the middle
 * digits of the number. If the complete numbers are equal, the next authorization of the card uses the new security
 * code. If they cannot be compared or differ, the card is reused only while it can be charged.
 */
async function reuse(
  context: TransactionContext,
  customerId: string,
  data: CardData,
): Promise<Card | undefined> {
  const { deps, tx, merchant } = context;
  const used = await findUsedCard(tx, merchant, { customerId, ...outlineOf(data) });
  if (used === undefined) return undefined;
  if (used.fingerprint.equals(fingerprintOf(deps, merchant, data))) {
    await storeSecurityCode(context, used.card.id, data);
    return used.card;
  }
  return isChargeable(context, used) ? used.card : undefined;
}

async function store(context: TransactionContext, record: NewCardRecord): Promise<Card> {
  const { card, isNew } = await addCard(context, record);
  if (isNew) await storeSecurityCode(context, record.id, record.data);
  return card;
}

async function storeSecurityCode(
  { deps, tx, merchant }: TransactionContext,
  cardId: string,
  data: CardData,
): Promise<void> {
  await putSecurityCode(tx, merchant, {
    cardId,
    codeSealed: deps.vault.seal(data.securityCode, cardContext.securityCode(cardId)),
    expiresAt: new Date(deps.wall().getTime() + SECURITY_CODE_RETENTION_MS),
  });
}

function customerNotFound(): Refusal {
  return new Refusal('customer_not_found', { message: 'The customer was not found.' });
}
