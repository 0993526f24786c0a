import { HOUR_MS } from '../../../domain/durations.ts';
import { startOfMerchantDay } from '../../../domain/local-time.ts';
import { pixAutomaticoRefusal } from '../../../domain/payments/pix-automatico-reasons.ts';
import { BILLING_INTERVALS } from '../../../domain/products/billing-interval.ts';
import { BEHAVIOURS, SHORT_DELAY_MS } from '../behaviours.ts';
import { chooseBehaviour } from '../magic-values.ts';
import type { Mandate } from '../mandate-state.ts';
import { acquirerRefusal } from '../operation-rules.ts';
import { lockPayment, type Payment } from '../payments.ts';
import { chargeLocation, mandateId, mandateLocation, payerEndToEndId } from '../random.ts';
import type { Creation, PayerEvent, SimulatedMethod } from './method.ts';

const TXID = /^[a-zA-Z0-9]{26,35}$/;
const DUE_HOUR_MS = 6 * HOUR_MS;

/** The request for a mandate, with its first charge if there is an amount. */
const mandate: Creation = {
  path: '/v1/mandates',
  operation: 'mandate',
  allowsZero: true,
  scriptedAs: 'mandate',
  read(fields, { amount_centavos, customer, requestedAt }) {
    fields.oneOf('interval', BILLING_INTERVALS);
    fields.day('first_charge_on');
    fields.textOrNull('statement');
    const requested: Mandate = {
      state: 'created',
      chargeCode: mandateId(fields.flag('retry_policy'), requestedAt),
      recurringAmount_centavos: fields.amountOrNull('recurring_amount_centavos'),
      minAmount_centavos: fields.amountOrNull('min_amount_centavos'),
    };
    return {
      txid: amount_centavos === 0 ? null : fields.text('txid', TXID),
      expiresAt: fields.instant('expires_at'),
      behaviour: chooseBehaviour({ document: customer.document }),
      mandate: requested,
    };
  },
  approval: ({ amount_centavos }) => ({
    ...(amount_centavos > 0 && { location: chargeLocation() }),
    recurrence_location: mandateLocation(),
    receiver_name: 'LOJA DE TESTE',
    receiver_city: 'SAO PAULO',
  }),
  payerEvent({ behaviour, createdAt }, scripted) {
    const dueAt = new Date(createdAt.getTime() + SHORT_DELAY_MS);
    const usual = BEHAVIOURS[behaviour].payer?.mandate;
    if (scripted === 'approve') return { event: 'mandate_authorized', dueAt, reason: null };
    if (isReason(scripted)) return { event: 'mandate_rejected', dueAt, reason: scripted };
    if (usual === undefined) return null;
    return usual === 'authorize'
      ? { event: 'mandate_authorized', dueAt, reason: null }
      : { event: 'mandate_rejected', dueAt, reason: usual };
  },
};

/** Sends a charge to the payer's bank, which pays or refuses it at 06:00 of the due date. */
const mandateCharge: Creation = {
  path: '/v1/mandate-charges',
  operation: 'mandate_charge',
  scriptedAs: 'authorize',
  read: (fields, { customer }) => ({
    txid: fields.text('txid', TXID),
    dueDate: fields.day('due_date'),
    mandateReference: fields.reference('mandate_reference'),
    behaviour: chooseBehaviour({ document: customer.document }),
  }),
  approval: () => ({}),
  async refusal(tx, { account, mandateReference, amount_centavos }) {
    const requested = await lockPayment(tx, account, mandateReference!);
    if (requested?.mandate == null) return acquirerRefusal('unknown_mandate');
    const { state, recurringAmount_centavos: fixed, minAmount_centavos: minimum } = requested.mandate;
    if (state !== 'authorized') return acquirerRefusal('mandate_not_active');
    const isAllowed = amount_centavos === (fixed ?? amount_centavos) && amount_centavos >= (minimum ?? 0);
    return isAllowed ? null : pixAutomaticoRefusal('AM09');
  },
  payerEvent(payment, scripted): PayerEvent {
    const usual = scripted === null ? BEHAVIOURS[payment.behaviour].payer?.charge : undefined;
    const reason = isReason(scripted) ? scripted : (usual ?? null);
    return { event: reason === null ? 'paid' : 'refused', dueAt: bankDecidesAt(payment), reason };
  },
};

export const pixRecurring: SimulatedMethod = {
  type: 'mandate',
  creations: [mandate, mandateCharge],
  notifications: {
    paid: 'pix_recurring.paid',
    refused: 'pix_recurring.refused',
    expired: 'pix_recurring.expired',
  },
  refusal: pixAutomaticoRefusal,
  endToEndId: payerEndToEndId,
  pastExpiry: 'The QR code has expired.',
};

/** 06:00 of the due date; shortly after the request if that has passed. */
function bankDecidesAt({ dueDate, createdAt }: Payment): Date {
  const due_ms = startOfMerchantDay(dueDate!).getTime() + DUE_HOUR_MS;
  return new Date(Math.max(due_ms, createdAt.getTime() + SHORT_DELAY_MS));
}

/** Whether a scripted outcome is the reason of a refusal. */
function isReason(scripted: string | null): scripted is string {
  return scripted !== null && !['approve', 'time_out', 'time_out_lost'].includes(scripted);
}
