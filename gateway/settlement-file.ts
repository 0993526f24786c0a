import { SETTLEMENT_TYPES, type SettlementLine } from '../domain/ledger/settlement.ts';

/** A settlement file that cannot be read. The message says which line is wrong. */
export class MalformedFile extends Error {}

/*
 * The acquirer's list of a day's captures, refunds and disputes: a CSV file in UTF-8 with a header and one line for
 * each movement. No field needs quotes. Amounts are positive integer centavos, times are ISO 8601 with their offset.
 *
 * The reference is ours of the payment, or of the refund. A `dispute` with the reference of a refund adds its amount to
 * the dispute of the payment, because the refund was denied after the dispute was opened without its amount.
 */
const HEADER = 'reference,type,amount,occurred_at';

/** The text of a settlement file. */
export function writeSettlementFile(lines: readonly SettlementLine[]): string {
  const rows = lines.map(({ reference, type, amount_centavos, occurredAt }) =>
    [reference, type, amount_centavos, occurredAt.toISOString()].join(','),
  );
  return `${[HEADER, ...rows].join('\n')}\n`;
}

/** The lines of a settlement file. Throws `MalformedFile`. */
export function readSettlementFile(text: string): SettlementLine[] {
  const [header, ...rows] = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((row) => row.trim());
  if (header !== HEADER) throw new MalformedFile(`The first line must be ${HEADER}.`);
  return rows.flatMap((row, at) => (row === '' ? [] : [readLine(row, at + 2)]));
}

function readLine(row: string, number: number): SettlementLine {
  const fields = row.split(',').map((field) => field.trim());
  const [reference = '', name, amount = '', time = ''] = fields;
  const type = SETTLEMENT_TYPES.find((known) => known === name);
  const occurredAt = new Date(/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:?\d\d)$/.test(time) ? time : Number.NaN);
  const problem =
    fields.length !== 4
      ? 'must have 4 fields'
      : !/^[a-z0-9]{1,64}$/i.test(reference)
        ? 'has no valid reference'
        : type === undefined
          ? `must have one of the types ${SETTLEMENT_TYPES.join(', ')}`
          : !/^[1-9][0-9]{0,14}$/.test(amount)
            ? 'must have an amount in centavos, more than 0'
            : Number.isNaN(occurredAt.getTime())
              ? 'must have a time with its offset'
              : null;
  if (problem !== null) throw new MalformedFile(`Line ${number} ${problem}.`);
  return { reference, type: type!, amount_centavos: Number(amount), occurredAt };
}
