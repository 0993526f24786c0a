import { randomBytes, randomInt } from 'node:crypto';
import { endToEndId } from '../../domain/identifiers.ts';

/** The participant code of the bank whose payers pay here: none that the central bank gave to anyone. */
const ISPB = '99999004';

/** The acquirer's own name for something. */
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

/** What stands for a card number at its network, as far as a simulator needs one. */
export function networkToken(): string {
  return `ntk_${randomBytes(16).toString('hex')}`;
}
