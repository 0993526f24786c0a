import { PAYMENT_METHODS } from '../../domain/merchants/merchant.ts';
import type { PaymentOperation } from './book-rules.ts';
import type { Fields } from './fields.ts';
import { follow } from './follow-payment.ts';
import { inquire } from './inquire.ts';
import { requestNetworkToken } from './network-token.ts';
import { authorize, createPixCharge } from './open-payment.ts';
import type { Simulator } from './simulator.ts';

/** Does what a path is for; the answer is the body to send, null for silence. */
export type Route = (simulator: Simulator, fields: Fields) => Promise<object | null>;

const NUMBER = /^\d{12,19}$/;

/** The acquirer's own operations. */
export const PAYMENT_ROUTES: Readonly<Record<string, Route>> = {
  '/v1/authorizations': async (simulator, fields) => {
    const card = fields.object('card');
    const asked = {
      ...opening(fields),
      capture: fields.flag('capture'),
      card: { id: card.text('id'), number: card.text('number', NUMBER) },
    };
    return (await authorize(simulator, asked)).outcome;
  },
  '/v1/pix-charges': async (simulator, fields) => {
    const txid = fields.text('txid', /^[a-zA-Z0-9]{26,35}$/);
    const asked = { ...opening(fields), txid, expiresAt: fields.instant('expires_at') };
    return (await createPixCharge(simulator, asked)).outcome;
  },
  '/v1/captures': (simulator, fields) => following(simulator, fields, 'capture'),
  '/v1/cancellations': (simulator, fields) => following(simulator, fields, 'cancel'),
  '/v1/refunds': (simulator, fields) => following(simulator, fields, 'refund'),
  '/v1/network-tokens': async (simulator, fields) => {
    const number = fields.object('card').text('number', NUMBER);
    const asked = {
      ...common(fields),
      kind: 'network_token' as const,
      paymentReference: null,
      method: null,
      amount_centavos: null,
    };
    return (await requestNetworkToken(simulator, asked, number)).outcome;
  },
  '/v1/inquiries': (simulator, fields) =>
    inquire(simulator, {
      account: fields.text('account'),
      reference: fields.reference(),
      seal: fields.flag('seal'),
    }),
};

async function following(simulator: Simulator, fields: Fields, kind: PaymentOperation) {
  const asked = {
    ...common(fields),
    kind,
    paymentReference: fields.reference('payment_reference'),
    method: fields.oneOf('method', PAYMENT_METHODS),
    amount_centavos: fields.amount(),
  };
  return (await follow(simulator, asked)).outcome;
}

function opening(fields: Fields) {
  const customer = fields.object('customer');
  return {
    ...common(fields),
    amount_centavos: fields.amount(),
    customer: { id: customer.text('id'), document: customer.textOrNull('document') },
  };
}

function common(fields: Fields) {
  return {
    account: fields.text('account'),
    reference: fields.reference(),
    requestedAt: fields.instant('requested_at'),
  };
}
