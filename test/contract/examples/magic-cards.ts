/** Magic cards and an amount of the sandbox, by their effect (gateway/simulator/magic-values.ts). */
export const NO_FUNDS = '4000000000009995';
export const FRAUD = '4100000000000019';
export const CAPTURE_FAILS = '4000000000001174';
export const CANCEL_FAILS = '4000000000001208';
export const REFUND_LATE = '4000000000007726';
export const PIX_REFUND_FAILS = 99_990_010;
