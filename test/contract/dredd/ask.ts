import type { Ask, Scene } from './recipe.ts';
import type { Transaction } from './transaction.ts';

/** A complete request. */
export interface HttpRequest {
  /** Below `/api/v1`, with its query. */
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

export function httpRequestOf(scene: Scene, ask: Ask): HttpRequest {
  const { example, merchant } = scene;
  const key = ask.key === undefined ? merchant.apiKey : ask.key;
  const sample = example.body === undefined ? '' : JSON.stringify(example.body);
  const body = ask.rawBody ?? (ask.body === undefined ? sample : JSON.stringify(ask.body));
  return {
    path: pathOf(scene, ask),
    headers: {
      ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
      ...(body === '' ? {} : { 'Content-Type': 'application/json' }),
      ...ask.headers,
    },
    body,
  };
}

/** The template filled with what the recipe says, else with the example's segments. */
function pathOf({ answer, example }: Scene, ask: Ask): string {
  const [samplePath = '', sampleQuery = ''] = example.uri.split('?');
  const samples = samplePath.split('/');
  const segments = answer.path.split('/').map((segment, index) => {
    const given = segment.startsWith('{') ? ask.path?.[segment.slice(1, -1)] : segment;
    return given === undefined ? samples[index] : encodeURIComponent(given);
  });
  const query = ask.query === undefined ? sampleQuery : new URLSearchParams(ask.query).toString();
  return `${segments.join('/')}${query === '' ? '' : `?${query}`}`;
}

/** Puts the request into Dredd's transaction, in place of the one made from the examples. */
export function askThrough(transaction: Transaction, scene: Scene, ask: Ask): void {
  const { path, headers, body } = httpRequestOf(scene, ask);
  const { request } = transaction;
  request.uri = path;
  request.body = body;
  request.headers = { Accept: 'application/json', ...headers };
  transaction.fullPath = `/api/v1${path}`;
  if (ask.baseUrl === undefined) return;
  const { hostname, port } = new URL(ask.baseUrl);
  transaction.host = hostname;
  transaction.port = port;
}
