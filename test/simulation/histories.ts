import fc from 'fast-check';
import { SIMULATED_OUTCOMES, type SimulatedOutcome } from '../../gateway/sandbox-control.ts';

/**
 * Kinds of buyers, chosen by the sandbox's cards: one pays, one is refunded late, the captures of one fail, and so on.
 */
const CARDS = [
  '4242424242424242',
  '4000000000009995',
  '4000000000001133',
  '4000000000001158',
  '4000000000001174',
  '4000000000001182',
  '4000000000001208',
  '4000000000001216',
  '4000000000001224',
  '4000000000001240',
  '4000000000007726',
  '4000000000005126',
];
/** Of charges by Pix and boleto. */
const CHARGE_AMOUNTS = [1_000, 99_990_010, 99_990_011, 99_990_012, 99_990_014, 99_990_015];

/**
 * A step of the merchant, the payer or the acquirer. `share` is of the payment's amount, in per cent; null leaves the
 * amount out.
 */
export type Step =
  | { readonly do: 'capture' | 'refund'; readonly share: number | null; readonly losesAnswer: boolean }
  | { readonly do: 'cancel'; readonly losesAnswer: boolean }
  | { readonly do: 'simulate'; readonly outcome: SimulatedOutcome }
  | { readonly do: 'wait'; readonly seconds: number }
  | { readonly do: 'evidence'; readonly losesAnswer: boolean }
  | { readonly do: 'repeat' | 'reconcile' | 'expire' };

/**
 * A share for one of the merchant's recipients. `percent` is of the payment, also where it is sent as a fixed amount.
 */
export interface SplitShare {
  readonly percent: number;
  readonly isFixed: boolean;
  readonly bearsFee: boolean;
  readonly takesRemainder: boolean;
  readonly isLiable: boolean;
}

export const MAX_SHARES = 3;

export interface History {
  readonly order:
    | {
        readonly number: string;
        /** A debit card is captured at once, in one installment. */
        readonly isDebit: boolean;
        readonly capture: boolean;
        readonly amount: number;
        readonly installments: number;
      }
    | {
        /** The card in the wallet. */
        readonly walletNumber: string;
        readonly amount: number;
        readonly capture: boolean;
        /** Only with `capture`. */
        readonly captureDelay_hours: number | null;
      }
    | { readonly method: 'pix' | 'bank_slip'; readonly chargeAmount: number };
  readonly split: readonly SplitShare[];
  readonly losesAnswer: boolean;
  readonly steps: readonly (readonly Step[])[];
  /**
   * After this many steps, the ledger is introduced: until then the payment has no entries. Null: it always was there.
   */
  readonly stepsBeforeLedger: number | null;
}

const share = fc.option(fc.integer({ min: 1, max: 110 }));
const rarely = fc.integer({ min: 0, max: 4 }).map((n) => n === 0);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom('capture', 'refund'), share, losesAnswer: rarely }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel'), losesAnswer: rarely }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('simulate'), outcome: fc.constantFrom(...SIMULATED_OUTCOMES) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('wait'), seconds: fc.constantFrom(11, 90_000, 400_000) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('evidence'), losesAnswer: rarely }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('repeat', 'reconcile', 'expire') }) },
) as fc.Arbitrary<Step>;

const simulated = (outcome: SimulatedOutcome): readonly Step[] => [{ do: 'simulate', outcome }];
const refunded = (share: number): readonly Step[] => [{ do: 'refund', share, losesAnswer: false }];
const NEXT_DAY: readonly Step[] = [{ do: 'wait', seconds: 90_000 }];
/** First steps that random choice rarely makes. A step that the payment does not allow changes nothing. */
const BEGINNINGS: readonly (readonly (readonly Step[])[])[] = [
  [],
  [],
  [simulated('paid')],
  [[{ do: 'expire' }], simulated('paid')],
  // The acquirer reports the expiry. Where the answer to the registration is lost, that report is too early here.
  [simulated('expired'), simulated('paid')],
  [simulated('expired'), [{ do: 'cancel', losesAnswer: false }], simulated('paid')],
  [[{ do: 'cancel', losesAnswer: true }], simulated('expired'), simulated('paid')],
  [simulated('paid'), simulated('chargeback_requested')],
  [simulated('paid'), simulated('chargeback_requested'), [{ do: 'evidence', losesAnswer: false }]],
  [
    simulated('paid'),
    simulated('chargeback_requested'),
    simulated('chargeback_won'),
    simulated('chargeback_requested'),
  ],
  // Refunds that the acquirer completes or denies later, if the buyer is one of those.
  [simulated('paid'), refunded(40), NEXT_DAY],
  [simulated('paid'), refunded(40), refunded(60), simulated('refund_denied'), NEXT_DAY],
  [simulated('paid'), refunded(40), simulated('chargeback_requested'), NEXT_DAY],
  [
    simulated('paid'),
    simulated('chargeback_requested'),
    simulated('chargeback_won'),
    refunded(100),
    NEXT_DAY,
  ],
];
// Most steps are single; some run at the same time.
const stepGroups: fc.Arbitrary<readonly (readonly Step[])[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: step.map((one) => [one]) },
    fc.array(step, { minLength: 2, maxLength: 3 }),
  ),
  { minLength: 1, maxLength: 8 },
);

/** Orders, and the steps after them. */
export const histories: fc.Arbitrary<History> = fc.record({
  order: fc.oneof(
    fc
      .record({
        number: fc.constantFrom(...CARDS),
        isDebit: rarely,
        capture: fc.boolean(),
        amount: fc.integer({ min: 1, max: 1_000_000 }),
        installments: fc.constantFrom(1, 1, 3, 12),
      })
      .map((order) => ({ ...order, installments: Math.min(order.installments, order.amount) })),
    fc.record({
      walletNumber: fc.constantFrom(...CARDS),
      amount: fc.integer({ min: 1, max: 1_000_000 }),
      capture: fc.constantFrom(true, true, false),
      captureDelay_hours: fc.option(fc.integer({ min: 1, max: 167 })),
    }),
    fc.record({
      method: fc.constantFrom('pix', 'bank_slip'),
      chargeAmount: fc.constantFrom(...CHARGE_AMOUNTS),
    }),
  ),
  split: fc.array(
    fc.record({
      percent: fc.integer({ min: 1, max: 33 }),
      isFixed: fc.boolean(),
      bearsFee: fc.boolean(),
      takesRemainder: fc.boolean(),
      isLiable: fc.boolean(),
    }),
    { maxLength: MAX_SHARES },
  ),
  losesAnswer: rarely,
  steps: fc
    .tuple(fc.constantFrom(...BEGINNINGS), stepGroups)
    .map(([beginning, rest]) => [...beginning, ...rest]),
  stepsBeforeLedger: fc.oneof(
    { weight: 3, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 4 }) },
  ),
});
