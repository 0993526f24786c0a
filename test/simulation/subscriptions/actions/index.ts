import type { Action } from './action.ts';
import { create } from './create.ts';
import { approve, cancel, cancelInVain, changeMeans, changeOffers, reactivate, suspend } from './merchant.ts';
import { cancelCharge, dispute, notify, notifyTwice, refund } from './money.ts';
import { decideMandate, endMandate, pay, script } from './payer.ts';
import { changePlan } from './plan.ts';
import { race } from './race.ts';
import { advance, outage, reconcile, work } from './time.ts';

/** Everything that can happen in a history. */
export const ACTIONS: readonly Action[] = [
  create,
  advance,
  outage,
  work,
  reconcile,
  cancel,
  cancelInVain,
  reactivate,
  changeMeans,
  changePlan,
  script,
  changeOffers,
  suspend,
  approve,
  pay,
  decideMandate,
  endMandate,
  cancelCharge,
  refund,
  dispute,
  notify,
  notifyTwice,
  race,
];
