import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
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
  readonly body: string | Buffer;
}

/**
 * Keys made of secrets whose form was checked when they were set. Node signs with a key in a third of the time of
 * bytes.
 */
export function signingKeys(secrets: readonly string[]): KeyObject[] {
  return secrets.map((secret) => createSecretKey(secret.slice(PREFIX.length), 'base64'));
}

/**
 * The headers that sign a message (Standard Webhooks, https://www.standardwebhooks.com), with one signature for each
 * key. Without a key there are none.
 */
export function signatureHeaders(
  keys: readonly KeyObject[],
  { id, timestamp_s, body }: SignedMessage,
): Readonly<Record<string, string>> {
  if (keys.length === 0) return {};
  const start = `${id}.${timestamp_s}.`;
  const signatures = keys.map(
    (key) => `v1,${createHmac('sha256', key).update(start).update(body).digest('base64')}`,
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp_s),
    'webhook-signature': signatures.join(' '),
  };
}
