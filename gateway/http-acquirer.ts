import type {
  Acquirer,
  AcquirerCustomer,
  AcquirerRequest,
  CardApproval,
  InquiryOutcome,
  Outcome,
  PixChargeApproval,
} from './acquirer.ts';
import { type HttpClientOptions, httpClient } from './http-client.ts';
import { readOutcome } from './wire.ts';

type AnyOutcome = Exclude<InquiryOutcome, { kind: 'not_found' }>;
type Approved = Extract<InquiryOutcome, { kind: 'approved' }>;

/** `close` breaks what is under way: it becomes `unknown`. */
export type HttpAcquirer = Acquirer & { close(): Promise<void> };

/**
 * The acquirer over HTTP. Whatever is not a clear answer (a time-out, a broken connection, a status other than 200,
 * a malformed or overlong body) is `unknown`. A broken connection is tried once more: the acquirer repeats its
 * first answer to a reference that it knows. A time-out is not: the answer may still be on its way.
 */
export function httpAcquirer(options: HttpClientOptions): HttpAcquirer {
  const client = httpClient(options);

  async function ask(path: string, body: object): Promise<InquiryOutcome> {
    const answer = await client.post(path, body, true);
    if (answer.kind === 'failed') return { kind: 'unknown', cause: answer.cause };
    if (answer.status !== 200) return { kind: 'unknown', cause: `status_${answer.status}` };
    return readOutcome(answer.body) ?? malformed();
  }

  async function operate<A extends object = object>(
    path: string,
    body: object,
    approval: (approved: Approved) => A | null,
  ): Promise<Outcome<A>> {
    const outcome = await ask(path, body);
    if (outcome.kind === 'not_found') return malformed();
    if (outcome.kind !== 'approved') return outcome;
    const extra = approval(outcome);
    return extra ? { kind: 'approved', acquirerReference: outcome.acquirerReference, ...extra } : malformed();
  }

  return {
    authorizeCard: ({ card, ...rest }) =>
      operate<CardApproval>(
        '/v1/authorizations',
        {
          ...common(rest),
          amount_centavos: rest.amount_centavos,
          capture: rest.capture,
          installments: rest.installments,
          mcc: rest.mcc,
          statement_descriptor: rest.statementDescriptor,
          customer: customer(rest.customer),
          card: {
            id: card.cardId,
            number: card.number,
            holder: card.holder,
            exp_month: card.expMonth,
            exp_year: card.expYear,
            security_code: card.securityCode,
          },
        },
        ({ authorizationCode }) => (authorizationCode ? { authorizationCode } : null),
      ),
    capture: (asked) =>
      operate(
        '/v1/captures',
        {
          ...common(asked),
          payment_reference: asked.authorizationReference,
          amount_centavos: asked.amount_centavos,
        },
        nothingMore,
      ),
    cancel: (asked) =>
      operate(
        '/v1/cancellations',
        { ...common(asked), payment_reference: asked.authorizationReference },
        nothingMore,
      ),
    refund: (asked) =>
      operate(
        '/v1/refunds',
        {
          ...common(asked),
          payment_reference: asked.paymentReference,
          amount_centavos: asked.amount_centavos,
        },
        nothingMore,
      ),
    createPixCharge: (asked) =>
      operate<PixChargeApproval>(
        '/v1/pix-charges',
        {
          ...common(asked),
          txid: asked.txid,
          amount_centavos: asked.amount_centavos,
          expires_at: asked.expiresAt,
          customer: customer(asked.customer),
        },
        ({ location, receiverName, receiverCity }) =>
          location && receiverName && receiverCity ? { location, receiverName, receiverCity } : null,
      ),
    requestNetworkToken: ({ card, ...rest }) =>
      operate(
        '/v1/network-tokens',
        {
          ...common(rest),
          card: { id: card.cardId, number: card.number, exp_month: card.expMonth, exp_year: card.expYear },
        },
        ({ networkToken }) => (networkToken ? { networkToken } : null),
      ),
    inquire: ({ reference, account, seal }) => ask('/v1/inquiries', { reference, account, seal }),
    close: () => client.close(),
  };
}

function common({ reference, account, requestedAt }: AcquirerRequest): object {
  return { reference, account, requested_at: requestedAt };
}

function customer({ customerId, name, document }: AcquirerCustomer): object {
  return { id: customerId, name, document };
}

function nothingMore(): object {
  return {};
}

function malformed(): AnyOutcome & { kind: 'unknown' } {
  return { kind: 'unknown', cause: 'malformed_answer' };
}
