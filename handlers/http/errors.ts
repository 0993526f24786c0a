import { DatabaseUnavailable, Refusal, type RefusalKind } from '../../services/refusal.ts';
import type { ContractOperation, ErrorShape } from './contract.ts';

/** A refusal as it goes out. */
export interface RefusalAnswer {
  readonly status: number;
  readonly body: object;
  readonly headers: Readonly<Record<string, string>>;
}

const STATUS: Readonly<Record<RefusalKind, number>> = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  invalid: 422,
  rate_limited: 429,
  unavailable: 503,
};

/** What the recipient operations say, by the source text, in place of a code. */
const UNAUTHENTICATED = 'Unauthenticated.';

const RETRY_AFTER_UNAVAILABLE_S = 1;

/**
 * Turns whatever was thrown into an answer. The contract decides the body: each status of an operation refers to one
 * or more of the four error schemas. Outside any operation (unknown path) it is the envelope.
 */
export function refusalAnswer(thrown: unknown, operation: ContractOperation | undefined): RefusalAnswer {
  const refusal = asRefusal(thrown);
  if (refusal === undefined) return internalError();
  const status = STATUS[refusal.kind];
  const shapes = operation?.errorShapes.get(status) ?? [];
  return { status, body: bodyFor(refusal, pickShape(refusal, shapes)), headers: headersFor(refusal, status) };
}

/** Whether a thrown value is the caller's doing, or a state that passes; anything else is our fault and logged so. */
export function asRefusal(thrown: unknown): Refusal | undefined {
  if (thrown instanceof Refusal) return thrown;
  if (thrown instanceof DatabaseUnavailable) {
    return new Refusal('unavailable', {
      code: 'service_unavailable',
      message: 'The service is not available at the moment. Try again shortly.',
      retryAfter_s: RETRY_AFTER_UNAVAILABLE_S,
      cause: thrown,
    });
  }
  return undefined;
}

function internalError(): RefusalAnswer {
  const message = 'Something went wrong on our side. The request id helps us to find it.';
  return { status: 500, body: { error: { code: 'internal_error', message } }, headers: {} };
}

function pickShape(refusal: Refusal, shapes: readonly ErrorShape[]): ErrorShape {
  // Broken JSON is no matter of the resource: the envelope, also where other refusals of that status are a message.
  if (refusal.code === 'invalid_json' && shapes.includes('ErrorEnvelope')) return 'ErrorEnvelope';
  const wanted: readonly ErrorShape[] =
    refusal.fields === undefined ? ['ErrorEnvelope', 'ErrorMessage', 'ErrorText'] : ['ValidationErrors'];
  return shapes.find((shape) => wanted.includes(shape)) ?? shapes[0] ?? 'ErrorEnvelope';
}

function bodyFor(refusal: Refusal, shape: ErrorShape): object {
  switch (shape) {
    case 'ValidationErrors':
      return { message: refusal.message, errors: refusal.fields ?? {} };
    case 'ErrorMessage':
      return { message: refusal.kind === 'unauthorized' ? UNAUTHENTICATED : refusal.message };
    case 'ErrorText':
      return { error: refusal.message };
    case 'ErrorEnvelope': {
      const details = refusal.fields === undefined ? {} : { details: refusal.fields };
      return { error: { code: refusal.code, message: refusal.message, ...details } };
    }
  }
}

function headersFor(refusal: Refusal, status: number): Record<string, string> {
  const headers: Record<string, string> = {};
  if (status === 401) headers['WWW-Authenticate'] = 'Bearer';
  if (refusal.retryAfter_s !== undefined) headers['Retry-After'] = String(refusal.retryAfter_s);
  return headers;
}
