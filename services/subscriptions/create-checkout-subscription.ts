import { hasSameSubscription } from '../../db/subscriptions/checkout-subscriptions.ts';
import type { CardData } from '../../domain/cards/card-data.ts';
import type { Checkout } from '../../domain/checkout/checkout.ts';
import { uuidV7 } from '../../domain/identifiers.ts';
import type { Language } from '../../domain/language.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { type BillingMethod, isBillingMethod } from '../../domain/subscriptions/methods/names.ts';
import type { OfferedTerms } from '../../domain/subscriptions/offered-terms.ts';
import type { ShownSubscription } from '../../domain/subscriptions/subscription.ts';
import { fingerprintOf } from '../cards/card-records.ts';
import { type BuyerInput, buyerOf, checkBuyer, requireOpen } from '../checkout/checkout-rules.ts';
import { findCheckout } from '../checkout/find-checkout.ts';
import { type EncryptedCardInput, readTypedCard, TriedCard } from '../checkout/tried-card.ts';
import type { Deps, Finish } from '../deps.ts';
import { methodModule } from '../payments/methods/index.ts';
import { prepareTypedCard } from '../payments/methods/typed-card.ts';
import { invalid, Refusal, Violations } from '../refusal.ts';
import { withKeysLoaded } from '../vault/vault.ts';
import { beginSubscription, startSubscription } from './create-subscription.ts';
import { type BuyersSubscription, buyersView } from './find-checkout-subscription.ts';
import type { CheckoutStart, NewSubscription } from './new-subscription.ts';
import { offeredSubscription, termsOf } from './offered-terms.ts';

/** A subscription as a buyer starts it at a checkout page. */
export interface CheckoutSubscriptionInput
  extends Pick<BuyerInput, 'method' | 'customer'>,
    EncryptedCardInput {
  readonly id: string;
  /** An earlier run of this request may have written the subscription with this id. */
  readonly isRerun: boolean;
  /** Of the subscription that the buyer has seen. */
  readonly terms: string;
  /** Of the page; absent: Portuguese. */
  readonly language?: Language | undefined;
}

/**
 * Starts a subscription of a buyer at the page of a recurring offer or payment link. If the first charge is refused,
 * the subscription ends. Refusals: `not_found`; `wrong_state` if the page is not open or the link has no place left;
 * `page_is_for_payments`; fields; as `readEncryptedCard`; `too_many_card_tries`; `unavailable`.
 */
export async function createCheckoutSubscription<Answer>(
  deps: Deps,
  merchant: Merchant,
  input: CheckoutSubscriptionInput,
  finish: Finish<BuyersSubscription, Answer>,
): Promise<Answer> {
  const tried = new TriedCard(deps, merchant, input);
  let made: ShownSubscription | undefined;
  const finishMade: Finish<ShownSubscription, Answer> = async (tx, shown) => {
    made = shown;
    return finish(tx, await buyersView(tx, merchant, shown, input.hash));
  };
  const begin = async () => {
    const checkout = await findCheckout(deps, merchant, input.hash);
    const { terms } = requireSubscription(deps, merchant, checkout);
    const method = checkedMethod(checkout, input);
    if (terms !== input.terms) throw otherTerms();
    const request = newSubscription(merchant, checkout, input, method);
    const card = await readTypedCard(deps, merchant, input);
    return tried.use(card, checkout, async () => {
      const start = await checkoutStart(deps, merchant, { checkout, input, card });
      return withKeysLoaded(deps.vault, () =>
        beginSubscription(deps, merchant, { input: request, checkout: start }, finishMade),
      );
    });
  };
  const { id, isRerun } = input;
  const answer = await startSubscription(deps, merchant, { id, isRerun, begin }, finishMade);
  if (made?.payment?.status === 'paid') await tried.approved();
  return answer;
}

function requireSubscription(deps: Deps, merchant: Merchant, checkout: Checkout) {
  requireOpen(checkout);
  const offered = offeredSubscription(deps, merchant, checkout);
  if (offered === null) {
    throw new Refusal('page_is_for_payments', { message: 'Buyers pay once at this page.' });
  }
  return offered;
}

/** Refuses all fields that break a rule of the page, together. */
function checkedMethod(checkout: Checkout, input: CheckoutSubscriptionInput): BillingMethod {
  const violations = new Violations();
  checkBuyer(violations, checkout, input);
  violations.throwIfAny();
  if (!isBillingMethod(input.method)) throw new Error(`No subscription can be charged by ${input.method}.`);
  return input.method;
}

function otherTerms() {
  return invalid({ terms: 'The price, the interval or the trial has changed. Read the page again.' });
}

function newSubscription(
  merchant: Merchant,
  { title, offerId, recurrence, amount_centavos }: Checkout,
  { id, isRerun, customer }: CheckoutSubscriptionInput,
  method: BillingMethod,
): NewSubscription {
  const { interval, trialDays } = recurrence!;
  return {
    id,
    isRerun,
    code: null,
    mcc: merchant.mccs[0]!,
    description: title,
    // The link's address is read when an event is sent, because the merchant can change it.
    notificationUrl: null,
    offerId,
    interval,
    startAt: null,
    bestChargeDay: null,
    trialDays,
    nextChargeAmount_centavos: null,
    customer: { ...customer, isTypedByBuyer: true },
    amount_centavos,
    currency: 'BRL',
    installments: 1,
    payment: { method },
    split: [],
    items: [],
  };
}

/** What a buyer has sent, at which page, and by which card. */
interface CheckedStart {
  readonly checkout: Checkout;
  readonly input: CheckoutSubscriptionInput;
  /** Undefined for other methods. */
  readonly card: CardData | undefined;
}

/** The part of a subscription that the API cannot express: a card that is not stored yet, and the buyer. */
async function checkoutStart(
  deps: Deps,
  merchant: Merchant,
  { checkout, input, card }: CheckedStart,
): Promise<CheckoutStart> {
  const { paymentLinkId, offerId, softDescriptor, recurrence } = checkout;
  const { method, customer, language, terms } = input;
  const descriptor = softDescriptor === null ? {} : { statementDescriptor: softDescriptor };
  const typed =
    card && typedCard(deps, merchant, card, { ...descriptor, awaitsApproval: isChargedNow(recurrence!) });
  return {
    paymentLinkId,
    offerId,
    buyer: buyerOf(customer, language),
    prepared: typed ?? (await methodModule(method).prepare(deps, merchant, {})),
    means: () => ({
      cardId: typed?.cardId() ?? null,
      walletCredentialId: null,
      statementDescriptor: softDescriptor,
      processingModel: null,
    }),
    checkTerms({ plan, trialDays }) {
      if (termsOf(deps, { ...plan, trialDays }) !== terms) throw otherTerms();
    },
    async purchaseProblem({ tx }, customerId) {
      if (card === undefined) return undefined;
      const fingerprint = fingerprintOf(deps, merchant, card);
      const purchase = { customerId, paymentLinkId, offerId, fingerprint };
      if (!(await hasSameSubscription(tx, merchant, purchase))) return undefined;
      return invalid({ customer: 'This customer has this subscription already, charged to the same card.' });
    },
  };
}

function typedCard(
  deps: Deps,
  merchant: Merchant,
  data: CardData,
  { awaitsApproval, ...terms }: { readonly statementDescriptor?: string; readonly awaitsApproval: boolean },
) {
  const id = uuidV7(deps.wall().getTime(), deps.random);
  return prepareTypedCard(deps, merchant, { id, data, awaitsApproval }, { capture: true, ...terms });
}

function isChargedNow({ trialDays, ladder }: OfferedTerms): boolean {
  return trialDays === 0 && ladder[0]!.amount_centavos > 0;
}
