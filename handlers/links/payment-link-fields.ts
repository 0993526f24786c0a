import { domainWords } from '../words.ts';

interface Body {
  readonly amount?: number;
  readonly expires_at?: string | null;
}

/** The fields of a request under their domain names. Fields that were not sent stay absent. */
export function paymentLinkFields<Sent extends Body>(body: Sent) {
  const { amount, expires_at: expiresAt, ...others } = body;
  return {
    ...domainWords(others),
    ...(amount !== undefined && { amount_centavos: amount }),
    ...(expiresAt !== undefined && { expiresAt: expiresAt === null ? null : new Date(expiresAt) }),
  };
}

/** Paths in the request of the fields that the use cases can refuse. */
export const FIELD_NAMES = { amount_centavos: 'amount' };
