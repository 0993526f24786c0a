import { canCancel, cancelBilling } from '../../../../domain/subscriptions/cancel-billing.ts';
import { authorizeMandate, rejectMandate } from '../../../../domain/subscriptions/mandate-outcome.ts';
import { dayOf } from '../calendar.ts';
import { authorize, endMandate as endModel, isWaiting, reject } from '../model/payer.ts';
import type { Pair } from './pair.ts';

/** The payer authorizes the mandate, does not accept it one time in six, or does nothing one time in six. */
export function decideMandate({ random, engine, model, now }: Pair): string | null {
  if (!isWaiting(model, now)) return null;
  const choice = random.integer(1, 6);
  if (choice === 1) return 'the payer does not decide about the mandate';
  const hasCharge = engine.billing.openCycle !== null;
  if (choice === 2) {
    reject(model);
    if (hasCharge) engine.decide('hard');
    engine.apply(rejectMandate(engine.billing)!);
    return 'the payer does not accept the mandate';
  }
  authorize(model, now);
  if (hasCharge) engine.pay(0);
  else engine.apply(authorizeMandate(engine.billing)!);
  return 'the payer authorizes the mandate';
}

/** The payer ends the mandate at the bank. The notification of the charge or that of the mandate arrives first. */
export function endMandate({ random, engine, model, now }: Pair): string | null {
  const first = random.pick(['mandate', 'charge'] as const);
  if (!random.oneIn(3) || !endModel(model, now, first)) return null;
  const end = () => {
    if (canCancel(engine.billing))
      engine.apply(cancelBilling(engine.billing, 'acquirer', new Date(engine.now)));
  };
  if (first === 'mandate') end();
  const { latest, billing } = engine;
  const isSent = billing.openCycle?.attempt != null && latest?.state === 'waiting';
  if (isSent && latest.method === 'pix_recurring' && latest.dueOn > dayOf(now)) {
    latest.state = 'canceled';
    engine.settle({ kind: 'refused', mayRetry: true });
  }
  if (first === 'charge') end();
  return `the payer ends the mandate, ${first} first`;
}
