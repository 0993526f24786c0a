import { newEmail } from '../../../support/orders/parties.ts';
import type { Recipe, RecipesOf, Scene } from '../recipe.ts';
import { createAnswers, listAnswers, readAnswers, updateAnswers } from '../usual-answers.ts';

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
    ...createAnswers(create, 'recipients', badFields),
    200: known,
    404: unknownCountry,
  },
  listRecipients: listAnswers(list),
  getRecipient: readAnswers(one, 'uuid'),
  updateRecipient: updateAnswers(one, badUpdate, 'uuid'),
};
