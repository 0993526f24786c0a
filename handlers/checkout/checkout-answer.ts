import type { CardPublicKey } from '../../domain/cards/card-encryption.ts';
import type { Checkout } from '../../domain/checkout/checkout.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { components } from '../../generated/types.ts';
import { shownInstallments } from '../../services/checkout/shown-checkout.ts';
import type { OfferedSubscription } from '../../services/subscriptions/offered-terms.ts';

interface ShownWithPage {
  readonly jwk: CardPublicKey;
  readonly logoUrl: string | null;
  /** The amount that the buyer has typed. */
  readonly typed_centavos: number | undefined;
  /** Null if the buyer pays once. */
  readonly offered: OfferedSubscription | null;
}

/** What a checkout page shows, as in the contract. */
export function checkoutAnswer(
  merchant: Pick<Merchant, 'name'>,
  checkout: Checkout,
  { jwk, logoUrl, typed_centavos, offered }: ShownWithPage,
): components['schemas']['Checkout'] {
  const { methods, recurrence } = checkout;
  return {
    hash: checkout.hash,
    payable: checkout.problem === null,
    reason: checkout.problem,
    merchant_name: merchant.name,
    title: checkout.title,
    description: checkout.description,
    amount: checkout.amount_centavos,
    currency: 'BRL',
    payment_methods: [...methods],
    max_installments: checkout.installments.maxInstallments,
    installments: shownInstallments(checkout, typed_centavos).map((option) => ({
      installments: option.installments,
      total_amount: option.total_centavos,
      interest_amount: option.interest_centavos,
      first_amount: option.amounts_centavos[0]!,
      installment_amount: option.amounts_centavos.at(-1)!,
    })),
    collect_phone: checkout.collectPhone,
    require_address: checkout.requireAddress,
    logo_url: logoUrl,
    brand_color: checkout.brandColor,
    recurrence_interval: recurrence?.interval ?? null,
    trial_days: recurrence?.trialDays ?? 0,
    recurrence: offered && recurrenceAnswer(offered),
    card_encryption_key: { kid: jwk.kid, alg: jwk.alg, enc: 'A256GCM', jwk },
  };
}

function recurrenceAnswer({
  interval,
  trialDays,
  bands,
  terms,
}: OfferedSubscription): components['schemas']['CheckoutRecurrence'] {
  return {
    interval: interval as components['schemas']['BillingInterval'],
    trial_days: trialDays,
    price_bands: bands.map(({ start, end, amount_centavos, firstChargeOn }) => ({
      start,
      end,
      amount: amount_centavos,
      first_charge_on: firstChargeOn,
    })),
    terms,
  };
}
