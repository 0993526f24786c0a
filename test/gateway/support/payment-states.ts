import type { NotificationType } from '../../../gateway/acquirer.ts';
import type { SimulatedOutcome } from '../../../gateway/sandbox-control.ts';
import { type Customer, reference } from './acquirer.ts';

type Allowed = Partial<Record<SimulatedOutcome, NotificationType>>;

/** How a payment gets into a state, and what may be simulated there, with the notification that reports it. */
export interface State {
  readonly reach: (customer: Customer) => Promise<string>;
  readonly allowed: Allowed;
}

const CHARGEBACK: Allowed = { chargeback_requested: 'chargeback.requested' };
const IN_DISPUTE: Allowed = {
  chargeback_dispute: 'chargeback.dispute',
  chargeback_won: 'chargeback.won',
  chargeback_lost: 'chargeback.lost',
};

export const STATES: Readonly<Record<string, State>> = {
  'a card authorization under way': {
    reach: (customer) => customer.authorized('4000000000001133'),
    allowed: {
      paid: 'authorization.approved',
      refused: 'authorization.refused',
      fraud: 'authorization.fraud_detected',
    },
  },
  'an authorized card': {
    reach: (customer) => customer.authorized(),
    allowed: { fraud: 'authorization.fraud_detected', cancel_confirmed: 'cancel.approved' },
  },
  'a card whose cancellation is under way': {
    reach: async (customer) => {
      const payment = await customer.authorized('4000000000001216');
      await customer.cancel(payment);
      return payment;
    },
    allowed: { fraud: 'authorization.fraud_detected', cancel_confirmed: 'cancel.approved' },
  },
  'a paid card': { reach: (customer) => customer.authorized(undefined, true), allowed: CHARGEBACK },
  'a refused card': { reach: (customer) => customer.authorized('4000000000000002'), allowed: {} },
  'a voided card': {
    reach: async (customer) => {
      const payment = await customer.authorized();
      await customer.cancel(payment);
      return payment;
    },
    allowed: {},
  },
  'a fully refunded card': {
    reach: async (customer) => {
      const payment = await customer.authorized(undefined, true);
      await customer.refund(payment);
      return payment;
    },
    allowed: {},
  },
  'a partly refunded card': {
    reach: async (customer) => {
      const payment = await customer.authorized(undefined, true);
      await customer.refund(payment, 1);
      return payment;
    },
    allowed: CHARGEBACK,
  },
  'a refund under way': {
    reach: async (customer) => {
      const payment = await customer.authorized('4000000000007726', true);
      const refund = reference();
      await customer.refund(payment, 10_000, refund);
      return refund;
    },
    allowed: { refund_succeeded: 'refund.approved', refund_denied: 'refund.refused' },
  },
  'an open Pix charge': {
    reach: (customer) => customer.registered(),
    allowed: { paid: 'pix.paid', refused: 'pix.refused', expired: 'pix.expired' },
  },
  'a paid Pix': {
    reach: async (customer) => {
      const charge = await customer.registered();
      await customer.simulate(charge, 'paid');
      return charge;
    },
    allowed: CHARGEBACK,
  },
  'an expired Pix': {
    reach: async (customer) => {
      const charge = await customer.registered();
      await customer.simulate(charge, 'expired');
      return charge;
    },
    allowed: {},
  },
  'a requested chargeback': {
    reach: async (customer) => {
      const payment = await customer.authorized(undefined, true);
      await customer.simulate(payment, 'chargeback_requested');
      return payment;
    },
    allowed: IN_DISPUTE,
  },
  'a chargeback in dispute': {
    reach: async (customer) => {
      const payment = await customer.authorized(undefined, true);
      await customer.simulate(payment, 'chargeback_requested');
      await customer.simulate(payment, 'chargeback_dispute');
      return payment;
    },
    allowed: IN_DISPUTE,
  },
  'a lost chargeback': {
    reach: async (customer) => {
      const payment = await customer.authorized(undefined, true);
      await customer.simulate(payment, 'chargeback_requested');
      await customer.simulate(payment, 'chargeback_lost');
      return payment;
    },
    allowed: {},
  },
  'a payment that the acquirer never saw': { reach: async () => reference(), allowed: {} },
};
