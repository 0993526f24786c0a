import { readFileSync } from 'node:fs';
import { type RequestHandler, Router } from 'express';

const GENERATED = new URL('../generated/', import.meta.url);

/** The contract itself, for whoever generates a client or mocks the service: `/openapi.json` and `/openapi.yaml`. */
export function contractPages(): RequestHandler {
  const router = Router();
  const files = [
    { path: '/openapi.json', file: 'openapi.json', type: 'application/json' },
    { path: '/openapi.yaml', file: 'openapi.yaml', type: 'application/yaml' },
  ];
  for (const { path, file, type } of files) {
    // Read once and shared by all answers: whoever reads slowly holds no copy of it.
    const content = readFileSync(new URL(file, GENERATED));
    router.get(path, (_request, response) => {
      // Anybody may read the contract from any page: it holds nothing of a merchant.
      response.setHeader('Access-Control-Allow-Origin', '*');
      response.type(`${type}; charset=utf-8`).send(content);
    });
  }
  return router;
}
