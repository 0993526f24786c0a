import type { Json } from '../../support/service.ts';

/**
 * The bundled contract with every success, and with each refusal once: operations that share a refusal refer to the
 * same response, and so to the same schema and headers. A fifth of the answers is left. `make contract` requests them
 * all.
 */
export function eachResponseOnce(document: string, isKept: (status: string) => boolean = () => true): string {
  const smaller: Json = JSON.parse(document);
  delete smaller.webhooks;
  const seen = new Set<string>();
  for (const item of Object.values<Json>(smaller.paths)) {
    for (const { responses } of Object.values<Json>(item)) {
      for (const [status, response] of Object.entries<Json>(responses)) {
        const shape = status + JSON.stringify(response);
        const isNew = status.startsWith('2') || !seen.has(shape);
        seen.add(shape);
        if (!isNew || !isKept(status)) delete responses[status];
      }
    }
  }
  return JSON.stringify(smaller);
}
