import fc from 'fast-check';
import { fitsAmount, type SplitLine } from '../../../domain/ledger/split.ts';

/** A line without flags, of the recipient `r1`, `r2` … */
export function splitLine(
  number: number,
  type: SplitLine['type'],
  value: number,
  flags: Partial<SplitLine> = {},
): SplitLine {
  return {
    recipientId: `r${number}`,
    type,
    value,
    bearsFee: false,
    takesRemainder: false,
    isLiable: false,
    ...flags,
  };
}

const ANY_AMOUNT = fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 2 ** 40 }));
const ANY_LINES = (amount_centavos: number) =>
  fc
    .array(
      fc.record(
        {
          share: fc.oneof(
            fc.record({ type: fc.constant('percentage' as const), value: fc.integer({ min: 1, max: 34 }) }),
            fc.record({ type: fc.constant('percentage' as const), value: fc.integer({ min: 1, max: 100 }) }),
            fc.record({
              type: fc.constant('fixed' as const),
              value: fc.integer({ min: 1, max: amount_centavos }),
            }),
          ),
          bearsFee: fc.boolean(),
          takesRemainder: fc.boolean(),
          isLiable: fc.boolean(),
        },
        { noNullPrototype: true },
      ),
      { maxLength: 20 },
    )
    .map((lines) =>
      lines.map(({ share: { type, value }, ...flags }, at) => splitLine(at, type, value, flags)),
    );

/** An amount, a fee that is not more, and a split that fits: lines that do not are left out. */
export const SPLIT_PAYMENT = ANY_AMOUNT.chain((amount_centavos) =>
  fc.record(
    {
      amount_centavos: fc.constant(amount_centavos),
      fee_centavos: fc.oneof(fc.nat(Math.ceil(amount_centavos / 20)), fc.nat(amount_centavos)),
      lines: ANY_LINES(amount_centavos).map((lines) => fitting(lines, amount_centavos)),
    },
    { noNullPrototype: true },
  ),
);

function fitting(lines: readonly SplitLine[], amount_centavos: number): SplitLine[] {
  const taken: SplitLine[] = [];
  for (const line of lines) if (fitsAmount([...taken, line], amount_centavos)) taken.push(line);
  return taken;
}
