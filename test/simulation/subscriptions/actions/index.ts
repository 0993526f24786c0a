import type { Action } from './action.ts';
import { create } from './create.ts';
import { cancel, changeCard, changeOffers, reactivate, script, suspend } from './merchant.ts';
import { dispute, notify, refund } from './money.ts';
import { advance, outage, reconcile, work } from './time.ts';

/** Everything that can happen in a history. */
export const ACTIONS: readonly Action[] = [
  create,
  advance,
  outage,
  work,
  reconcile,
  cancel,
  reactivate,
  changeCard,
  script,
  changeOffers,
  suspend,
  refund,
  dispute,
  notify,
];
