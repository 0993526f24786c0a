import type { CardUpdate } from './acquirer.ts';
import { isObject, isText } from './wire-values.ts';

/** The notification as it is sent. */
export interface WireCardUpdate {
  id: string;
  account: string;
  reference: string;
  type: CardUpdate['type'];
  occurred_at: string;
  card: { first_6: string; last_4: string; exp_month: string; exp_year: string };
}

/** The notification about the card of a network token in a body. Null if a field is missing or malformed. */
export function readCardUpdate(value: unknown): CardUpdate | null {
  if (!isObject(value) || value.type !== 'network_token.updated') return null;
  const { id, account, reference } = value;
  const occurredAt = new Date(isText(value.occurred_at) ? value.occurred_at : Number.NaN);
  const card = isObject(value.card) ? readCard(value.card) : null;
  if (!isText(id) || !isText(account) || !isText(reference)) return null;
  if (Number.isNaN(occurredAt.getTime()) || card === null) return null;
  return { id, account, reference, type: 'network_token.updated', occurredAt, card };
}

function readCard({
  first_6,
  last_4,
  exp_month,
  exp_year,
}: Record<string, unknown>): CardUpdate['card'] | null {
  const isCard =
    matches(first_6, /^[0-9]{6}$/) &&
    matches(last_4, /^[0-9]{4}$/) &&
    matches(exp_month, /^(0[1-9]|1[0-2])$/) &&
    matches(exp_year, /^[0-9]{2}$/);
  return isCard ? { first6: first_6, last4: last_4, expMonth: exp_month, expYear: exp_year } : null;
}

function matches(value: unknown, pattern: RegExp): value is string {
  return isText(value) && pattern.test(value);
}
