import type { Guide } from './guides.ts';

/** By guide: what else people call what it is about, in the languages of a developer in Brazil. */
const ALSO: Readonly<Record<string, string>> = {
  'quick-start': 'getting started, example, exemplo',
  authentication: 'bearer, token, revoke, rotate, chave de API',
  errors: 'erro, refused, recusado',
  idempotency: 'duplicate, retry, timeout, duplicidade, repetir',
  pagination: 'cursor, `has_more`, `next_cursor`, page, página, paginação',
  events: 'callback, notification, notificação, polling',
  'card-encryption': 'cvv, JavaScript, checkout, criptografia, biblioteca',
  partners: 'SDK, library, client, openapi-generator, biblioteca, PHP, C#, Kotlin, Swift, Ruby',
  testing: 'cartão de teste, mock, Prism, Postman, sandbox',
  clock: 'time, expire, relógio, tempo',
  'payment-states': 'status, situação, chargeback, contestação',
  'going-live': 'production, produção, homologação',
  versioning: 'breaking change, deprecation, change log, versão',
};

/** What the search finds a guide by beside its text: `ALSO`, and the codes and statuses of its tables, in Markdown. */
export function wordsFor({ slug, markdown }: Guide): string[] {
  const cells = markdown.matchAll(/^\| ((?:(?:, )?`[A-Za-z_]+`)+|\d{3}) \|/gm);
  const codes = [...cells].flatMap(([, cell]) => cell!.split(', '));
  return [...new Set([...(ALSO[slug]?.split(', ') ?? []), ...codes])];
}
