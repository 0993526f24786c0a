import { createWalletSession as create } from '../../services/sandbox/create-wallet-session.ts';
import type { Handler } from '../http/handler.ts';

export const createWalletSession: Handler<'createWalletSession'> = ({ deps, merchant, body, answer }) =>
  create(
    deps,
    merchant,
    { domainName: body.domain_name },
    answer(({ validationUrl }) => ({ status: 201, body: { validationURL: validationUrl } })),
  );
