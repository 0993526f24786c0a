import { createHmac, createSecretKey } from 'node:crypto';
import type { RandomBytes } from '../../domain/random-text.ts';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;
const MIN_BYTES = 24;
const MAX_BYTES = 64;

/** Generates a secret in the form of Standard Webhooks. */
export function newSecret(random: RandomBytes): string {
  return PREFIX + Buffer.from(random(SECRET_BYTES)).toString('base64');
}

/** The bytes of a secret: 24 to 64, in base64 after `whsec_`. Undefined for any other text. */
export function secretBytes(secret: string): Buffer | undefined {
  if (!secret.startsWith(PREFIX)) return undefined;
  const text = secret.slice(PREFIX.length);
  const bytes = Buffer.from(text, 'base64');
  const isBase64 = bytes.toString('base64') === text;
  return isBase64 && bytes.length >= MIN_BYTES && bytes.length <= MAX_BYTES ? bytes : undefined;
}

export interface SignedMessage {
  readonly id: string;
  readonly timestamp_s: number;
  /** Exactly as it is sent. */
  readonly body: string;
}

/**
 * The headers that sign a message (Standard Webhooks, https://www.standardwebhooks.com), with one signature for each secret.
 * Without a secret there are none.
 */
export function signatureHeaders(
  secrets: readonly string[],
  { id, timestamp_s, body }: SignedMessage,
): Readonly<Record<string, string>> {
  if (secrets.length === 0) return {};
  const signatures = secrets.map((secret) => {
    // Its form was checked when it was set. With a key object, Node signs in a third of the time that bytes take.
    const key = createSecretKey(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp_s}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp_s),
    'webhook-signature': signatures.join(' '),
  };
}
