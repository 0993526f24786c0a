import { putSecurityCode } from '../../db/cards/card-security-codes.ts';
import { findCard, findUsedCard, insertCard } from '../../db/cards/cards.ts';
import { findCustomer } from '../../db/customers/customers.ts';
import { findSealedKeys } from '../../db/vault/merchant-keys.ts';
import type { Card } from '../../domain/cards/card.ts';
import { type CardData, cardDataOf, validateCard } from '../../domain/cards/card-data.ts';
import { hasNetworkToken } from '../../domain/cards/card-number.ts';
import { normalizeUuid, operationReference } from '../../domain/identifiers.ts';
import { merchantDay } from '../../domain/local-time.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { type Deps, type Finish, now, type TransactionContext } from '../deps.ts';
import { Refusal, Violations } from '../refusal.ts';
import { merchantKeyContext } from '../vault/merchant-keys.ts';
import { cardContext } from './card-context.ts';
import { refusalOfFailure, refuseAfterManyFailures } from './card-failures.ts';
import { openEncryptedCard } from './encrypted-card.ts';

/** How long a security code is stored for the first authorization (contract row 4.6). */
const SECURITY_CODE_RETENTION_MS = 15 * 60 * 1000;

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
 * Stores a card for a customer. Refusals, in this order: `too_many_unreadable_cards`, `unreadable_card`, fields of the card
 * as `card.number`, `customer_not_found`. The text is decrypted before the customer is looked up, so that every failure is
 * counted.
 */
export async function tokenizeCard<R>(
  deps: Deps,
  merchant: Merchant,
  input: CardToTokenize,
  finish: Finish<TokenizedCard, R>,
): Promise<R> {
  const data = await openCardData(deps, merchant, input);
  const customerId = normalizeUuid(input.customerId);
  return deps.db.transaction(merchant, async (tx) => {
    const customer = await findCustomer(tx, merchant, { by: 'id', value: customerId });
    if (customer === undefined) throw customerNotFound();
    const context = { deps, tx, merchant };
    const known = await reuse(context, customerId, data);
    if (known !== undefined) return finish(tx, { card: known, isNew: false });
    return finish(tx, { card: await store(context, { id: input.id, customerId, data }), isNew: true });
  });
}

async function openCardData(deps: Deps, merchant: Merchant, input: CardToTokenize): Promise<CardData> {
  await refuseAfterManyFailures(deps, merchant, input.keyId);
  const sealed = await findSealedKeys(deps.db, merchant);
  const { encryptionKey, privateKey } = merchantKeyContext;
  const card = await openEncryptedCard(input.encrypted, {
    encryptionKey: (
      await deps.vault.open(sealed.encryptionKeySealed, encryptionKey(merchant.merchantId))
    ).toString('latin1'),
    privateKey: await deps.vault.open(sealed.privateKeySealed, privateKey(merchant.merchantId)),
  });
  if (card === null) throw await refusalOfFailure(deps, merchant, input.keyId);
  const violations = new Violations();
  for (const { field, message } of validateCard(card, merchantDay(now(deps, merchant)))) {
    violations.add(`card.${field}`, message);
  }
  violations.throwIfAny();
  return cardDataOf(card);
}

/**
 * The card with which the customer has already paid. Its next authorization uses the new security code if the complete
 * numbers are equal: the search does not compare the middle digits.
 */
async function reuse(
  context: TransactionContext,
  customerId: string,
  data: CardData,
): Promise<Card | undefined> {
  const { deps, tx, merchant } = context;
  const used = await findUsedCard(tx, merchant, { customerId, ...outlineOf(data) });
  if (used?.fingerprint.equals(fingerprintOf(deps, merchant, data))) {
    await storeSecurityCode(context, used.card.id, data);
  }
  return used?.card;
}

async function store(
  context: TransactionContext,
  { id, customerId, data }: { readonly id: string; readonly customerId: string; readonly data: CardData },
): Promise<Card> {
  const { deps, tx, merchant } = context;
  const wall = deps.wall();
  const card = await insertCard(tx, merchant, {
    id,
    customerId,
    ...outlineOf(data),
    numberSealed: deps.vault.seal(data.number, cardContext.number(id)),
    fingerprint: fingerprintOf(deps, merchant, data),
    networkToken: hasNetworkToken(data.brand)
      ? { reference: operationReference(merchant.slot, deps.random), dueAt: wall }
      : null,
    at: now(deps, merchant),
  });
  // An earlier run of this request, with the same Idempotency-Key, stored it after we took over.
  if (card === undefined) return (await findCard(tx, merchant, id)) ?? idOfDeletedCard();
  await storeSecurityCode(context, id, data);
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

/** The parts of a card that may be stored unencrypted. */
function outlineOf({ number, holder, brand, expMonth, expYear }: CardData) {
  return { holder, brand, first6: number.slice(0, 6), last4: number.slice(-4), expMonth, expYear };
}

/** Includes the merchant, so that the cards of two merchants cannot be compared. */
function fingerprintOf(deps: Deps, merchant: Merchant, { number }: CardData): Buffer {
  return deps.hash('card-fingerprint', `${merchant.merchantId}:${number}`);
}

function customerNotFound(): Refusal {
  return new Refusal('customer_not_found', { message: 'The customer was not found.' });
}

function idOfDeletedCard(): never {
  throw new Error('A deleted card has the id of the new one.');
}
