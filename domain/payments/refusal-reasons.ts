/** Why an issuer, or the acquirer, refused a card (contract row 7.3). */
const CARD_REFUSALS = {
  insufficient_funds: { retryable: true, message: 'The card has insufficient funds.' },
  do_not_honor: { retryable: true, message: 'The issuer declined the card without giving a reason.' },
  limit_exceeded: { retryable: true, message: 'The purchase exceeds the limit of the card.' },
  expired_card: { retryable: false, message: 'The card has expired.' },
  invalid_security_code: { retryable: false, message: 'The security code of the card is wrong.' },
  processing_error: { retryable: true, message: 'The payment could not be processed. Try again.' },
  lost_card: { retryable: false, message: 'The card was reported lost.' },
  stolen_card: { retryable: false, message: 'The card was reported stolen.' },
  account_closed: { retryable: false, message: 'The account of the card is closed.' },
  fraud: { retryable: false, message: 'The payment was refused on suspicion of fraud.' },
} as const satisfies Record<string, { retryable: boolean; message: string }>;

export type CardRefusalCode = keyof typeof CARD_REFUSALS;

export const CARD_REFUSAL_CODES = Object.keys(CARD_REFUSALS) as CardRefusalCode[];

/** Whether a text is one of the codes of `CARD_REFUSALS`. */
export function isCardRefusalCode(value: string): value is CardRefusalCode {
  return Object.hasOwn(CARD_REFUSALS, value);
}

/** A refusal, as the record of a payment stores it. */
export interface PaymentRefusal {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
}

/** The refusal of a card for its code. An unknown code becomes `processing_error`. */
export function cardRefusal(code: string): PaymentRefusal {
  const known = isCardRefusalCode(code) ? code : 'processing_error';
  return { code: known, ...CARD_REFUSALS[known] };
}

/** The reason why the acquirer denied a refund, as its record stores it. */
export interface RefundDenial {
  readonly code: string;
  readonly message: string;
}

/** Replace the sentences of `CARD_REFUSALS` that are about a purchase. */
const DENIAL_MESSAGES: Readonly<Partial<Record<CardRefusalCode, string>>> = {
  insufficient_funds: 'There are insufficient funds for the refund.',
  do_not_honor: 'The issuer declined the refund without giving a reason.',
  limit_exceeded: 'The refund exceeds a limit of the account that the money would go back to.',
  processing_error: 'The refund could not be processed. Try again.',
  account_closed: 'The account that the money would go back to is closed.',
  fraud: 'The refund was denied on suspicion of fraud.',
};

/**
 * The denial of a refund for its code. An unknown code becomes `processing_error`, and its sentence asks for another
 * try only if one can succeed.
 */
export function refundDenial({ code, retryable }: Pick<PaymentRefusal, 'code' | 'retryable'>): RefundDenial {
  if (isCardRefusalCode(code)) {
    return { code, message: DENIAL_MESSAGES[code] ?? CARD_REFUSALS[code].message };
  }
  const message = retryable ? DENIAL_MESSAGES.processing_error! : 'The refund could not be processed.';
  return { code: 'processing_error', message };
}
