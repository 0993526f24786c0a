import type { PaymentRefusal } from './refusal-reasons.ts';

/** For codes whose official text is not public. */
const REFUSED = "The payer's bank refused the charge.";

/**
 * Why the payer's bank refused a charge of Pix Automático. `retryable: false`: the refusal is final for the charge, so
 * it is not tried again on another day.
 */
export const PIX_AUTOMATICO_REFUSALS = {
  AB10: { retryable: true, message: "The payer's bank had an error." },
  AC05: { retryable: false, message: "The payer's account is closed." },
  AC06: { retryable: true, message: "The payer's account is blocked." },
  AM02: { retryable: true, message: 'The amount is above the limit that the payer has set.' },
  AM09: { retryable: false, message: 'The amount differs from the one that the payer authorized.' },
  DENC: { retryable: false, message: 'The document of the payer does not match the account.' },
  DS27: { retryable: false, message: "The payer's bank does not take part in Pix Automático." },
  DTED: { retryable: false, message: REFUSED },
  DTNT: { retryable: true, message: REFUSED },
  FBRD: { retryable: true, message: REFUSED },
  IRNT: { retryable: true, message: REFUSED },
  MIDI: { retryable: false, message: REFUSED },
  MSUC: { retryable: false, message: REFUSED },
  NIEC: { retryable: true, message: REFUSED },
  NIPA: { retryable: true, message: REFUSED },
  NITX: { retryable: false, message: REFUSED },
  QUNT: { retryable: true, message: REFUSED },
  RC09: { retryable: false, message: REFUSED },
  UDEI: { retryable: true, message: REFUSED },
} as const satisfies Record<string, { retryable: boolean; message: string }>;

/**
 * The refusal of a charge for its code, which is kept also if it is unknown. An unknown one may be retried: the rules
 * of retries limit how often.
 */
export function pixAutomaticoRefusal(code: string): PaymentRefusal {
  const known = Object.hasOwn(PIX_AUTOMATICO_REFUSALS, code);
  const reason = known
    ? PIX_AUTOMATICO_REFUSALS[code as keyof typeof PIX_AUTOMATICO_REFUSALS]
    : { retryable: true, message: REFUSED };
  return { code, ...reason };
}

/** The reasons of a mandate's rejection that are known. */
export const MANDATE_REJECTIONS = ['AP13', 'AP14'] as const;

/** The rejection of a mandate for its code. It is not retried: the payer needs a new mandate. */
export function mandateRejection(code: string): PaymentRefusal {
  return { code, retryable: false, message: "The payer or the payer's bank did not accept the mandate." };
}

const ENDED = "The payer or the payer's bank ended the mandate.";

/** Why a mandate was ended, by the code of the payer's bank, if the official text of the code is public. */
const MANDATE_CANCELLATIONS: ReadonlyMap<string, string> = new Map([
  ['ACCL', "The payer's account is closed, so the mandate has ended."],
  ['FRUD', "The payer's bank ended the mandate on suspicion of fraud."],
  ['SLDB', 'The payer ended the mandate.'],
]);

/**
 * The reason of a payment that ends with its mandate, for the code of the mandate's cancellation, which is kept also if
 * it is unknown. It is not retried: the payer needs a new mandate.
 */
export function mandateCancellation(code: string): PaymentRefusal {
  return { code, retryable: false, message: MANDATE_CANCELLATIONS.get(code) ?? ENDED };
}
