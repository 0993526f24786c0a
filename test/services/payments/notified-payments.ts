import { addDays } from '../../../domain/business-days.ts';
import { merchantDay } from '../../../domain/local-time.ts';
import type { SimulatedOutcome } from '../../../gateway/sandbox-control.ts';
import { DAY_MS } from '../../support/clock-calls.ts';
import {
  authorizeMandate,
  endMandateByPayer,
  requestMandate,
  scheduleCharge,
  sendCharge,
} from '../../support/payments/mandates.ts';
import { created, type Shop } from '../../support/shop.ts';
import { domainOf, walletOrderBody } from '../../support/wallet/wallet-shop.ts';

/** Delivers what the acquirer has notified so far. */
export type Deliver = () => Promise<void>;

/** A payment about which the acquirer sends notifications. */
export interface NotifiedPayment {
  readonly method: string;
  readonly story: string;
  /** Makes the payment, and requests what its notifications answer. Returns its id. */
  make(shop: Shop, deliver: Deliver): Promise<string>;
  /** What the acquirer and the payer do, of which each step makes a notification. */
  readonly happens: readonly ((shop: Shop, paymentId: string) => Promise<unknown>)[];
  /** The status, once all notifications were received. */
  readonly status: string;
}

const simulated = (outcome: SimulatedOutcome) => (shop: Shop, id: string) => shop.simulate(id, outcome);
/** Everything that the acquirer has scheduled: late answers, and refunds that take a day. */
const due = (shop: Shop) => shop.acquirerWorks(2 * DAY_MS);
const WON = (['chargeback_requested', 'chargeback_dispute', 'chargeback_won'] as const).map(simulated);
const LOST = (['chargeback_requested', 'chargeback_dispute', 'chargeback_lost'] as const).map(simulated);

/** The first field is the story; cards are the sandbox's magic values. */
type Row = readonly [string, number: string | undefined, NotifiedPayment['happens'], status: string];

const CAPTURED: readonly Row[] = [
  ['approved later', '4000000000001133', [due], 'paid'],
  ['refused later', '4000000000001141', [due], 'refused'],
  ['dispute won', undefined, WON, 'paid'],
  ['dispute lost', undefined, LOST, 'chargeback_lost'],
];
const REFUNDED: readonly Row[] = [
  ['refund approved later', '4000000000007726', [due], 'refunded'],
  ['refund refused later', '4000000000005126', [due], 'paid'],
];
const RESERVED: readonly Row[] = [
  ['suspected of fraud', undefined, [simulated('fraud')], 'refused'],
  ['released by the acquirer', undefined, [simulated('cancel_confirmed')], 'canceled'],
];
const CANCELED: readonly Row[] = [
  ['cancellation approved later', '4000000000001216', [due], 'canceled'],
  ['cancellation refused later', '4000000000001224', [due], 'pre_authorized'],
];
const CAPTURED_LATER: readonly Row[] = [['capture approved later', '4000000000001182', [due], 'paid']];

/** Makes a payment with a card. */
type Pay = (shop: Shop, number: string | undefined, capture: boolean) => Promise<string>;

const CARD_METHODS: readonly (readonly [string, Pay])[] = [
  ['credit_card', async (shop, number, capture) => (await shop.cardPayment({ number, capture })).id],
  [
    'debit_card',
    async (shop, number) => {
      const { payment, ...body } = await shop.cardOrderBody({ number });
      const { amount, credit_card } = payment;
      const debit = { amount, payment_method: 'debit_card', debit_card: { id: credit_card.id } };
      return (await shop.placed({ ...body, payment: debit })).payment.id;
    },
  ],
  [
    'browser_wallet',
    async (shop, number, capture) => {
      const wallet = { domain: domainOf(shop), ...(number !== undefined && { number }) };
      return (await shop.placed(await walletOrderBody(shop, wallet, { capture }))).payment.id;
    },
  ],
];

function cardPayments(method: string, pay: Pay): NotifiedPayment[] {
  const of = (rows: readonly Row[], make: (shop: Shop, number: string | undefined) => Promise<string>) =>
    rows.map(([story, number, happens, status]) => ({
      method,
      story,
      make: (shop: Shop) => make(shop, number),
      happens,
      status,
    }));
  const refunded = async (shop: Shop, number: string | undefined) => {
    const id = await pay(shop, number, true);
    await created(shop.refund(id));
    return id;
  };
  const reservedThen = (ask: 'cancel' | 'capture') => async (shop: Shop, number: string | undefined) => {
    const id = await pay(shop, number, false);
    await shop[ask](id);
    return id;
  };
  const captured = [...of(CAPTURED, (shop, number) => pay(shop, number, true)), ...of(REFUNDED, refunded)];
  if (method === 'debit_card') return captured;
  return [
    ...captured,
    ...of(RESERVED, (shop, number) => pay(shop, number, false)),
    ...of(CANCELED, reservedThen('cancel')),
    ...of(CAPTURED_LATER, reservedThen('capture')),
  ];
}

const CHARGES = [
  ['pix', (shop: Shop, amount?: number) => shop.pixPayment(amount)],
  ['bank_slip', (shop: Shop, amount?: number) => shop.bankSlipPayment(amount)],
] as const;

const CHARGE_REFUNDS = [
  ['refund approved later', 99_990_011, 'refunded'],
  ['refund refused later', 99_990_012, 'paid'],
] as const;

function charges([method, pay]: (typeof CHARGES)[number]): NotifiedPayment[] {
  const make = async (shop: Shop) => (await pay(shop)).id;
  const paid = async (shop: Shop, deliver: Deliver, amount?: number) => {
    const { id } = await pay(shop, amount);
    await shop.simulate(id, 'paid');
    await deliver();
    return id;
  };
  const ended = (['paid', 'refused', 'expired'] as const).map((outcome) => ({
    method,
    story: outcome,
    make,
    happens: [simulated(outcome)],
    status: outcome,
  }));
  const refunded = CHARGE_REFUNDS.map(([story, amount, status]) => ({
    method,
    story,
    make: async (shop: Shop, deliver: Deliver) => {
      const id = await paid(shop, deliver, amount);
      await created(shop.refund(id));
      return id;
    },
    happens: [due],
    status,
  }));
  return [...ended, ...refunded];
}

const METHOD = { method: 'pix_recurring' } as const;
const mandate = (shop: Shop) => requestMandate(shop);
const firstCharge = (shop: Shop) => requestMandate(shop, { amount_centavos: 4_990 });

/** A mandate that its payer refuses 10 seconds later. */
async function refusedMandate(shop: Shop): Promise<string> {
  const customerId = await shop.customer();
  const outcomes = [{ operation: 'mandate', outcome: 'AP14' }];
  await created(shop.post('/sandbox/scripts', { customer_id: customerId, outcomes }));
  return requestMandate(shop, { customerId });
}

/** A charge that the payer's bank has, of a mandate that is authorized. */
async function laterCharge(shop: Shop, deliver: Deliver): Promise<string> {
  const mandateId = await requestMandate(shop);
  await authorizeMandate(shop, mandateId);
  await deliver();
  const id = await scheduleCharge(shop, mandateId, addDays(merchantDay(new Date()), 2));
  await sendCharge(shop, id);
  return id;
}

/** The payer authorizes the mandate, with the first charge if there is one, and ends it. */
const ENDED: NotifiedPayment['happens'] = [authorizeMandate, (shop, id) => endMandateByPayer(shop, id)];

const RECURRING: readonly NotifiedPayment[] = [
  {
    ...METHOD,
    story: 'mandate authorized',
    make: mandate,
    happens: [authorizeMandate],
    status: 'AUTHORIZED',
  },
  { ...METHOD, story: 'mandate refused', make: mandate, happens: [simulated('refused')], status: 'refused' },
  { ...METHOD, story: 'mandate expired', make: mandate, happens: [simulated('expired')], status: 'expired' },
  {
    ...METHOD,
    story: 'mandate refused by the payer',
    make: refusedMandate,
    happens: [due],
    status: 'refused',
  },
  { ...METHOD, story: 'mandate authorized and ended', make: mandate, happens: ENDED, status: 'AUTHORIZED' },
  {
    ...METHOD,
    story: 'first charge paid and mandate ended',
    make: firstCharge,
    happens: ENDED,
    status: 'paid',
  },
  { ...METHOD, story: 'first charge paid', make: firstCharge, happens: [authorizeMandate], status: 'paid' },
  { ...METHOD, story: 'later charge paid', make: laterCharge, happens: [simulated('paid')], status: 'paid' },
  {
    ...METHOD,
    story: 'later charge refused',
    make: laterCharge,
    happens: [simulated('refused')],
    status: 'refused',
  },
];

/** Every payment method with every notification that the acquirer sends about it. */
export const NOTIFIED_PAYMENTS: readonly NotifiedPayment[] = [
  ...CARD_METHODS.flatMap(([method, pay]) => cardPayments(method, pay)),
  ...CHARGES.flatMap(charges),
  {
    method: 'pix',
    story: 'paid, dispute won',
    make: async (shop) => (await shop.pixPayment()).id,
    happens: [simulated('paid'), ...WON],
    status: 'paid',
  },
  {
    method: 'pix',
    story: 'paid, dispute lost',
    make: async (shop) => (await shop.pixPayment()).id,
    happens: [simulated('paid'), ...LOST],
    status: 'chargeback_lost',
  },
  {
    method: 'bank_slip',
    story: 'expired and paid late',
    make: async (shop) => (await shop.bankSlipPayment()).id,
    happens: [simulated('expired'), simulated('paid')],
    status: 'paid',
  },
  ...RECURRING,
];
