import fc from 'fast-check';
import { SIMULATED_OUTCOMES, type SimulatedOutcome } from '../../gateway/sandbox-control.ts';

const CARDS = [
  '4242424242424242',
  '4000000000009995',
  '4000000000001133',
  '4000000000001141',
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

/** The answer to a call: it arrives, is lost, or has another amount. */
export type Answer = 'heard' | 'lost' | 'wrong';

/** What is false in a report of the acquirer. */
const FALSEHOODS = [
  'amount',
  'no amount',
  'method',
  'no method',
  'operation',
  'contrary',
  'impossible',
  'second payment',
] as const;
export type Falsehood = (typeof FALSEHOODS)[number];

/** `share` is of the payment's amount, in per cent; null leaves the amount out. `pick` chooses one of many. */
export type Step =
  | { readonly do: 'capture' | 'refund'; readonly share: number | null; readonly answer: Answer }
  | { readonly do: 'cancel'; readonly answer: Answer }
  | { readonly do: 'simulate'; readonly outcome: SimulatedOutcome }
  | { readonly do: 'wait'; readonly seconds: number }
  | { readonly do: 'deliver'; readonly pick: number }
  | { readonly do: 'repeat'; readonly pick: number; readonly isRenamed: boolean }
  | { readonly do: 'lie'; readonly lie: Falsehood; readonly pick: number }
  | { readonly do: 'reconcile' | 'expire' };

export interface History {
  readonly order:
    | {
        readonly method: 'credit_card' | 'debit_card';
        readonly number: string;
        readonly capture: boolean;
        readonly amount: number;
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
  readonly answer: Answer;
  readonly steps: readonly Step[];
  /** In what order the last notifications arrive. */
  readonly isReversed: boolean;
}

/** Most histories should capture money, so a charge is paid more often than it is refused. */
const OUTCOMES = [...SIMULATED_OUTCOMES, 'paid', 'paid', 'chargeback_requested', 'refund_succeeded'] as const;

const share = fc.option(fc.integer({ min: 1, max: 110 }));
const pick = fc.nat(1_000);
const answer = fc.constantFrom<Answer[]>('heard', 'heard', 'heard', 'lost', 'wrong');

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('capture', 'refund'), share, answer }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel'), answer }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('simulate'), outcome: fc.constantFrom(...OUTCOMES) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('wait'), seconds: fc.constantFrom(11, 90_000, 400_000) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('deliver'), pick }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('repeat'), pick, isRenamed: fc.boolean() }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('lie'), lie: fc.constantFrom(...FALSEHOODS), pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('reconcile', 'expire') }) },
) as fc.Arbitrary<Step>;

/** An order and the steps after it, with true and false reports. */
export const histories: fc.Arbitrary<History> = fc.record({
  order: fc.oneof(
    fc.record({
      method: fc.constantFrom('credit_card', 'credit_card', 'debit_card'),
      number: fc.constantFrom(...CARDS),
      capture: fc.constantFrom(true, true, false),
      amount: fc.integer({ min: 2, max: 1_000_000 }),
    }),
    fc.record({
      walletNumber: fc.constantFrom(...CARDS),
      amount: fc.integer({ min: 2, max: 1_000_000 }),
      capture: fc.constantFrom(true, true, false),
      captureDelay_hours: fc.option(fc.integer({ min: 1, max: 167 })),
    }),
    fc.record({
      method: fc.constantFrom('pix', 'bank_slip'),
      chargeAmount: fc.constantFrom(...CHARGE_AMOUNTS),
    }),
  ),
  answer,
  steps: fc.array(step, { minLength: 4, maxLength: 14 }),
  isReversed: fc.boolean(),
});
