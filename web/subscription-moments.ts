/** A moment in the life of a subscription. */
export interface Moment {
  /** Merchant's day and time (America/Sao_Paulo), in a year that has no 29 February: `01-31` and `06:00`. */
  readonly day: string;
  readonly time: string;
  readonly title: string;
  /** Status of the subscription, after the moment. */
  readonly status: string;
  /** Status of its latest payment, after the moment. */
  readonly payment: string;
  /** Events of the subscription, oldest first. Those of its payments are not shown. */
  readonly events: readonly string[];
}

export type TimeLine = readonly Moment[];

const PAID = ['subscription.charge_succeeded', 'subscription.updated'];
const PAID_AND_ACTIVATED = [
  'subscription.charge_succeeded',
  'subscription.activated',
  'subscription.updated',
];
const FIRST_FAILURE = ['subscription.charge_failed', 'subscription.past_due'];
const CANCELED = ['subscription.canceled', 'subscription.inactivated'];

/** A monthly subscription by card, with a refused charge. */
export const MONTHLY_CARD: TimeLine = [
  {
    day: '01-31',
    time: '10:00',
    title: 'You create the subscription. The first cycle is charged.',
    status: 'active',
    payment: 'paid',
    events: ['subscription.created', ...PAID_AND_ACTIVATED],
  },
  {
    day: '02-28',
    time: '06:00',
    title: 'The second cycle is charged, on the last day of the shorter month.',
    status: 'active',
    payment: 'paid',
    events: PAID,
  },
  {
    day: '03-31',
    time: '06:00',
    title: 'The charge of the third cycle is refused.',
    status: 'past_due',
    payment: 'refused',
    events: FIRST_FAILURE,
  },
  {
    day: '04-01',
    time: '06:00',
    title: 'The first retry succeeds.',
    status: 'active',
    payment: 'paid',
    events: PAID_AND_ACTIVATED,
  },
  {
    day: '04-30',
    time: '06:00',
    title: 'The fourth cycle is charged. The retry did not change its day.',
    status: 'active',
    payment: 'paid',
    events: PAID,
  },
  {
    day: '05-10',
    time: '12:00',
    title: 'You cancel the subscription. The customer keeps access until the end of the paid period.',
    status: 'canceled',
    payment: 'paid',
    events: CANCELED,
  },
  {
    day: '05-31',
    time: '06:00',
    title: 'The paid period ends.',
    status: 'ended',
    payment: 'paid',
    events: ['subscription.ended'],
  },
];

/** A monthly subscription by Pix recurring with `retry_policy`, and with a charge that the bank does not pay. */
export const MONTHLY_PIX_RECURRING: TimeLine = [
  {
    day: '01-10',
    time: '10:00',
    title: 'You create the subscription, and show the QR code to the payer.',
    status: 'payment_pending',
    payment: 'waiting_payment',
    events: ['subscription.created'],
  },
  {
    day: '01-10',
    time: '10:05',
    title: 'The payer pays the first charge with the QR code, and authorizes the later ones.',
    status: 'payment_approved',
    payment: 'paid',
    events: PAID_AND_ACTIVATED,
  },
  {
    day: '02-07',
    time: '06:00',
    title: 'The charge of February is created.',
    status: 'payment_approved',
    payment: 'scheduled',
    events: [],
  },
  {
    day: '02-08',
    time: '06:00',
    title: 'The charge is sent to the payer’s bank, which notifies the payer.',
    status: 'payment_approved',
    payment: 'waiting_payment',
    events: [],
  },
  {
    day: '02-10',
    time: '06:00',
    title: 'The bank pays the charge.',
    status: 'payment_approved',
    payment: 'paid',
    events: PAID,
  },
  {
    day: '03-10',
    time: '06:00',
    title: 'The bank does not pay the charge of March. A retry is sent at once, for the next day.',
    status: 'payment_refused',
    payment: 'waiting_payment',
    events: FIRST_FAILURE,
  },
  {
    day: '03-11',
    time: '06:00',
    title: 'The bank pays the retry.',
    status: 'payment_approved',
    payment: 'paid',
    events: PAID_AND_ACTIVATED,
  },
  {
    day: '04-08',
    time: '06:00',
    title: 'The charge of April is sent to the payer’s bank.',
    status: 'payment_approved',
    payment: 'waiting_payment',
    events: [],
  },
  {
    day: '04-09',
    time: '12:00',
    title: 'You cancel the subscription. It is before 22:00, so the charge is withdrawn.',
    status: 'canceled',
    payment: 'canceled',
    events: [...CANCELED, 'subscription.deleted'],
  },
  {
    day: '04-10',
    time: '06:00',
    title: 'The paid period ends.',
    status: 'ended',
    payment: 'canceled',
    events: ['subscription.ended'],
  },
];
