import { moveOffer } from '../../services/products/move-offer.ts';
import type { Handler } from '../http/handler.ts';
import { offerAnswer } from './offer-answer.ts';

export const archiveOffer: Handler<'archiveOffer'> = ({ deps, merchant, path, answer }) =>
  moveOffer(
    deps,
    merchant,
    { id: path.id, move: 'archive' },
    answer((offer) => ({ status: 200, body: offerAnswer(deps, offer) })),
  );
