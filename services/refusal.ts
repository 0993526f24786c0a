export { DatabaseUnavailable } from '../db/engine/unavailable.ts';

/** Dotted path of the request's field → sentences. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/**
 * What a refusal is, whatever the wire makes of it: `handlers/http/errors.ts` alone knows statuses and bodies.
 * invalid: the request's fields or the state do not allow it. not_found: no such thing of this merchant.
 */
export type RefusalKind =
  | 'bad_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'too_large'
  | 'unsupported_media_type'
  | 'invalid'
  | 'rate_limited'
  | 'unavailable';

export interface RefusalDetails {
  /** Stable and public. */
  readonly code: string;
  /** A sentence for the caller. Never holds a secret, a card number or another merchant's data. */
  readonly message: string;
  readonly fields?: FieldErrors;
  readonly retryAfter_s?: number;
  /** For the log only. */
  readonly cause?: unknown;
}

/** Thrown once, where it is found out; turned into an answer once. */
export class Refusal extends Error {
  readonly kind: RefusalKind;
  readonly code: string;
  readonly fields: FieldErrors | undefined;
  readonly retryAfter_s: number | undefined;

  constructor(kind: RefusalKind, details: RefusalDetails) {
    super(details.message, { cause: details.cause });
    this.name = 'Refusal';
    this.kind = kind;
    this.code = details.code;
    this.fields = details.fields;
    this.retryAfter_s = details.retryAfter_s;
  }
}

const INVALID_MESSAGE = 'The given data was invalid.';

/** Most violations that one answer lists (contract row 1.9): it must not outgrow the request that it refuses. */
export const MAX_VIOLATIONS = 100;

/** 422: one sentence or more per dotted field path; the first 100 of all. */
export function invalid(fields: Readonly<Record<string, string | readonly string[]>>): Refusal {
  const listed: [path: string, sentences: readonly string[]][] = [];
  let left = MAX_VIOLATIONS;
  for (const [path, text] of Object.entries(fields)) {
    if (left === 0) break;
    const sentences = typeof text === 'string' ? [text] : text.slice(0, left);
    listed.push([path, sentences]);
    left -= sentences.length;
  }
  return new Refusal('invalid', {
    code: 'validation_error',
    message: INVALID_MESSAGE,
    fields: Object.fromEntries(listed),
  });
}

/** 404: `what` as in "Customer not found." */
export function notFound(what: string): Refusal {
  return new Refusal('not_found', { code: 'not_found', message: `${what} not found.` });
}

/** 422 on `status`: what the state does not allow. */
export function notInThisState(sentence: string): Refusal {
  return invalid({ status: sentence });
}

/**
 * A row that this request has seen or made and now reads again. Only emptying the sandbox deletes such rows: what was
 * under way then is refused with 503, and the same request finds out when it is sent again.
 */
export function stillThere<Row>(row: Row | undefined): Row {
  if (row !== undefined) return row;
  throw new Refusal('unavailable', {
    code: 'service_unavailable',
    message: 'The sandbox was emptied meanwhile. Try again.',
    retryAfter_s: 1,
  });
}

/** Collects every violation of a request and throws them together. */
export class Violations {
  readonly #fields = new Map<string, string[]>();

  add(path: string, sentence: string): void {
    const known = this.#fields.get(path);
    if (known === undefined) this.#fields.set(path, [sentence]);
    else known.push(sentence);
  }

  get any(): boolean {
    return this.#fields.size > 0;
  }

  throwIfAny(): void {
    if (this.any) throw invalid(Object.fromEntries(this.#fields));
  }
}
