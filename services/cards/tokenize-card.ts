import { putSecurityCode } from '../../db/cards/card-security-codes.ts';
import { findCard, findUsedCard, insertCard } from '../../db/cards/cards.ts';
import { findCustomer } from '../../db/customers/customers.ts';
import type { Tx } from '../../db/engine/database.ts';
import { findSealedKeys } from '../../db/vault/merchant-keys.ts';
import type { Card } from '../../domain/cards/card.ts';
import { type CardData, cardDataOf, validateCard } from '../../domain/cards/card-data.ts';
import { hasNetworkToken } from '../../domain/cards/card-number.ts';
import { normalizeUuid, operationReference } from '../../domain/identifiers.ts';
import { merchantDay } from '../../domain/local-time.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { type Deps, type Finish, now } from '../deps.ts';
import { Refusal, Violations } from '../refusal.ts';
import { merchantKeyContext } from '../vault/merchant-keys.ts';
import { cardContext } from './card-context.ts';
import { refusalOfFailure, refuseAfterManyFailures } from './card-failures.ts';
import { openEncryptedCard } from './encrypted-card.ts';

/** How long a security code waits for the first authorization, sealed (contract row 4.6). */
const SECURITY_CODE_KEPT_MS = 15 * 60 * 1000;

export interface CardToTokenize {
  readonly id: string;
  /** The API key that asks: its failures are counted. */
  readonly keyId: string;
  readonly customerId: string;
  readonly encrypted: string;
}

export interface TokenizedCard {
  readonly card: Card;
  /** False: the customer has this card already, and paid with it (contract row 4.7). */
  readonly isNew: boolean;
}

/**
 * Stores a card for a customer. Refusals in the order in which they are found: `rate_limited` (429) after too many
 * failures, `invalid_encrypted_card` (400), fields of the card (422), `customer_not_found` (404). The text is opened
 * before the customer is looked up, so that every failure is counted and a text is worth the same with any customer.
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
    const known = await reuse(tx, deps, merchant, customerId, data);
    if (known !== undefined) return finish(tx, { card: known, isNew: false });
    return finish(tx, { card: await store(tx, deps, merchant, input.id, customerId, data), isNew: true });
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
    violations.add(`encrypted.${field}`, message);
  }
  violations.throwIfAny();
  return cardDataOf(card);
}

/**
 * The card that the customer has already paid with. The new security code serves its next authorization, but only
 * when the numbers are equal: likeness does not compare the digits between, and a code belongs to one number.
 */
async function reuse(
  tx: Tx,
  deps: Deps,
  merchant: Merchant,
  customerId: string,
  data: CardData,
): Promise<Card | undefined> {
  const used = await findUsedCard(tx, merchant, { customerId, ...outlineOf(data) });
  if (used?.fingerprint.equals(fingerprintOf(deps, merchant, data))) {
    await keepSecurityCode(tx, deps, merchant, used.card.id, data);
  }
  return used?.card;
}

async function store(
  tx: Tx,
  deps: Deps,
  merchant: Merchant,
  id: string,
  customerId: string,
  data: CardData,
): Promise<Card> {
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
  // An earlier run of this request, under the same Idempotency-Key, stored it after we took the request over.
  if (card === undefined) return (await findCard(tx, merchant, id)) ?? storedByAnother();
  await keepSecurityCode(tx, deps, merchant, id, data);
  return card;
}

async function keepSecurityCode(
  tx: Tx,
  deps: Deps,
  merchant: Merchant,
  cardId: string,
  data: CardData,
): Promise<void> {
  await putSecurityCode(tx, merchant, {
    cardId,
    codeSealed: deps.vault.seal(data.securityCode, cardContext.securityCode(cardId)),
    expiresAt: new Date(deps.wall().getTime() + SECURITY_CODE_KEPT_MS),
  });
}

/** What of a card may be stored in plain. */
function outlineOf({ number, holder, brand, expMonth, expYear }: CardData) {
  return { holder, brand, first6: number.slice(0, 6), last4: number.slice(-4), expMonth, expYear };
}

/** Per merchant, so that equal cards of two merchants cannot be told from different ones. */
function fingerprintOf(deps: Deps, merchant: Merchant, { number }: CardData): Buffer {
  return deps.hash('card-fingerprint', `${merchant.merchantId}:${number}`);
}

function customerNotFound(): Refusal {
  return new Refusal('not_found', { code: 'customer_not_found', message: 'The customer was not found.' });
}

function storedByAnother(): never {
  throw new Error('The id of the card is taken by one that was deleted.');
}
