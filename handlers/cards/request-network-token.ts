import { requestNetworkToken as requestNetworkTokenService } from '../../services/cards/request-network-token.ts';
import type { Handler } from '../http/handler.ts';
import { cardAnswer } from './card-answer.ts';

export const requestNetworkToken: Handler<'requestNetworkToken'> = ({ deps, merchant, path, answer }) =>
  requestNetworkTokenService(
    deps,
    merchant,
    path.uuid,
    answer((card) => ({ status: 200, body: cardAnswer(card) })),
  );
