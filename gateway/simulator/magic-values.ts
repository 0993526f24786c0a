import type { BehaviourName } from './behaviours.ts';

/**
 * A card number, a CPF, or the amount of a Pix or boleto that decides how the simulated acquirer behaves (contract row
 * 10.1). Times in a description are the merchant's. The documentation prints this table.
 */
export interface MagicValue {
  readonly kind: 'card' | 'amount' | 'document';
  /** Card number, amount in centavos, or CPF. */
  readonly value: string;
  readonly behaviour: BehaviourName;
  readonly description: string;
}

type Row = readonly [value: string, behaviour: BehaviourName, description: string];

const CARDS: readonly Row[] = [
  ['4242424242424242', 'approve', 'Approved. Numbers that are not listed here are approved too.'],
  ['4000000000000002', 'do_not_honor', 'Refused: `do_not_honor`. May be retried.'],
  ['4000000000009995', 'insufficient_funds', 'Refused: `insufficient_funds`. May be retried.'],
  ['4000000000000119', 'processing_error', 'Refused: `processing_error`. May be retried.'],
  ['4000000000006975', 'limit_exceeded', 'Refused: `limit_exceeded`. May be retried.'],
  ['4000000000000069', 'expired_card', 'Refused: `expired_card`.'],
  ['4000000000000127', 'invalid_security_code', 'Refused: `invalid_security_code`.'],
  ['4000000000009987', 'lost_card', 'Refused: `lost_card`.'],
  ['4000000000009979', 'stolen_card', 'Refused: `stolen_card`.'],
  ['4000000000001109', 'account_closed', 'Refused: `account_closed`.'],
  ['4100000000000019', 'fraud', 'Refused because of suspected fraud.'],
  [
    '4000000000000341',
    'do_not_honor',
    'Can be stored, but every charge is refused: `do_not_honor`. May be retried.',
  ],
  [
    '4000000000001117',
    'time_out',
    'Authorized, but the answer is lost. The service finds out the outcome later.',
  ],
  ['4000000000001125', 'time_out_lost', 'The request does not reach the acquirer: nothing is authorized.'],
  ['4000000000001133', 'approve_late', 'Approved 10 seconds later, by notification.'],
  ['4000000000001141', 'refuse_late', 'Refused 10 seconds later, by notification: `do_not_honor`.'],
  [
    '4000000000001158',
    'notified_twice',
    'Approved; the acquirer also notifies each step twice, once before it answers.',
  ],
  [
    '4000000000001166',
    'fraud_later',
    'Authorized; suspected of fraud 10 seconds later, unless it is captured before.',
  ],
  ['4000000000001174', 'capture_fails', 'Authorized; a later capture is refused.'],
  ['4000000000001182', 'capture_late', 'Authorized; a later capture succeeds 10 seconds after its request.'],
  ['4000000000001190', 'capture_times_out', 'Authorized; the answer to a later capture is lost.'],
  ['4000000000001208', 'cancel_fails', 'Authorized; a cancellation is refused.'],
  [
    '4000000000001216',
    'cancel_late',
    'Authorized; a cancellation is confirmed 10 seconds after its request.',
  ],
  [
    '4000000000001224',
    'cancel_fails_late',
    'Authorized; a cancellation is refused 10 seconds after its request.',
  ],
  ['4000000000001232', 'cancel_times_out', 'Authorized; the answer to a cancellation is lost.'],
  ['4000000000001240', 'refund_fails', 'Approved; every refund is denied at once.'],
  ['4000000000007726', 'refund_late', 'Approved; a refund succeeds 1 day after its request.'],
  ['4000000000005126', 'refund_fails_late', 'Approved; a refund is denied 1 day after its request.'],
  ['4000000000001257', 'refund_times_out', 'Approved; the answer to a refund is lost.'],
  ['4000000000000259', 'disputed', 'Approved; the buyer disputes the charge 2 days after it was paid.'],
  [
    '4000000000001265',
    'disputed_won',
    'Approved; disputed after 2 days, and you win the dispute after 2 more.',
  ],
  [
    '4000000000001273',
    'disputed_lost',
    'Approved; disputed after 2 days, and you lose the dispute after 2 more.',
  ],
  ['4000000000001281', 'network_token_fails', 'Approved; the request of a network token is refused.'],
  [
    '4000000000001299',
    'card_renewed',
    'Approved; on the first day of the month in which the card expires, the issuer renews it for 4 years.',
  ],
  [
    '4000000000001307',
    'card_replaced',
    'Approved; 10 days after its network token was issued, the issuer replaces the card by one that ends in 6307 and expires 4 years later.',
  ],
];

const AMOUNTS: readonly Row[] = [
  ['99990001', 'pays_itself', 'Paid automatically after 10 seconds.'],
  ['99990002', 'processing_error', 'The charge is refused: `processing_error`.'],
  ['99990003', 'expires_early', 'Expires after 10 seconds, even if its `expires_at` is later.'],
  ['99990004', 'refused_unpaid', 'Refused after 10 seconds: `processing_error`.'],
  ['99990005', 'time_out', 'Registered, but the answer is lost. The service finds out the outcome later.'],
  ['99990006', 'time_out_lost', 'The request does not reach the acquirer: nothing is registered.'],
  ['99990007', 'disputed', 'Paid after 10 seconds; the buyer disputes a Pix 2 days later, but not a boleto.'],
  [
    '99990008',
    'disputed_won',
    'Paid after 10 seconds; a Pix is disputed after 2 days, and you win the dispute after 2 more.',
  ],
  [
    '99990009',
    'disputed_lost',
    'Paid after 10 seconds; a Pix is disputed after 2 days, and you lose the dispute after 2 more.',
  ],
  ['99990010', 'refund_fails', 'Paid after 10 seconds; every refund is denied at once.'],
  ['99990011', 'refund_late', 'Paid after 10 seconds; a refund succeeds 1 day after its request.'],
  ['99990012', 'refund_fails_late', 'Paid after 10 seconds; a refund is denied 1 day after its request.'],
  ['99990013', 'refund_times_out', 'Paid after 10 seconds; the answer to a refund is lost.'],
  ['99990014', 'notified_twice', 'Paid after 10 seconds; the notification arrives twice.'],
  ['99990015', 'cancel_fails', 'Registered; a cancellation is refused.'],
];

const DOCUMENTS: readonly Row[] = [
  [
    '99990000107',
    'pays_itself',
    'Approved; a Pix or boleto is paid, and a mandate of Pix Automático authorized, automatically after 10 seconds.',
  ],
  ['99990000298', 'do_not_honor', 'Refused: `do_not_honor`. May be retried.'],
  ['99990000379', 'insufficient_funds', 'Refused: `insufficient_funds`. May be retried.'],
  ['99990000450', 'processing_error', 'Refused: `processing_error`. May be retried.'],
  ['99990000530', 'limit_exceeded', 'Refused: `limit_exceeded`. May be retried.'],
  ['99990000611', 'account_closed', 'Refused: `account_closed`.'],
  ['99990000700', 'fraud', 'Refused because of suspected fraud.'],
  ['99990000883', 'time_out', 'Accepted, but the answer is lost. The service finds out the outcome later.'],
  [
    '99990000964',
    'disputed',
    'Paid (a Pix or boleto automatically after 10 seconds); a card or Pix is disputed 2 days later.',
  ],
  [
    '99990001006',
    'refund_fails',
    'Paid (a Pix or boleto automatically after 10 seconds); every refund is denied at once.',
  ],
  [
    '99990001189',
    'mandate_rejected',
    'The payer rejects a mandate of Pix Automático after 10 seconds: `AP13`.',
  ],
  [
    '99990001260',
    'recurring_refused',
    'The payer authorizes a mandate of Pix Automático after 10 seconds; each later charge is refused: `AM02`. May be retried.',
  ],
  [
    '99990001340',
    'recurring_refused_finally',
    'The payer authorizes a mandate of Pix Automático after 10 seconds; each later charge is refused: `AC05`.',
  ],
];

/**
 * All magic values. If several apply, a script takes precedence over them, then the amount, the card number and the
 * document, in this order.
 */
export const MAGIC_VALUES: readonly MagicValue[] = [
  ...CARDS.map((row) => magicValue('card', row)),
  ...AMOUNTS.map((row) => magicValue('amount', row)),
  ...DOCUMENTS.map((row) => magicValue('document', row)),
];

function magicValue(kind: MagicValue['kind'], [value, behaviour, description]: Row): MagicValue {
  return { kind, value, behaviour, description };
}

/** Without the values of the behaviour `approve`: the other values of the request then decide. */
const BEHAVIOUR_OF = new Map(
  MAGIC_VALUES.filter(({ behaviour }) => behaviour !== 'approve').map(({ kind, value, behaviour }) => [
    `${kind} ${value}`,
    behaviour,
  ]),
);

/** The order in which the values of a request decide. */
const PRECEDENCE = ['amount', 'card', 'document'] as const satisfies readonly MagicValue['kind'][];

/** The behaviour that a request chooses by its values. */
export function chooseBehaviour(
  values: Readonly<Partial<Record<MagicValue['kind'], string | null>>>,
): BehaviourName {
  const chosen = PRECEDENCE.map((kind) => BEHAVIOUR_OF.get(`${kind} ${values[kind]}`));
  return chosen.find((behaviour) => behaviour !== undefined) ?? 'approve';
}
