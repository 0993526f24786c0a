import type { OutgoingFailureCode } from '../webhooks/outgoing-failure.ts';

export type LogoType = 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif';

/** The logo of a payment link. */
export interface Logo {
  readonly type: LogoType;
  readonly bytes: Uint8Array;
}

/** A stored logo. `version` begins the SHA-256 of its bytes. */
export interface StoredLogo extends Logo {
  readonly version: string;
}

/** Whether there is a copy of a logo. `pending`: it is being fetched. */
export type LogoStatus = 'pending' | 'available' | 'failed';

/** Why a logo could not be fetched. */
export interface LogoProblem {
  readonly code: 'unexpected_status' | 'too_large' | 'unknown_format' | OutgoingFailureCode | 'interrupted';
  /** A sentence for the merchant. */
  readonly message: string;
}

export interface LogoState {
  readonly status: LogoStatus;
  /** Set if the logo `failed`. */
  readonly problem: LogoProblem | null;
}

/** The largest logo (contract row 13.17). */
export const MAX_LOGO_BYTES = 512 * 1024;
/**
 * The widest and the highest logo. A small file can have many more pixels, which would use up the memory of a phone.
 */
export const MAX_LOGO_PX = 2048;

/** Formats by their first bytes. SVG is missing because it can contain scripts. */
const FORMATS: readonly (readonly [LogoType, (start: string) => boolean])[] = [
  ['image/png', (start) => start.startsWith('\x89PNG\r\n\x1a\n')],
  ['image/jpeg', (start) => start.startsWith('\xff\xd8\xff')],
  ['image/gif', (start) => start.startsWith('GIF87a') || start.startsWith('GIF89a')],
  // The bytes between contain the length.
  ['image/webp', (start) => start.startsWith('RIFF') && start.startsWith('WEBP', 8)],
];
const LONGEST_SIGNATURE_BYTES = 12;

/** The format of an image by its first bytes, or null if it is not one of a logo. */
export function logoType(bytes: Uint8Array): LogoType | null {
  const start = String.fromCharCode(...bytes.subarray(0, LONGEST_SIGNATURE_BYTES));
  return FORMATS.find(([, matches]) => matches(start))?.[0] ?? null;
}
