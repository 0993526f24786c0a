import type { Recipe, RecipesOf } from '../recipe.ts';
import { overloaded, unknownParameter, usedUp, withoutKey } from '../refusals.ts';

const ready: Recipe = async () => ({});

const notApproved: Recipe = async ({ target }) => ({ key: await target.notApprovedKey() });

/** Here 401 and 403 are the other way round (contract row 1.4). */
export const account: RecipesOf<'getMerchant'> = {
  getMerchant: {
    200: ready,
    401: notApproved,
    403: withoutKey(ready),
    422: unknownParameter(ready),
    429: usedUp(ready),
    503: overloaded(ready),
  },
};
