import { newEmail } from '../../../support/parties.ts';
import type { Recipe, RecipesOf, Scene } from '../recipe.ts';
import { bodied, guarded, inFlight, ofNothing, pageTooLong, unknownParameter } from '../refusals.ts';

/** The contract's example, with a new e-mail. */
const company = ({ example }: Scene, fields: object = {}) => ({
  ...example.body,
  email: newEmail(),
  ...fields,
});

const create: Recipe = async (scene) => ({ body: company(scene) });

/** A stored recipient, made from the example of createRecipient. */
function stored({ merchant, exampleOf }: Scene) {
  return merchant.call('POST', '/recipients', {
    body: { ...exampleOf('createRecipient'), email: newEmail() },
  });
}

const known: Recipe = async (scene) => {
  const { email } = await stored(scene);
  return { body: company(scene, { email }) };
};

const unknownCountry: Recipe = async (scene) => ({
  body: company(scene, { address: { ...scene.example.body.address, country: 'ZZ' } }),
});

const badFields: Recipe = async (scene) => ({
  body: company(scene, {
    document: { type: 'cnpj', value: '12ABC34501DE36' },
    managing_partners: [],
    nickname: 'Norte',
  }),
});

const list: Recipe = async ({ merchant, exampleOf }) => {
  const body = { ...exampleOf('createRecipient', 'recipient_individual'), email: newEmail() };
  const { status, type, external_reference, email } = await merchant.call('POST', '/recipients', { body });
  return { query: { per_page: '20', status, type, external_reference, email } };
};

const one: Recipe = async (scene) => ({ path: { uuid: (await stored(scene)).id } });

const badUpdate: Recipe = async (scene) => ({
  ...(await one(scene)),
  body: { phone: { number: 'none' }, bank_account: { bank_ispb: '1' } },
});

export const recipients: RecipesOf<
  'createRecipient' | 'getRecipient' | 'listRecipients' | 'updateRecipient'
> = {
  createRecipient: {
    200: known,
    201: create,
    404: unknownCountry,
    409: inFlight(create, 'recipients'),
    422: badFields,
    ...bodied(create),
    ...guarded(create),
  },
  listRecipients: { 200: list, 422: pageTooLong(list), ...guarded(list) },
  getRecipient: { 200: one, 404: ofNothing('uuid')(one), 422: unknownParameter(one), ...guarded(one) },
  updateRecipient: {
    200: one,
    404: ofNothing('uuid')(one),
    422: badUpdate,
    ...bodied(one),
    ...guarded(one),
  },
};
