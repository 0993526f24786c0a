import type { Recipe } from './recipe.ts';
import {
  bodyRefusals,
  guarded,
  inFlight,
  keyReused,
  pageTooLong,
  unknownId,
  unknownParameter,
} from './refusals.ts';

/*
 * Recipes of all answers of an operation, for the usual kinds of operations. `ready` is the recipe of a request that
 * succeeds, `invalid` that of a 422, `table` a table that the operation needs, and `id` the name of the parameter in
 * the path.
 */

/** GET of a list. */
export const listAnswers = (ready: Recipe) => ({
  200: ready,
  422: pageTooLong(ready),
  ...guarded(ready),
});

/** GET of one record. */
export const readAnswers = (ready: Recipe, id = 'id') => ({
  200: ready,
  404: unknownId(id)(ready),
  422: unknownParameter(ready),
  ...guarded(ready),
});

/** POST that creates a record. */
export const createAnswers = (ready: Recipe, table: string, invalid: Recipe) => ({
  201: ready,
  409: inFlight(ready, table),
  422: invalid,
  ...bodyRefusals(ready),
  ...guarded(ready),
});

/** PUT of one record. */
export const updateAnswers = (ready: Recipe, invalid: Recipe, id = 'id') => ({
  200: ready,
  404: unknownId(id)(ready),
  422: invalid,
  ...bodyRefusals(ready),
  ...guarded(ready),
});

/** POST without a body that changes one record. */
export const actionAnswers = (ready: Recipe, table: string, id = 'id') => ({
  200: ready,
  404: unknownId(id)(ready),
  409: inFlight(ready, table),
  422: keyReused(ready),
  ...guarded(ready),
});
