import { addDays } from '../../domain/business-days.ts';
import type { CardData } from '../../domain/cards/card-data.ts';
import type { Checkout, CheckoutProblem } from '../../domain/checkout/checkout.ts';
import { uuidV7 } from '../../domain/identifiers.ts';
import type { InstallmentOption } from '../../domain/installments.ts';
import { DEFAULT_LANGUAGE, type Language } from '../../domain/language.ts';
import { canCaptureLater, type LinkMethod } from '../../domain/links/methods/link-methods.ts';
import { merchantDay } from '../../domain/local-time.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { fingerprintOf } from '../cards/card-records.ts';
import { readEncryptedCard } from '../cards/read-card.ts';
import { normalizeAddresses } from '../customers/customer-rules.ts';
import { type Deps, type Finish, now } from '../deps.ts';
import { takePlace } from '../links/places.ts';
import { type BegunOrder, beginOrder } from '../orders/begin-order.ts';
import { chargeOrder, requireAcquirer } from '../orders/charge-order.ts';
import type { NewOrder } from '../orders/new-order.ts';
import { methodInput, methodModule } from '../payments/methods/index.ts';
import type { PreparedPayment } from '../payments/methods/method.ts';
import { prepareTypedCard } from '../payments/methods/typed-card.ts';
import { notInThisState } from '../refusal.ts';
import { type CountedTry, countCardTry } from './card-tries.ts';
import { type BuyerInput, checkedPrice } from './checkout-rules.ts';
import { counterIdOf } from './counter-id.ts';
import { findCheckout } from './find-checkout.ts';

/** A payment as a buyer sends it from a checkout page. */
export interface CheckoutPaymentInput extends BuyerInput {
  readonly id: string;
  /** An earlier run of this request may have written the order with this id. */
  readonly isRerun: boolean;
  /** Of the payment link or the offer. */
  readonly hash: string;
  /** The network address of the buyer. */
  readonly clientAddress: string;
  /** Of the page; absent: Portuguese. */
  readonly language?: Language | undefined;
  /** A JWE; present if a card pays. */
  readonly encryptedCard: string | undefined;
}

const WHY_NOT: Readonly<Record<CheckoutProblem, string>> = {
  disabled: 'This payment link is disabled.',
  expired: 'This payment link has expired.',
  exhausted: 'This payment link has been paid as often as it may be.',
  archived: 'This offer is no longer sold.',
  unavailable: 'Nothing can be paid at this page at the moment.',
};

/**
 * Makes the payment of a buyer at a checkout page, as an order of the merchant. The place of a payment link is taken last
 * in the transaction that writes the order. Refusals: `not_found`; `wrong_state` if the page accepts no payment or the
 * link has no place left; invalid fields; those of `readEncryptedCard`; `too_many_card_tries`; `too_many_unpaid_charges`;
 * `unavailable`.
 */
export async function createCheckoutPayment<Answer>(
  deps: Deps,
  merchant: Merchant,
  input: CheckoutPaymentInput,
  finish: Finish<Payment, Answer>,
): Promise<Answer> {
  let counted: CountedTry | undefined;
  let made: Payment | undefined;
  const begin = async (): Promise<BegunOrder> => {
    const checkout = await findCheckout(deps, merchant, input.hash);
    if (checkout.problem !== null) throw notInThisState(WHY_NOT[checkout.problem]);
    const price = checkedPrice(checkout, input);
    requireAcquirer(deps);
    const card = await typedCard(deps, merchant, input);
    if (card !== undefined)
      counted = await countCardTry(deps, merchant, cardTry(deps, merchant, input, card));
    const order = newOrder(deps, merchant, checkout, input, price);
    return placed(deps, merchant, checkout, order, card, input).catch(async (error: unknown) => {
      const tried = counted;
      // An earlier run of this request may have made the payment. That run counts it.
      counted = undefined;
      await tried?.subtract();
      throw error;
    });
  };
  const answer = await chargeOrder(deps, merchant, input, begin, (tx, { payment }) => {
    made = payment;
    return finish(tx, payment);
  });
  await endTry(deps, merchant, counted, made);
  return answer;
}

/** Counts what the outcome says about the try. The payment is made in any case, so a failure is only logged. */
async function endTry(
  { log }: Deps,
  { merchantId }: Merchant,
  counted: CountedTry | undefined,
  payment: Payment | undefined,
): Promise<void> {
  const isApproved = payment?.status === 'paid' || payment?.status === 'pre_authorized';
  await (isApproved ? counted?.subtract() : counted?.countForPage())?.catch((error: unknown) =>
    log.warn({ merchant_id: merchantId, err: error }, 'counting a card payment at a checkout page failed'),
  );
}

async function typedCard(
  deps: Deps,
  merchant: Merchant,
  { encryptedCard, clientAddress }: CheckoutPaymentInput,
): Promise<CardData | undefined> {
  if (encryptedCard === undefined) return undefined;
  return readEncryptedCard(deps, merchant, {
    encrypted: encryptedCard,
    sender: { kind: 'buyer', id: clientAddress },
  });
}

function cardTry(
  deps: Deps,
  merchant: Merchant,
  { clientAddress, hash }: CheckoutPaymentInput,
  card: CardData,
) {
  return {
    merchant: merchant.merchantId,
    address: clientAddress,
    card: fingerprintOf(deps, merchant, card).toString('hex'),
    page: hash,
  };
}

/** Transaction A: writes the order, and takes the place of a payment link. */
async function placed(
  deps: Deps,
  merchant: Merchant,
  checkout: Checkout,
  order: NewOrder,
  card: CardData | undefined,
  { clientAddress }: CheckoutPaymentInput,
): Promise<BegunOrder> {
  const prepared = await preparedPayment(deps, merchant, checkout, order, card);
  return deps.db.transaction(merchant, async (tx) => {
    const begun = await beginOrder(deps, tx, merchant, order, prepared);
    if (checkout.paymentLinkId !== null) {
      await takePlace(deps, tx, merchant, {
        linkId: checkout.paymentLinkId,
        holderId: begun.payment.id,
        // The outcome of a card is known at once.
        buyerNetwork: card === undefined ? counterIdOf(deps, 'address', clientAddress) : undefined,
      });
    }
    return begun;
  });
}

async function preparedPayment(
  deps: Deps,
  merchant: Merchant,
  { cardCapture, softDescriptor }: Checkout,
  { payment }: NewOrder,
  card: CardData | undefined,
): Promise<PreparedPayment> {
  if (card === undefined) return methodModule(payment.method).prepare(deps, merchant, methodInput(payment));
  const method = payment.method as LinkMethod;
  const typed = { id: uuidV7(deps.wall().getTime(), deps.random), data: card };
  return prepareTypedCard(deps, merchant, typed, {
    capture: cardCapture || !canCaptureLater(method),
    ...(softDescriptor !== null && { statementDescriptor: softDescriptor }),
  });
}

const MINUTE_MS = 60_000;

function newOrder(
  deps: Deps,
  merchant: Merchant,
  checkout: Checkout,
  { id, isRerun, method, customer, language = DEFAULT_LANGUAGE }: CheckoutPaymentInput,
  { total_centavos, interest_centavos, installments }: InstallmentOption,
): NewOrder {
  const at = now(deps, merchant);
  const { name, email, documents = [], phone = null } = customer;
  const addresses = normalizeAddresses(customer.addresses ?? []);
  return {
    id,
    isRerun,
    code: id,
    mcc: merchant.mccs[0]!,
    description: checkout.title,
    // The link's address is read when an event is sent, because the merchant can change it.
    notificationUrl: null,
    customer: { ...customer, isTypedByBuyer: true },
    amount_centavos: total_centavos,
    currency: 'BRL',
    installments,
    payment: {
      method,
      pix: { expiresAt: new Date(at.getTime() + checkout.pixExpirationMinutes * MINUTE_MS).toISOString() },
      bankSlip: { dueAt: addDays(merchantDay(at), checkout.boletoExpirationDays) },
    },
    split: [],
    items: [],
    metadata: {},
    checkout: {
      paymentLinkId: checkout.paymentLinkId,
      offerId: checkout.offerId,
      interest_centavos,
      buyer: { name, email, documents, addresses, phone, language },
    },
  };
}
