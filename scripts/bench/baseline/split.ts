import { randomBytes } from 'node:crypto';
import type { PoolClient } from 'pg';
import { addDays } from '../../../domain/business-days.ts';
import { uuidV7 } from '../../../domain/identifiers.ts';
import { type SplitLine, splitAmount } from '../../../domain/ledger/split.ts';
import type { Caller } from './caller.ts';
import { LOCK_RECIPIENTS, POST_SPLIT } from './split-statements.ts';

/** A line of a split as a request has it, with the number of its recipient. */
export interface SplitBody {
  readonly recipient_id: number;
  readonly type: 'fixed' | 'percentage';
  readonly amount: number;
  readonly allow_charge_processing_fee?: boolean;
  readonly allow_charge_remainder_fee?: boolean;
  readonly is_liable?: boolean;
}

const DAYS_TO_AVAILABLE = 30;
const NO_RECIPIENT = '00000000-0000-0000-0000-000000000000';

/** The lines with their recipients, which are locked. Undefined if one is not there or not approved. */
export async function lockLines(
  client: PoolClient,
  { slot, merchant_id }: Caller,
  split: readonly SplitBody[],
): Promise<SplitLine[] | undefined> {
  const numbers = split.map((line) => line.recipient_id);
  const { rows } = await client.query({ ...LOCK_RECIPIENTS, values: [slot, merchant_id, numbers] });
  const ids = new Map(rows.map((row) => [row.number, row.id]));
  if (ids.size !== split.length) return undefined;
  return split.map((line) => ({
    recipientId: ids.get(line.recipient_id),
    type: line.type,
    value: line.amount,
    bearsFee: line.allow_charge_processing_fee ?? false,
    takesRemainder: line.allow_charge_remainder_fee ?? false,
    isLiable: line.is_liable ?? false,
  }));
}

/** The value of the column `split`: before the capture without fees, after it with the fee of each share. */
export function splitColumn(
  split: readonly SplitBody[],
  lines: readonly SplitLine[],
  amount_centavos: number,
  fee_centavos: number | null,
): string {
  const { shares } = splitAmount(amount_centavos, fee_centavos ?? 0, lines);
  return JSON.stringify(
    lines.map((line, i) => ({
      recipient: split[i]!.recipient_id,
      recipient_id: line.recipientId,
      type: line.type,
      value: line.value,
      bears_fee: line.bearsFee,
      takes_remainder: line.takesRemainder,
      is_liable: line.isLiable,
      share_centavos: shares[i]!.share_centavos,
      fee_centavos: fee_centavos === null ? null : shares[i]!.fee_centavos,
    })),
  );
}

/** Writes the ledger of a capture that is split: a transfer for each share and each fee, and the balances. */
export async function postSplit(
  client: PoolClient,
  { slot, merchant_id }: Caller,
  // biome-ignore lint/suspicious/noExplicitAny: a row as pg returns it
  { id, amount_centavos, reference }: any,
  lines: readonly SplitLine[],
  { fee, day, at }: { readonly fee: number; readonly day: string; readonly at: Date },
): Promise<void> {
  const { shares, merchant_centavos, merchantFee_centavos } = splitAmount(amount_centavos, fee, lines);
  const parties = [
    {
      recipientId: null as string | null,
      share_centavos: merchant_centavos,
      fee_centavos: merchantFee_centavos,
    },
    ...shares,
  ];
  const transfers = parties.flatMap(({ recipientId, share_centavos, fee_centavos }) => {
    const account = recipientId === null ? 'merchant' : 'recipient';
    return [
      ['capture', 'acquirer_receivable', account, recipientId, share_centavos] as const,
      ['fee', account, 'platform_fees', recipientId, fee_centavos] as const,
    ].filter(([, , , , centavos]) => centavos > 0);
  });
  const balances = parties
    .map((party) => ({
      account: party.recipientId === null ? 'merchant' : 'recipient',
      recipientId: party.recipientId ?? NO_RECIPIENT,
      change: party.share_centavos - party.fee_centavos,
    }))
    .filter(({ change }) => change !== 0)
    .sort((one, other) => (one.account + one.recipientId < other.account + other.recipientId ? -1 : 1));
  const newId = () => uuidV7(at.getTime(), randomBytes);
  await client.query({
    ...POST_SPLIT,
    values: [
      slot,
      merchant_id,
      at,
      newId(),
      id,
      reference,
      addDays(day, DAYS_TO_AVAILABLE),
      Number.parseInt(id.at(-1), 16),
      // An id of a transfer ends in an even digit.
      transfers.map(() => newId().replace(/.$/, (digit) => (Number.parseInt(digit, 16) & 14).toString(16))),
      transfers.map(([kind]) => kind),
      transfers.map(([, debit]) => debit),
      transfers.map(([, , credit]) => credit),
      transfers.map(([, , , recipientId]) => recipientId),
      transfers.map(([, , , , centavos]) => centavos),
      balances.map(({ account }) => account),
      balances.map(({ recipientId }) => recipientId),
      balances.map(({ change }) => change),
    ],
  });
}
