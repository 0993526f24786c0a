import type { Recipe, RecipesOf, Scene } from '../recipe.ts';
import { guarded, overloaded, oversize, plainText, unknownId, unknownParameter } from '../refusals.ts';
import { actionAnswers, createAnswers, listAnswers, readAnswers } from '../usual-answers.ts';

/** The domain of the examples, registered again. */
export async function registered({ merchant, exampleOf }: Scene) {
  const { data } = await merchant.call('GET', '/mobile-wallet/domains?per_page=100');
  for (const { id } of data) await merchant.call('DELETE', `/mobile-wallet/domains/${id}`);
  return merchant.call('POST', '/mobile-wallet/domains', { body: exampleOf('createWalletDomain') });
}

async function verified(scene: Scene) {
  const { id } = await registered(scene);
  return scene.merchant.call('POST', `/mobile-wallet/domains/${id}/verify`);
}

const create: Recipe = async (scene) => {
  const { id } = await registered(scene);
  await scene.merchant.call('DELETE', `/mobile-wallet/domains/${id}`);
  return {};
};

const again: Recipe = async (scene) => ({ body: { domain_name: (await registered(scene)).domain_name } });

const one: Recipe = async (scene) => ({ path: { id: (await verified(scene)).id } });

const list: Recipe = async (scene) => {
  await verified(scene);
  return { query: { per_page: '20' } };
};

const session: Recipe = async (scene) => {
  const { domain_name } = await verified(scene);
  const body = { domain_name };
  const { validationURL } = await scene.merchant.call('POST', '/sandbox/wallet-sessions', { body });
  return { key: null, body: { validationURL, domainName: domain_name } };
};

const notVerified: Recipe = async (scene) => {
  const ready = await session(scene);
  const [domain] = (await scene.merchant.call('GET', '/mobile-wallet/domains')).data;
  await scene.merchant.call('DELETE', `/mobile-wallet/domains/${domain.id}`);
  return ready;
};

const withoutCertificate: Recipe = async (scene) => {
  const ready = await session(scene);
  const validationURL = `https://${scene.target.providerWithoutCertificate}/session`;
  return { ...ready, body: { ...(ready.body as object), validationURL } };
};

const usedUp: Recipe = async (scene) => ({
  ...(await session(scene)),
  headers: { 'X-Forwarded-For': await scene.target.usedUpAddress() },
});

export const wallet: RecipesOf<
  | 'createWalletDomain'
  | 'listWalletDomains'
  | 'getWalletDomain'
  | 'deleteWalletDomain'
  | 'verifyWalletDomain'
  | 'validateWalletSession'
> = {
  createWalletDomain: createAnswers(create, 'wallet_domains', again),
  listWalletDomains: listAnswers(list),
  getWalletDomain: readAnswers(one),
  deleteWalletDomain: {
    204: one,
    404: unknownId('id')(one),
    422: unknownParameter(one),
    ...guarded(one),
  },
  verifyWalletDomain: actionAnswers(one, 'wallet_domains'),
  validateWalletSession: {
    200: session,
    400: notVerified,
    413: oversize(session),
    415: plainText(session),
    429: usedUp,
    500: withoutCertificate,
    503: overloaded(session),
  },
};
