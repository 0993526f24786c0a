import { utcMicros } from '../../domain/local-time.ts';
import { createWalletToken as create } from '../../services/sandbox/create-wallet-token.ts';
import type { Handler } from '../http/handler.ts';

export const createWalletToken: Handler<'createWalletToken'> = ({ deps, merchant, body, answer }) =>
  create(
    deps,
    merchant,
    { domainName: body.domain_name, number: body.number ?? null },
    answer(({ token, expiresAt }) => ({
      status: 201,
      body: { browser_wallet_token: token, expires_at: utcMicros(expiresAt) },
    })),
  );
