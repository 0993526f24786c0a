import { PAYMENT_METHODS, type PaymentMethod } from '../../domain/merchants/payment-methods.ts';
import { createPayment } from './create-payment.ts';
import { acceptEvidence } from './dispute-evidence.ts';
import type { Fields } from './fields.ts';
import { inquire } from './inquire.ts';
import { readWalletToken, WALLET_TOKEN } from './methods/browser-wallet.ts';
import { SIMULATED_METHODS } from './methods/index.ts';
import type { Creation } from './methods/method.ts';
import { requestNetworkToken } from './methods/network-tokens.ts';
import { issueCredential } from './methods/wallet-credentials.ts';
import { modifyPayment } from './modify-payment.ts';
import type { ModificationKind } from './operation-rules.ts';
import { settlementFile } from './settlements.ts';
import type { Simulator } from './simulator.ts';

/** Handles the requests for one path. Returns the body of the answer, or null for no answer. */
export type Route = (simulator: Simulator, fields: Fields) => Promise<object | null>;

/** New payments, at the path of their method. Methods can share a path. */
const CREATION_ROUTES: Readonly<Record<string, Route>> = Object.fromEntries(
  [...Map.groupBy(PAYMENT_METHODS.flatMap(creationsOf), ({ creation }) => creation.path)].map(
    ([path, created]): [string, Route] => [path, (simulator, fields) => create(simulator, fields, created)],
  ),
);

interface CreatedBy {
  readonly method: PaymentMethod;
  readonly creation: Creation;
}

function creationsOf(method: PaymentMethod): CreatedBy[] {
  return SIMULATED_METHODS[method].creations.map((creation) => ({ method, creation }));
}

/** The text of evidence. */
const EVIDENCE = /^[^\0]{1,5000}$/u;

/** The operations of an acquirer. */
export const PAYMENT_ROUTES: Readonly<Record<string, Route>> = {
  ...CREATION_ROUTES,
  '/v1/captures': (simulator, fields) => modify(simulator, fields, 'capture'),
  '/v1/cancellations': (simulator, fields) => modify(simulator, fields, 'cancel'),
  '/v1/refunds': (simulator, fields) => modify(simulator, fields, 'refund'),
  '/v1/mandate-cancellations': (simulator, fields) => modify(simulator, fields, 'cancel_mandate'),
  '/v1/network-tokens': async (simulator, fields) => {
    const request = {
      ...commonFields(fields),
      kind: 'network_token' as const,
      paymentReference: null,
      method: null,
      amount_centavos: null,
    };
    return (await requestNetworkToken(simulator, request, fields.object('card'))).outcome;
  },
  '/v1/wallet-tokens': async ({ walletTokenKey }, fields) =>
    readWalletToken(walletTokenKey, fields.text('wallet_token', WALLET_TOKEN)),
  '/v1/wallet-credentials': async (simulator, fields) =>
    (await issueCredential(simulator, commonFields(fields), fields)).outcome,
  '/v1/dispute-evidence': async (simulator, fields) => {
    const request = {
      ...commonFields(fields),
      kind: 'dispute_evidence' as const,
      paymentReference: fields.reference('payment_reference'),
      disputeId: fields.textOrNull('dispute_id'),
      text: fields.text('text', EVIDENCE),
      method: null,
      amount_centavos: null,
    };
    return (await acceptEvidence(simulator, request)).outcome;
  },
  '/v1/settlement-files': async ({ pool }, fields) => ({
    file: await settlementFile(pool, fields.text('account'), fields.day('day')),
  }),
  '/v1/inquiries': (simulator, fields) =>
    inquire(simulator, {
      account: fields.text('account'),
      reference: fields.reference(),
      seal: fields.flag('seal'),
    }),
};

async function create(simulator: Simulator, fields: Fields, created: readonly CreatedBy[]) {
  const named = fields.oneOf(
    'method',
    created.map(({ method }) => method),
  );
  const { method, creation } = created.find((one) => one.method === named)!;
  const request = creationFields(fields, creation);
  return (await createPayment(simulator, { method, creation }, request, fields)).outcome;
}

async function modify(simulator: Simulator, fields: Fields, kind: ModificationKind) {
  const request = {
    ...commonFields(fields),
    kind,
    paymentReference: fields.reference('payment_reference'),
    method: fields.oneOf('method', PAYMENT_METHODS),
    amount_centavos: kind === 'cancel_mandate' ? fields.amountOrZero() : fields.amount(),
  };
  return (await modifyPayment(simulator, request)).outcome;
}

function creationFields(fields: Fields, { allowsZero = false }: Creation) {
  const customer = fields.object('customer');
  return {
    ...commonFields(fields),
    amount_centavos: allowsZero ? fields.amountOrZero() : fields.amount(),
    customer: { id: customer.text('id'), document: customer.textOrNull('document') },
  };
}

/** The fields of every request for an operation. */
export function commonFields(fields: Fields) {
  return {
    account: fields.text('account'),
    reference: fields.reference(),
    requestedAt: fields.instant('requested_at'),
  };
}
