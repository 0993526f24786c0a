/** Dotted path of a field in the request → sentences. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

export interface HttpRefusalDetails {
  /** Stable and public. */
  readonly code: string;
  /** A sentence for the caller. Must not contain secrets, card numbers or data of other merchants. */
  readonly message: string;
  readonly fields?: FieldErrors;
  readonly retryAfter_s?: number;
  /** For the log only. */
  readonly cause?: unknown;
}

/** A refusal as HTTP answers it. `errors.ts` translates refusals of use cases to it. */
export class HttpRefusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly fields: FieldErrors | undefined;
  readonly retryAfter_s: number | undefined;

  constructor(status: number, details: HttpRefusalDetails) {
    super(details.message, { cause: details.cause });
    this.name = 'HttpRefusal';
    this.status = status;
    this.code = details.code;
    this.fields = details.fields;
    this.retryAfter_s = details.retryAfter_s;
  }
}

/**
 * The maximum of violations in one answer (contract row 1.9). Without a limit, an answer could be much larger than its
 * request.
 */
export const MAX_VIOLATIONS = 100;

/** 422: one sentence or more for each field; the first 100 of all. */
export function invalidRequest(fields: Readonly<Record<string, string | readonly string[]>>): HttpRefusal {
  const listed: [path: string, sentences: readonly string[]][] = [];
  let left = MAX_VIOLATIONS;
  for (const [path, text] of Object.entries(fields)) {
    if (left === 0) break;
    const sentences = typeof text === 'string' ? [text] : text.slice(0, left);
    listed.push([path, sentences]);
    left -= sentences.length;
  }
  return new HttpRefusal(422, {
    code: 'validation_error',
    message: 'The given data was invalid.',
    fields: Object.fromEntries(listed),
  });
}
