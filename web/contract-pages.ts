import { readFileSync } from 'node:fs';
import { type RequestHandler, Router } from 'express';

const GENERATED = new URL('../generated/', import.meta.url);

/**
 * The contract, for tools and readers: `/openapi.json` and `/openapi.yaml` as it is, `/openapi-clients.json` in the form
 * that client generators read best.
 */
export function contractPages(): RequestHandler {
  const router = Router();
  const files = [
    { path: '/openapi.json', file: 'openapi.json', type: 'application/json' },
    { path: '/openapi-clients.json', file: 'openapi-clients.json', type: 'application/json' },
    { path: '/openapi.yaml', file: 'openapi.yaml', type: 'application/yaml' },
  ];
  for (const { path, file, type } of files) {
    // Read once and shared by all answers, so that a slow reader holds no copy of it.
    const content = readFileSync(new URL(file, GENERATED));
    router.get(path, (_request, response) => {
      // Pages of any origin may read the contract: it holds nothing of a merchant.
      response.setHeader('Access-Control-Allow-Origin', '*');
      response.type(`${type}; charset=utf-8`).send(content);
    });
  }
  return router;
}
