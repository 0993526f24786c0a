import { moveOffer } from '../../services/products/move-offer.ts';
import type { Handler } from '../http/handler.ts';
import { offerAnswer } from './offer-answer.ts';

export const restoreOffer: Handler<'restoreOffer'> = ({ deps, merchant, path, answer }) =>
  moveOffer(
    deps,
    merchant,
    { id: path.id, move: 'restore' },
    answer((offer) => ({ status: 200, body: offerAnswer(deps, offer) })),
  );
