import type { Page } from 'playwright-core';
import document from '../../../generated/openapi.json' with { type: 'json' };

type Paths = Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;

/**
 * Leaves only these operations in the reference of a page. The renderer takes seconds to draw all of them. For tests
 * of the form of an operation, which is the same in a short reference.
 */
export async function shortenReference(page: Page, operationIds: readonly string[]): Promise<void> {
  const found = Object.entries(document.paths as Paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, id: operation.operationId })),
  );
  const removed = found.filter(({ id }) => !operationIds.includes(id));
  if (found.length - removed.length !== operationIds.length) {
    throw new Error(`Not all of these are operations: ${operationIds.join(', ')}.`);
  }
  await page.route('**/docs/openapi.json', async (route) => {
    const response = await route.fetch();
    const served = await response.json();
    for (const { path, method } of removed) delete served.paths[path][method];
    delete served.webhooks;
    await route.fulfill({ response, json: served });
  });
}
