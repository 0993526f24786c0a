/** Players of subscriptions of R$ 100.00 a month that are created on the same afternoon. */
import type { NewBilling } from '../../../domain/subscriptions/start-billing.ts';
import { type Acquirer, afternoonOf, BillingPlayer, monthlyCard, monthlyPix } from './play-billing.ts';

export const START = '2026-01-10';
export const NOW = afternoonOf(START);

/** By card, unless `other` has another method. */
export function card(acquirer?: Acquirer, other: Partial<NewBilling> = {}): BillingPlayer {
  return new BillingPlayer(monthlyCard(START, other), NOW, acquirer);
}

export function pixRecurring(acquirer?: Acquirer, other: Partial<NewBilling> = {}): BillingPlayer {
  return new BillingPlayer(monthlyPix(START, other), NOW, acquirer);
}

/** When the charges of a player were created, and when they are due. */
export function chargeDates({ charges }: BillingPlayer): string[] {
  return charges.map(({ cycle, createdOn, dueOn }) => `${cycle}: ${createdOn}, due ${dueOn}`);
}
