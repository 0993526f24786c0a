import type {
  Acquirer,
  AcquirerCustomer,
  AcquirerRequest,
  CancelPayment,
  CaptureCard,
  CardApproval,
  InquiryOutcome,
  Outcome,
  PixChargeApproval,
  RefundPayment,
} from './acquirer.ts';
import { type HttpClientOptions, httpClient } from './http-client.ts';
import { readOutcome, readTokenOutcome } from './wire.ts';

type Approved = Extract<InquiryOutcome, { kind: 'approved' }>;

/**
 * An inquiry reads what the acquirer knows, and is sent again soon: one that gets no answer must not hold up others for
 * as long as a call that moves money may take.
 */
export const INQUIRY_TIMEOUT_MS = 3_000;

/** `close` breaks what is under way: it becomes `unknown`. */
export type HttpAcquirer = Acquirer & { close(): Promise<void> };

/**
 * The acquirer over HTTP. Whatever is not a clear answer (a time-out, a broken connection, a status other than 200,
 * a malformed or overlong body) is `unknown`. A broken connection is tried once more: the acquirer repeats its
 * first answer to a reference that it knows. A time-out is not: the answer may still be on its way.
 */
export function httpAcquirer(
  options: HttpClientOptions & { readonly inquiryTimeout_ms?: number },
): HttpAcquirer {
  const client = httpClient(options);
  const { inquiryTimeout_ms = INQUIRY_TIMEOUT_MS } = options;

  async function ask<O>(path: string, body: object, read: (answer: unknown) => O | null, limit_ms?: number) {
    const answer = await client.post(path, body, true, limit_ms);
    if (answer.kind === 'failed') return { kind: 'unknown', cause: answer.cause } as const;
    if (answer.status !== 200) return { kind: 'unknown', cause: `status_${answer.status}` } as const;
    return read(answer.body) ?? malformed();
  }

  async function operate<A extends object = object>(
    path: string,
    body: object,
    approval: (approved: Approved) => A | null,
  ): Promise<Outcome<A>> {
    const outcome = await ask(path, body, readOutcome);
    if (outcome.kind === 'not_found') return malformed();
    if (outcome.kind !== 'approved') return outcome;
    const { acquirerReference, operation, method, amount_centavos } = outcome;
    const extra = approval(outcome);
    if (extra === null) return malformed();
    return { kind: 'approved', acquirerReference, operation, method, amount_centavos, ...extra };
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
    capture: (asked) => operate('/v1/captures', following(asked, asked.authorizationReference), nothingMore),
    cancel: (asked) =>
      operate('/v1/cancellations', following(asked, asked.authorizationReference), nothingMore),
    refund: (asked) => operate('/v1/refunds', following(asked, asked.paymentReference), nothingMore),
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
      ask(
        '/v1/network-tokens',
        {
          ...common(rest),
          card: { id: card.cardId, number: card.number, exp_month: card.expMonth, exp_year: card.expYear },
        },
        readTokenOutcome,
      ),
    inquire: ({ reference, account, seal }) =>
      ask('/v1/inquiries', { reference, account, seal }, readOutcome, inquiryTimeout_ms),
    close: () => client.close(),
  };
}

function common({ reference, account, requestedAt }: AcquirerRequest): object {
  return { reference, account, requested_at: requestedAt };
}

/** The body of a capture, a cancellation or a refund. */
function following(asked: CaptureCard | CancelPayment | RefundPayment, paymentReference: string): object {
  const { method, amount_centavos } = asked;
  return { ...common(asked), payment_reference: paymentReference, method, amount_centavos };
}

function customer({ customerId, name, document }: AcquirerCustomer): object {
  return { id: customerId, name, document };
}

function nothingMore(): object {
  return {};
}

function malformed() {
  return { kind: 'unknown', cause: 'malformed_answer' } as const;
}
