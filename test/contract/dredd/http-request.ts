import type { RecipeRequest, Scene } from './recipe.ts';
import type { Transaction } from './transaction.ts';

/** A complete request. */
export interface HttpRequest {
  /** Below `/api/v1`, with its query. */
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

export function httpRequestOf(scene: Scene, wanted: RecipeRequest): HttpRequest {
  const { example, merchant } = scene;
  const key = wanted.key === undefined ? merchant.apiKey : wanted.key;
  const sample = example.body === undefined ? '' : JSON.stringify(example.body);
  const body = wanted.rawBody ?? (wanted.body === undefined ? sample : JSON.stringify(wanted.body));
  return {
    path: pathOf(scene, wanted),
    headers: {
      ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
      ...(body === '' ? {} : { 'Content-Type': 'application/json' }),
      ...wanted.headers,
    },
    body,
  };
}

/** The template filled with what the recipe says, else with the example's segments. */
function pathOf({ answer, example }: Scene, wanted: RecipeRequest): string {
  const [samplePath = '', sampleQuery = ''] = example.uri.split('?');
  const samples = samplePath.split('/');
  const segments = answer.path.split('/').map((segment, index) => {
    const given = segment.startsWith('{') ? wanted.path?.[segment.slice(1, -1)] : segment;
    return given === undefined ? samples[index] : encodeURIComponent(given);
  });
  const query = wanted.query === undefined ? sampleQuery : new URLSearchParams(wanted.query).toString();
  return `${segments.join('/')}${query === '' ? '' : `?${query}`}`;
}

/** Puts the request into Dredd's transaction, in place of the one made from the examples. */
export function fillTransaction(transaction: Transaction, scene: Scene, wanted: RecipeRequest): void {
  const { path, headers, body } = httpRequestOf(scene, wanted);
  const { request } = transaction;
  request.uri = path;
  request.body = body;
  request.headers = { Accept: 'application/json', ...headers };
  transaction.fullPath = `/api/v1${path}`;
  if (wanted.baseUrl === undefined) return;
  const { hostname, port } = new URL(wanted.baseUrl);
  transaction.host = hostname;
  transaction.port = port;
}
