import { lockOfferForSale } from '../../db/products/offers.ts';
import type { CardData } from '../../domain/cards/card-data.ts';
import type { Checkout } from '../../domain/checkout/checkout.ts';
import { uuidV7 } from '../../domain/identifiers.ts';
import type { InstallmentOption } from '../../domain/installments.ts';
import type { Language } from '../../domain/language.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { type CheckoutMethod, checkoutRules } from '../../domain/payments/methods/index.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { counterIdOf } from '../counter-id.ts';
import { type Deps, type Finish, now } from '../deps.ts';
import { takePlace } from '../links/places.ts';
import { type BegunOrder, beginOrder } from '../orders/begin-order.ts';
import { chargeOrder } from '../orders/charge-order.ts';
import type { NewOrder } from '../orders/new-order.ts';
import { methodInput, methodModule, paymentInput } from '../payments/methods/index.ts';
import type { PreparedPayment } from '../payments/methods/method.ts';
import { prepareTypedCard } from '../payments/methods/typed-card.ts';
import { requireAcquirer } from '../payments/require-acquirer.ts';
import { Refusal, requireRow } from '../refusal.ts';
import { withKeysLoaded } from '../vault/vault.ts';
import { type BuyerInput, buyerOf, checkedPrice, requireOpen, requireSold } from './checkout-rules.ts';
import { findCheckout } from './find-checkout.ts';
import { type EncryptedCardInput, readTypedCard, TriedCard } from './tried-card.ts';

/** A payment as a buyer sends it from a checkout page. */
export interface CheckoutPaymentInput extends BuyerInput, EncryptedCardInput {
  readonly id: string;
  /** An earlier run of this request may have written the order with this id. */
  readonly isRerun: boolean;
  /** Of the page; absent: Portuguese. */
  readonly language?: Language | undefined;
}

/**
 * Makes the payment of a buyer at a checkout page, as an order of the merchant. The place of a payment link is taken
 * last in the transaction that writes the order. Refusals: `not_found`; `wrong_state` if the page accepts no payment or
 * the link has no place left; `page_is_for_subscriptions`; invalid fields; those of `readEncryptedCard`;
 * `too_many_card_tries`; `too_many_unpaid_charges`; `unavailable`.
 */
export async function createCheckoutPayment<Answer>(
  deps: Deps,
  merchant: Merchant,
  input: CheckoutPaymentInput,
  finish: Finish<Payment<CheckoutMethod>, Answer>,
): Promise<Answer> {
  const tried = new TriedCard(deps, merchant, input);
  let made: Payment | undefined;
  const begin = async (): Promise<BegunOrder> => {
    const checkout = await findCheckout(deps, merchant, input.hash);
    requireOpen(checkout);
    if (checkout.recurrence !== null) {
      throw new Refusal('page_is_for_subscriptions', { message: 'Buyers subscribe at this page.' });
    }
    const price = checkedPrice(checkout, input);
    requireAcquirer(deps, 'No order can be taken');
    const card = await readTypedCard(deps, merchant, input);
    const buying = { checkout, card, order: newOrder(deps, merchant, { checkout, input, price }) };
    return tried.use(card, checkout, () => placed(deps, merchant, buying, input));
  };
  const { id, isRerun } = input;
  const answer = await chargeOrder(deps, merchant, { id, isRerun, begin }, (tx, { payment }) => {
    made = payment;
    return finish(tx, payment as Payment<CheckoutMethod>);
  });
  if (made?.status === 'paid' || made?.status === 'pre_authorized') await tried.approved();
  return answer;
}

/** What a buyer pays, at which page, and by which card. */
interface Purchase {
  readonly checkout: Checkout;
  readonly order: NewOrder;
  /** Undefined for other methods. */
  readonly card: CardData | undefined;
}

/**
 * Transaction A: writes the order, and takes the place of a payment link. The offer may have been archived meanwhile.
 */
async function placed(
  deps: Deps,
  merchant: Merchant,
  buying: Purchase,
  { clientAddress }: CheckoutPaymentInput,
): Promise<BegunOrder> {
  const { checkout, order, card } = buying;
  const prepared = await preparedPayment(deps, merchant, buying);
  const place = () =>
    deps.db.transaction(merchant, async (tx) => {
      const begun = await beginOrder({ deps, tx, merchant }, order, prepared);
      if (checkout.offerId !== null) {
        requireSold(requireRow(await lockOfferForSale(tx, merchant, checkout.offerId)));
      }
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
  return withKeysLoaded(deps.vault, place);
}

async function preparedPayment(
  deps: Deps,
  merchant: Merchant,
  { checkout: { cardCapture, softDescriptor }, order: { payment }, card }: Purchase,
): Promise<PreparedPayment> {
  if (card === undefined) return methodModule(payment.method).prepare(deps, merchant, methodInput(payment));
  const method = payment.method as CheckoutMethod;
  const typed = { id: uuidV7(deps.wall().getTime(), deps.random), data: card, awaitsApproval: true };
  return prepareTypedCard(deps, merchant, typed, {
    capture: cardCapture || !checkoutRules(method).canCaptureLater,
    ...(softDescriptor !== null && { statementDescriptor: softDescriptor }),
  });
}

/** What a buyer has sent, at which page, and what it costs. */
interface CheckedPayment {
  readonly checkout: Checkout;
  readonly input: CheckoutPaymentInput;
  readonly price: InstallmentOption;
}

function newOrder(deps: Deps, merchant: Merchant, { checkout, input, price }: CheckedPayment): NewOrder {
  const { id, isRerun, method, customer, language } = input;
  return {
    id,
    isRerun,
    code: id,
    mcc: merchant.mccs[0]!,
    description: checkout.title,
    // The link's address is read when an event is sent, because the merchant can change it.
    notificationUrl: null,
    customer: { ...customer, isTypedByBuyer: true },
    amount_centavos: price.total_centavos,
    currency: 'BRL',
    installments: price.installments,
    payment: paymentInput(method, checkoutRules(method).input(checkout, now(deps, merchant))),
    split: [],
    items: [],
    metadata: {},
    checkout: {
      paymentLinkId: checkout.paymentLinkId,
      offerId: checkout.offerId,
      interest_centavos: price.interest_centavos,
      buyer: buyerOf(customer, language),
    },
  };
}
