import { randomBytes, randomInt } from 'node:crypto';
import { endToEndId } from '../../domain/identifiers.ts';
import { merchantDay } from '../../domain/local-time.ts';
import { BASE62, randomText } from '../../domain/random-text.ts';

/** The participant code (ISPB) of the payers' bank. The central bank has not assigned it. */
const ISPB = '99999004';

/** The acquirer's own reference of an operation. */
export function newReference(): string {
  return `acq_${randomBytes(12).toString('hex')}`;
}

/** Six digits, as an issuer gives them. */
export function authorizationCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0');
}

/** The end-to-end id of a Pix paid at `at`. */
export function payerEndToEndId(at: Date): string {
  return endToEndId(ISPB, at, randomBytes);
}

/** Where the payer's bank reads a charge: host and path, 61 characters at most. */
export function chargeLocation(): string {
  return `pix.acquirer.example/qr/v2/${randomBytes(16).toString('hex')}`;
}

/** Where the payer's bank reads a mandate: host and path, 65 characters at most. */
export function mandateLocation(): string {
  return `pix.acquirer.example/qr/v2/rec/${randomBytes(16).toString('hex')}`;
}

/**
 * The id of a mandate (idRec), 29 characters: `RR` if refused charges may be retried, else `RN`; the ISPB; the day; 11
 * alphanumerics.
 */
export function mandateId(allowsRetries: boolean, at: Date): string {
  const day = merchantDay(at).replaceAll('-', '');
  return `${allowsRetries ? 'RR' : 'RN'}${ISPB}${day}${randomText(BASE62, 11, randomBytes)}`;
}

/** By which the card in a wallet is charged again. */
export function walletCredential(): string {
  return `wcr_${randomBytes(16).toString('hex')}`;
}

/** A made-up network token. */
export function networkToken(): string {
  return `ntk_${randomBytes(16).toString('hex')}`;
}
