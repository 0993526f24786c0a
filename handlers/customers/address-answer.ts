import type { Address } from '../../domain/contact.ts';
import { withoutControls } from '../../domain/text.ts';
import { type WireWords, wireWords } from '../words.ts';

/** An address as in the contract, which refuses control characters today. */
export function addressAnswer(address: Address): WireWords<Address> {
  const { line1, line2, number, neighborhood, city, state } = address;
  return wireWords({
    ...address,
    line1: withoutControls(line1),
    ...(line2 !== undefined && { line2: withoutControls(line2) }),
    number: withoutControls(number),
    neighborhood: withoutControls(neighborhood),
    city: withoutControls(city),
    state: withoutControls(state).padEnd(2, '-'),
  });
}
