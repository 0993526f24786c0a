import type { Fault } from './faults.ts';
import type { Interval } from './model/plan.ts';
import type { Decision, Method } from './model/state.ts';

/** What the histories of a seed are mostly about, so that few of them are enough to meet each rule of the contract. */
export interface Theme {
  readonly name: string;
  /**
   * How often an action is chosen, compared with the others, by name. An action that is missing has its usual weight.
   */
  readonly weights: Readonly<Record<string, number>>;
  /** The payment methods of new subscriptions. */
  readonly methods: readonly Method[];
  /** Of new offers. */
  readonly intervals: readonly Interval[];
  /** One in so many subscriptions has a trial, and about as many start later. */
  readonly waitsOneIn: number;
  /** Whether a card is approved unless a script says otherwise. */
  readonly hasGoodCards: boolean;
  /** The longest step of time. */
  readonly maxDays: number;
  /** What goes wrong with charges. One is chosen for each action that charges. */
  readonly faults: readonly Fault[];
  /** What scripts decide about charges. */
  readonly decisions: readonly Decision[];
}

const CARD_AND_MANDATE: readonly Method[] = ['credit_card', 'browser_wallet', 'pix_recurring'];
const EVERY_METHOD: readonly Method[] = [
  'credit_card',
  'browser_wallet',
  'bank_slip',
  'pix',
  'pix_recurring',
  'pix_recurring',
];
const INTERVALS: readonly Interval[] = ['monthly', 'monthly', 'quarterly', 'half-yearly', 'yearly'];
const FAULTS: readonly Fault[] = [
  ...(['none', 'none', 'none', 'none', 'lost_answer', 'lost_answer'] as const),
  ...(['killed_before', 'killed_after', 'overtaken_before', 'overtaken_after'] as const),
];
const DECISIONS: readonly Decision[] = ['approve', 'approve', 'soft', 'soft', 'soft', 'hard'];

const EVERYTHING: Theme = {
  name: 'everything',
  weights: {},
  methods: EVERY_METHOD,
  intervals: INTERVALS,
  waitsOneIn: 3,
  hasGoodCards: false,
  maxDays: 50,
  faults: FAULTS,
  decisions: DECISIONS,
};

/** Each seed has the theme after that of the seed before. */
export function themeOf(seed: number): Theme {
  return THEMES[seed % THEMES.length]!;
}

const THEMES: readonly Theme[] = [
  EVERYTHING,
  {
    ...EVERYTHING,
    name: 'prices and plans',
    weights: { 'change the plan': 34, 'change the offers': 8, advance: 26, outage: 2, script: 1, cancel: 1 },
    waitsOneIn: 12,
    hasGoodCards: true,
    maxDays: 25,
    methods: ['credit_card', 'credit_card', 'credit_card', 'bank_slip', 'pix_recurring'],
    faults: ['none', 'none', 'none', 'none', 'lost_answer', 'killed_after'],
    decisions: ['approve', 'soft', 'hard'],
  },
  {
    ...EVERYTHING,
    name: 'refused charges',
    weights: { script: 14, advance: 20, 'change the plan': 3, 'change the payment method': 6, refund: 1 },
    methods: CARD_AND_MANDATE,
    intervals: ['monthly'],
    waitsOneIn: 6,
    maxDays: 12,
    decisions: ['approve', 'soft', 'soft', 'soft', 'soft', 'hard'],
  },
  {
    ...EVERYTHING,
    name: 'retries by a mandate',
    weights: {
      script: 16,
      'authorize the mandate': 16,
      advance: 24,
      outage: 8,
      'change the plan': 1,
      cancel: 1,
    },
    methods: ['pix_recurring'],
    intervals: ['monthly'],
    waitsOneIn: 12,
    maxDays: 34,
    decisions: ['approve', 'soft', 'soft', 'soft', 'soft', 'soft', 'soft', 'soft'],
  },
  {
    ...EVERYTHING,
    name: 'boletos and Pix paid late',
    weights: { pay: 14, advance: 24, race: 3, cancel: 4, reactivate: 5, 'change the plan': 2 },
    methods: ['bank_slip', 'bank_slip', 'pix'],
    intervals: ['monthly'],
    waitsOneIn: 8,
    maxDays: 12,
  },
  {
    ...EVERYTHING,
    name: 'money returned',
    weights: { refund: 12, dispute: 8, notify: 6, race: 4, 'change the plan': 4 },
    methods: ['credit_card', 'browser_wallet', 'pix', 'bank_slip', 'pix_recurring'],
    waitsOneIn: 8,
  },
  {
    ...EVERYTHING,
    name: 'races',
    weights: { race: 20, advance: 14, pay: 14, approve: 20, 'change the plan': 2, suspend: 0 },
    faults: ['none'],
  },
  {
    ...EVERYTHING,
    name: 'outages',
    weights: { outage: 20, work: 8, reconcile: 6, advance: 4, 'authorize the mandate': 10 },
    intervals: ['monthly'],
    maxDays: 80,
  },
  {
    ...EVERYTHING,
    name: 'payment methods',
    weights: { 'change the payment method': 18, 'authorize the mandate': 14, pay: 14, 'change the plan': 3 },
    maxDays: 34,
  },
  {
    ...EVERYTHING,
    name: 'ends',
    weights: {
      cancel: 10,
      reactivate: 14,
      advance: 18,
      script: 12,
      'end the mandate': 3,
      'change the plan': 2,
    },
    methods: ['credit_card', 'credit_card', 'credit_card', 'bank_slip', 'pix', 'pix_recurring'],
    intervals: ['monthly'],
    waitsOneIn: 12,
    hasGoodCards: true,
    maxDays: 20,
    faults: ['none', 'none', 'none', 'none', 'lost_answer', 'killed_before'],
    decisions: ['approve', 'soft', 'soft', 'soft', 'hard'],
  },
];
