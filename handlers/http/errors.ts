import { DatabaseUnavailable, Refusal, type RefusalReason } from '../../services/refusal.ts';
import type { ContractOperation, ErrorShape } from './contract.ts';
import { HttpRefusal, invalidRequest } from './refusal.ts';
import { type FieldNames, wireName, wirePath } from './wire-paths.ts';

/** A rendered refusal. */
export interface RefusalAnswer {
  readonly status: number;
  readonly body: object;
  readonly headers: Readonly<Record<string, string>>;
}

/** Reasons that the answer gives for the field `status`. */
const STATE_REASONS = ['wrong_state', 'page_is_for_subscriptions', 'page_is_for_payments'] as const;
type StateReason = (typeof STATE_REASONS)[number];

/** Status and public code of each reason, except those of single fields. */
const ANSWERS: Readonly<
  Record<Exclude<RefusalReason, 'invalid_input' | StateReason>, readonly [status: number, code: string]>
> = {
  not_found: [404, 'not_found'],
  customer_not_found: [404, 'customer_not_found'],
  country_not_found: [404, 'country_not_found'],
  invalid_identifier: [400, 'invalid_identifier'],
  invalid_card_identifier: [400, 'invalid_uuid'],
  unreadable_card: [400, 'invalid_encrypted_card'],
  too_many_unreadable_cards: [429, 'rate_limited'],
  too_many_card_tries: [429, 'rate_limited'],
  too_many_unpaid_charges: [429, 'too_many_unpaid_charges'],
  too_many_waits: [429, 'rate_limited'],
  unknown_api_key: [401, 'unauthorized'],
  api_key_not_allowed: [403, 'forbidden'],
  request_in_progress: [409, 'idempotency_in_flight'],
  idempotency_key_reused: [422, 'idempotency_key_reused'],
  clock_advancing: [409, 'clock_advancing'],
  wallet_session_failed: [400, 'wallet_session_failed'],
  wallet_certificate_missing: [500, 'wallet_certificate_missing'],
  card_in_use: [409, 'card_in_use'],
  plan_change_in_progress: [409, 'plan_change_in_progress'],
  preview_not_valid: [409, 'preview_not_valid'],
  unavailable: [503, 'service_unavailable'],
};

/** Sentences that name a header or an operation, which use cases do not know. */
const SENTENCES: Partial<Record<RefusalReason, string>> = {
  request_in_progress: 'A request with this Idempotency-Key is still running. Try again shortly.',
  idempotency_key_reused:
    'This Idempotency-Key was used for another request. Use a new key for a new request.',
  page_is_for_subscriptions: 'Buyers subscribe at this page. Send POST /checkout/{hash}/subscriptions.',
  page_is_for_payments: 'Buyers pay once at this page. Send POST /checkout/{hash}/payments.',
};

/** Fixed text of the recipient operations, which have no code. */
const UNAUTHENTICATED = 'Unauthenticated.';

const RETRY_AFTER_UNAVAILABLE_S = 1;

/**
 * Renders a thrown value. The contract decides the shape of the body: each status of an operation refers to one or more
 * of the four error schemas. Without an operation (unknown path), the shape is the envelope.
 */
export function refusalAnswer(thrown: unknown, operation: ContractOperation | undefined): RefusalAnswer {
  const refusal = asRefusal(thrown);
  if (refusal === undefined) return internalError(thrown);
  const status = statusOf(refusal, operation);
  const shapes = operation?.errorShapes.get(status) ?? [];
  return { status, body: bodyFor(refusal, pickShape(refusal, shapes)), headers: headersFor(refusal) };
}

/**
 * A thrown value as a refusal, with the field paths of the request; undefined for an internal error. `names`: see
 * `FieldNames`.
 */
export function asRefusal(thrown: unknown, names?: FieldNames): HttpRefusal | undefined {
  if (thrown instanceof HttpRefusal) return thrown;
  if (thrown instanceof Refusal) return refusalOf(thrown, names);
  if (thrown instanceof DatabaseUnavailable) {
    return new HttpRefusal(503, {
      code: 'service_unavailable',
      message: 'The service is not available at the moment. Try again shortly.',
      retryAfter_s: RETRY_AFTER_UNAVAILABLE_S,
      cause: thrown,
    });
  }
  return undefined;
}

function refusalOf(refusal: Refusal, names: FieldNames | undefined): HttpRefusal {
  const { reason, retryAfter_s, cause } = refusal;
  const message = SENTENCES[reason] ?? refusal.message;
  if (isStateReason(reason)) return invalidRequest({ status: message });
  const fields = Object.fromEntries(
    Object.entries(refusal.fields ?? {}).map(([path, sentences]) => [
      wirePath(path, names),
      sentences.map(wireSentence),
    ]),
  );
  if (reason === 'invalid_input') return invalidRequest(fields);
  const [status, code] = ANSWERS[reason];
  return new HttpRefusal(status, {
    code,
    message,
    cause,
    ...(refusal.fields !== undefined && { fields }),
    ...(retryAfter_s !== undefined && { retryAfter_s }),
  });
}

function isStateReason(reason: RefusalReason): reason is StateReason {
  return (STATE_REASONS as readonly RefusalReason[]).includes(reason);
}

/** A sentence about fields, with their names in the request: `next_cursor` for `{nextCursor}`. */
function wireSentence(sentence: string): string {
  return sentence.replace(/\{(\w+)\}/g, (_, name: string) => `\`${wireName(name)}\``);
}

/** Violations are a 422, or a 400 for an operation that documents them there. */
function statusOf({ status, fields }: HttpRefusal, operation: ContractOperation | undefined): number {
  const isViolation = status === 422 && fields !== undefined;
  const areOf400 = operation?.errorShapes.get(400)?.includes('ValidationErrors') === true;
  return isViolation && areOf400 && !operation.errorShapes.has(422) ? 400 : status;
}

/** An internal error of an operation that documents its sentence. The cause is logged. */
export class OperationFailed extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'OperationFailed';
  }
}

function internalError(thrown: unknown): RefusalAnswer {
  if (thrown instanceof OperationFailed) {
    return { status: 500, body: { message: thrown.message }, headers: {} };
  }
  const message = 'Something went wrong on our side. The request id helps us to find it.';
  return { status: 500, body: { error: { code: 'internal_error', message } }, headers: {} };
}

function pickShape(refusal: HttpRefusal, shapes: readonly ErrorShape[]): ErrorShape {
  // Invalid JSON always uses the envelope, also if other refusals with this status have another shape.
  if (refusal.code === 'invalid_json' && shapes.includes('ErrorEnvelope')) return 'ErrorEnvelope';
  const wanted: readonly ErrorShape[] =
    refusal.fields === undefined ? ['ErrorEnvelope', 'ErrorMessage', 'ErrorText'] : ['ValidationErrors'];
  return shapes.find((shape) => wanted.includes(shape)) ?? shapes[0] ?? 'ErrorEnvelope';
}

function bodyFor(refusal: HttpRefusal, shape: ErrorShape): object {
  switch (shape) {
    case 'ValidationErrors':
      return { message: refusal.message, errors: refusal.fields ?? {} };
    case 'ErrorMessage':
      return { message: refusal.status === 401 ? UNAUTHENTICATED : refusal.message };
    case 'ErrorText':
      return { error: refusal.message };
    case 'ErrorEnvelope': {
      const details = refusal.fields === undefined ? {} : { details: refusal.fields };
      return { error: { code: refusal.code, message: refusal.message, ...details } };
    }
  }
}

function headersFor({ status, retryAfter_s }: HttpRefusal): Record<string, string> {
  const headers: Record<string, string> = {};
  if (status === 401) headers['WWW-Authenticate'] = 'Bearer';
  if (retryAfter_s !== undefined) headers['Retry-After'] = String(retryAfter_s);
  return headers;
}
