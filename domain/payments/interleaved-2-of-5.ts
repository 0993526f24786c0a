/** Interleaved 2 of 5 (ISO/IEC 16390), the symbology of a boleto's barcode. */

const NARROW = 1;
const WIDE = 3;

/** Which of the five elements of a digit are wide (`w`): two each. */
const DIGITS = ['nnwwn', 'wnnnw', 'nwnnw', 'wwnnn', 'nnwnw', 'wnwnn', 'nwwnn', 'nnnww', 'wnnwn', 'nwnwn'];
const START = 'nnnn';
const STOP = 'wnn';

/**
 * The widths of the bars and spaces, alternating and starting with a bar, in modules. A digit takes nine modules, so
 * the 44 digits of a boleto take 405: at 103 mm, as FEBRABAN prescribes, a module is 0.254 mm. Throws a RangeError
 * unless the number of digits is even.
 */
export function interleaved2of5(digits: string): number[] {
  if (!/^([0-9]{2})+$/.test(digits)) throw new RangeError('Not an even number of digits.');
  const pairs = digits.match(/../g)!.map(interleave);
  return [...`${START}${pairs.join('')}${STOP}`].map((element) => (element === 'w' ? WIDE : NARROW));
}

/** The bars of a pair are the elements of its first digit, the spaces those of its second. */
function interleave(pair: string): string {
  const [bars, spaces] = [DIGITS[Number(pair[0])]!, DIGITS[Number(pair[1])]!];
  return [...bars].map((bar, at) => bar + spaces[at]).join('');
}
