import { startWalletSession } from '../../services/wallet/start-session.ts';
import { asRefusal, OperationFailed } from '../http/errors.ts';
import { openHandler } from '../http/handler.ts';

/** Requests per minute (contract row 13.20). */
const ADDRESS_LIMIT = 60;
const DOMAIN_LIMIT = 600;

const SERVER_ERROR = 'The wallet session validation failed due to a server error.';

export const validateWalletSession = openHandler<'validateWalletSession'>(
  ADDRESS_LIMIT,
  async ({ deps, body, limitTo }) => {
    const input = { validationUrl: body.validationURL, domainName: body.domainName };
    const limitDomain = ({ domainId, ...scope }: { slot: number; merchantId: string; domainId: string }) =>
      limitTo(DOMAIN_LIMIT, scope, domainId);
    const session = await startWalletSession(deps, input, limitDomain).catch((error: unknown) => {
      throw asRefusal(error) === undefined ? new OperationFailed(SERVER_ERROR, error) : error;
    });
    return { status: 200, body: { sessionData: { ...session } } };
  },
);
