import { readFileSync } from 'node:fs';
import { type RequestHandler, Router } from 'express';

const GENERATED = new URL('../generated/', import.meta.url);

/**
 * Serves the contract: unchanged at `/openapi.json` and `/openapi.yaml`, and at `/openapi-clients.json` in the form
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
    // Read when it is requested first: most processes are never asked. All answers share these bytes, so a slow reader
    // costs no memory.
    let content: Buffer | undefined;
    router.get(path, (_request, response) => {
      content ??= readFileSync(new URL(file, GENERATED));
      // Pages of any origin can read the contract, because it has no data of merchants.
      response.setHeader('Access-Control-Allow-Origin', '*');
      response.type(`${type}; charset=utf-8`).send(content);
    });
  }
  return router;
}
