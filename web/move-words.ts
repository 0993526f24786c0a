/**
 * A label for each move of a payment or subscription in the diagrams. A move from one status can have its own label.
 */
const WORDS: Readonly<Record<string, string>> = {
  await_payment: 'Pix is registered',
  pre_authorize: 'amount is reserved',
  authorize: 'card is authorized',
  settle: 'money arrives',
  'settle AUTHORIZED': 'money is captured',
  'settle waiting_payment': 'buyer pays',
  'settle processing': 'outcome is known',
  'settle expired': 'late money arrives',
  offer_code: 'QR code or barcode arrives',
  authorize_mandate: 'mandate is authorized',
  send: 'charge is sent',
  settle_first: 'first charge is paid',
  'settle_first expired': 'late money arrives',
  settle_recurring: 'charge is paid',
  'settle_recurring expired': 'late money arrives',
  refuse: 'payment is refused',
  suspect_fraud: 'fraud is suspected',
  mark_capture_unknown: 'capture gets no answer',
  capture: 'capture succeeds',
  fail_capture: 'capture fails',
  mark_void_unknown: 'cancellation gets no answer',
  fail_void: 'cancellation fails',
  repeat_unknown_step: 'automatic request is repeated',
  mark_cancel_unknown: 'cancellation gets no answer',
  fail_cancel: 'cancellation fails',
  fail_unknown_cancel_again: 'cancellation fails again',
  repeat_unknown_cancel: 'cancellation is repeated',
  cancel: 'payment is canceled',
  drop: 'scheduled charge is dropped',
  expire: 'time runs out',
  request_refund: 'refund is requested',
  complete_refund: 'refund succeeds',
  deny_refund: 'refund is denied',
  request_chargeback: 'buyer disputes',
  dispute_chargeback: 'dispute continues',
  win_chargeback: 'dispute is won',
  lose_chargeback: 'dispute is lost',
  settle_cycle: 'money is captured',
  activate: 'charge succeeds',
  fall_behind: 'charge fails',
  give_up: 'no retry is left',
  'cancel active': 'merchant cancels',
  reactivate: 'merchant reactivates',
  end: 'access ends',
  complete: 'last cycle ends',
  revoke: 'refund or lost dispute',
  start_trial: 'payer authorizes the mandate',
  cancel_mandate: 'merchant or payer cancels',
  'end payment_pending': 'QR code expires',
  authorize_of_mandate: 'payer authorizes',
  reject_of_mandate: 'payer refuses',
  expire_of_mandate: 'QR code expires',
  cancel_of_mandate: 'merchant or payer cancels',
};

/** The label of a move; without one, its name with spaces. */
export function wordsOf(move: string, from?: string): string {
  return WORDS[`${move} ${from}`] ?? WORDS[move] ?? move.replaceAll('_', ' ');
}

/** Whether a move has a label. */
export function hasWords(move: string): boolean {
  return move in WORDS;
}
