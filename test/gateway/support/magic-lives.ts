/** What a tester sees of a value: the answer to each call, and the notifications of the ten days after. */
export interface Life {
  readonly open?: string;
  readonly capture?: string;
  readonly refund?: string;
  readonly cancel?: string;
  readonly notified?: Readonly<Record<string, number>>;
}

export const LOST_APPROVED = 'unknown, then approved';
const LOST = 'unknown, then not_found';
const GOOD: Life = {
  open: 'approved',
  capture: 'approved',
  refund: 'approved',
  cancel: 'approved',
  notified: {},
};

export const CARDS: Readonly<Record<string, Life>> = {
  '4242424242424242': GOOD,
  '4000000000000002': { open: 'do_not_honor' },
  '4000000000009995': { open: 'insufficient_funds' },
  '4000000000000119': { open: 'processing_error' },
  '4000000000006975': { open: 'limit_exceeded' },
  '4000000000000069': { open: 'expired_card' },
  '4000000000000127': { open: 'invalid_security_code' },
  '4000000000009987': { open: 'lost_card' },
  '4000000000009979': { open: 'stolen_card' },
  '4000000000001109': { open: 'account_closed' },
  '4100000000000019': { open: 'fraud' },
  '4000000000000341': { open: 'do_not_honor' },
  '4000000000001117': { ...GOOD, open: LOST_APPROVED },
  '4000000000001125': { open: LOST },
  '4000000000001133': { open: 'pending', notified: { 'authorization.approved': 1 } },
  '4000000000001141': { open: 'pending', notified: { 'authorization.refused': 1 } },
  '4000000000001158': {
    ...GOOD,
    notified: {
      'authorization.approved': 6,
      'capture.approved': 2,
      'refund.approved': 2,
      'cancel.approved': 2,
    },
  },
  '4000000000001166': { ...GOOD, notified: { 'authorization.fraud_detected': 1 } },
  '4000000000001174': { ...GOOD, capture: 'processing_error', refund: 'not_refundable' },
  '4000000000001182': {
    ...GOOD,
    capture: 'pending',
    refund: 'not_refundable',
    notified: { 'capture.approved': 1 },
  },
  '4000000000001190': { ...GOOD, capture: LOST_APPROVED },
  '4000000000001208': { ...GOOD, cancel: 'processing_error' },
  '4000000000001216': { ...GOOD, cancel: 'pending', notified: { 'cancel.approved': 1 } },
  '4000000000001224': { ...GOOD, cancel: 'pending', notified: { 'cancel.refused': 1 } },
  '4000000000001232': { ...GOOD, cancel: LOST_APPROVED },
  '4000000000001240': { ...GOOD, refund: 'processing_error' },
  '4000000000007726': { ...GOOD, refund: 'pending', notified: { 'refund.approved': 1 } },
  '4000000000005126': { ...GOOD, refund: 'pending', notified: { 'refund.refused': 1 } },
  '4000000000001257': { ...GOOD, refund: LOST_APPROVED },
  '4000000000000259': { ...GOOD, notified: { 'chargeback.requested': 1 } },
  '4000000000001265': { ...GOOD, notified: { 'chargeback.requested': 1, 'chargeback.won': 1 } },
  '4000000000001273': { ...GOOD, notified: { 'chargeback.requested': 1, 'chargeback.lost': 1 } },
  '4000000000001281': GOOD,
  '4000000000001299': GOOD,
  '4000000000001307': GOOD,
};

const PAID: Life = { open: 'approved', refund: 'approved', cancel: 'approved', notified: { 'pix.paid': 1 } };
const UNPAID: Life = { ...PAID, refund: 'not_refundable' };

export const PIX_AMOUNTS: Readonly<Record<string, Life>> = {
  '99990001': PAID,
  '99990002': { open: 'processing_error' },
  '99990003': { ...UNPAID, notified: { 'pix.expired': 1 } },
  '99990004': { ...UNPAID, notified: { 'pix.refused': 1 } },
  '99990005': { ...UNPAID, open: LOST_APPROVED, notified: { 'pix.expired': 1 } },
  '99990006': { open: LOST },
  '99990007': { ...PAID, notified: { 'pix.paid': 1, 'chargeback.requested': 1 } },
  '99990008': { ...PAID, notified: { 'pix.paid': 1, 'chargeback.requested': 1, 'chargeback.won': 1 } },
  '99990009': { ...PAID, notified: { 'pix.paid': 1, 'chargeback.requested': 1, 'chargeback.lost': 1 } },
  '99990010': { ...PAID, refund: 'processing_error' },
  '99990011': { ...PAID, refund: 'pending', notified: { 'pix.paid': 1, 'refund.approved': 1 } },
  '99990012': { ...PAID, refund: 'pending', notified: { 'pix.paid': 1, 'refund.refused': 1 } },
  '99990013': { ...PAID, refund: LOST_APPROVED },
  '99990014': {
    ...PAID,
    notified: { 'pix.paid': 2, 'refund.approved': 2, 'cancel.approved': 2 },
  },
  '99990015': { ...UNPAID, cancel: 'processing_error', notified: { 'pix.expired': 2 } },
};

export const DOCUMENTS: Readonly<Record<string, { card: string; pix: string; notified?: Life['notified'] }>> =
  {
    '99990000107': { card: 'approved', pix: 'approved', notified: { 'pix.paid': 1 } },
    '99990000298': { card: 'do_not_honor', pix: 'do_not_honor' },
    '99990000379': { card: 'insufficient_funds', pix: 'insufficient_funds' },
    '99990000450': { card: 'processing_error', pix: 'processing_error' },
    '99990000530': { card: 'limit_exceeded', pix: 'limit_exceeded' },
    '99990000611': { card: 'account_closed', pix: 'account_closed' },
    '99990000700': { card: 'fraud', pix: 'fraud' },
    '99990000883': { card: LOST_APPROVED, pix: LOST_APPROVED, notified: { 'pix.expired': 1 } },
    '99990000964': {
      card: 'approved',
      pix: 'approved',
      notified: { 'pix.paid': 1, 'chargeback.requested': 2 },
    },
    '99990001006': { card: 'approved', pix: 'approved', notified: { 'pix.paid': 1 } },
    // Their payers decide about mandates only.
    '99990001189': { card: 'approved', pix: 'approved', notified: { 'pix.expired': 1 } },
    '99990001260': { card: 'approved', pix: 'approved', notified: { 'pix.expired': 1 } },
    '99990001340': { card: 'approved', pix: 'approved', notified: { 'pix.expired': 1 } },
  };
