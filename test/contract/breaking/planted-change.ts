import type { Kind } from '../../../scripts/breaking/change.ts';
import type { Json } from '../../support/service.ts';

/** A breaking change, and a compatible one that resembles it. */
export interface Planted {
  readonly kind: Kind;
  readonly where: string;
  readonly change: (contract: Json) => void;
  readonly harmless: (contract: Json) => void;
}

/** A row of the tables. */
export function at(
  kind: Kind,
  where: string,
  change: Planted['change'],
  harmless: Planted['harmless'],
): Planted {
  return { kind, where, change, harmless };
}
