export { DatabaseUnavailable } from '../db/engine/unavailable.ts';

/**
 * Path of a field in the use case's input, such as `card.id` or `documents.0.value` → sentences. A sentence names a
 * field in braces: `{nextCursor}`.
 */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** Why a use case refuses. Only `handlers/http/errors.ts` knows the status and the code of each reason. */
export type RefusalReason =
  /** Fields of the input are not valid; `fields` says which. */
  | 'invalid_input'
  /** The state of the record does not allow it. */
  | 'wrong_state'
  /** Buyers subscribe at the checkout page, and do not pay once. */
  | 'page_is_for_subscriptions'
  /** Buyers pay once at the checkout page, and do not subscribe. */
  | 'page_is_for_payments'
  /** The merchant has no such record. */
  | 'not_found'
  /** The merchant has no customer that the input names. */
  | 'customer_not_found'
  /** The input names a country that does not exist. */
  | 'country_not_found'
  /** The text is not in the form of any identifier. */
  | 'invalid_identifier'
  | 'invalid_card_identifier'
  /** The encrypted card cannot be read. */
  | 'unreadable_card'
  | 'too_many_unreadable_cards'
  /** Too many card payments were tried at a checkout page. */
  | 'too_many_card_tries'
  /** A buyer has started payments of a limited link without paying. */
  | 'too_many_unpaid_charges'
  /** The merchant has as many requests that wait for events as it may have. */
  | 'too_many_waits'
  /** The API key is missing, malformed, unknown or revoked. */
  | 'unknown_api_key'
  /** The API key is known, but it may not be used here or now. */
  | 'api_key_not_allowed'
  /** The first request with this idempotency key is still running. */
  | 'request_in_progress'
  | 'idempotency_key_reused'
  | 'clock_advancing'
  /** The wallet provider gives no session for the domain. */
  | 'wallet_session_failed'
  /** The operator has not configured a certificate for wallet sessions. */
  | 'wallet_certificate_missing'
  /** A subscription is charged to the card. */
  | 'card_in_use'
  /** An upgrade of the subscription has no outcome yet. */
  | 'plan_change_in_progress'
  /** The preview has expired, or the plan change would have other figures. */
  | 'preview_not_valid'
  /** A system that the use case needs does not answer now. */
  | 'unavailable';

export interface RefusalDetails {
  /**
   * A sentence for the caller, without secrets, card numbers, or data of other merchants. `handlers/http/errors.ts` has
   * the sentences that name a header or an operation.
   */
  readonly message: string;
  readonly fields?: FieldErrors;
  /** Set if the same request can succeed later. */
  readonly retryAfter_s?: number;
  /** For the log only. */
  readonly cause?: unknown;
}

/** Thrown by a use case that refuses a request. The caller gets the message. */
export class Refusal extends Error {
  readonly reason: RefusalReason;
  readonly fields: FieldErrors | undefined;
  readonly retryAfter_s: number | undefined;

  constructor(reason: RefusalReason, details: RefusalDetails) {
    super(details.message, { cause: details.cause });
    this.name = 'Refusal';
    this.reason = reason;
    this.fields = details.fields;
    this.retryAfter_s = details.retryAfter_s;
  }
}

/** Refuses fields of the input, with one or more sentences for each path. */
export function invalid(fields: Readonly<Record<string, string | readonly string[]>>): Refusal {
  const listed = Object.entries(fields).map(([path, text]) => [path, [text].flat()] as const);
  return new Refusal('invalid_input', {
    message: 'The given data was invalid.',
    fields: Object.fromEntries(listed),
  });
}

/** Refuses because the record does not exist. `what` begins the sentence: "Customer not found." */
export function notFound(what: string): Refusal {
  return new Refusal('not_found', { message: `${what} not found.` });
}

/** Refuses because of the record's state, which the sentence states. */
export function notInThisState(sentence: string): Refusal {
  return new Refusal('wrong_state', { message: sentence });
}

/**
 * Returns a row that this request has read or written before. Refuses with `unavailable` when the row is missing: only
 * a reset of the sandbox deletes such rows.
 */
export function requireRow<Row>(row: Row | undefined): Row {
  if (row !== undefined) return row;
  throw new Refusal('unavailable', {
    message: 'The sandbox was emptied during the request. Try again.',
    retryAfter_s: 1,
  });
}

/** Collects every violation of an input and throws them together. Paths are those of the use case's input. */
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

  get fields(): FieldErrors {
    return Object.fromEntries(this.#fields);
  }

  throwIfAny(): void {
    if (this.any) throw invalid(this.fields);
  }
}
