import type { Guide } from './guides.ts';

/** By guide: other words that readers search for, in English and Portuguese. */
const ALSO: Readonly<Record<string, string>> = {
  'quick-start': 'getting started example exemplo tutorial',
  authentication: 'bearer token revoke rotate chave API',
  errors: 'erro refused recusado',
  idempotency: 'duplicate retry timeout duplicidade repetir',
  pagination: 'cursor has_more next_cursor page página paginação',
  events: 'polling notification notificação',
  webhooks: 'callback notification notificação signature HMAC whsec standardwebhooks endpoint',
  'event-sequences': 'order of events flow diagram sequência fluxo',
  'card-encryption': 'cvv JavaScript checkout criptografia biblioteca',
  partners: 'SDK library client openapi-generator biblioteca PHP C# Kotlin Swift Ruby',
  testing: 'cartão de teste mock Prism Postman sandbox',
  clock: 'time expire relógio tempo',
  cards: 'hold reserve pré-autorização',
  'payment-states': 'status situação chargeback contestação',
  refunds: 'estorno estornar reembolso devolução void chargeback parcial partial',
  disputes: 'chargeback contestação disputa MED evidence evidência prova',
  'payment-links': 'link de pagamento shareable checkout doação donation',
  products: 'offers ofertas price plan ladder catalog produto oferta preço plano catálogo mensalidade',
  subscriptions: 'mensalidade dunning',
  'pix-recurring': 'Automático mandate mandato',
  'plan-changes': 'upgrade downgrade proration pro rata',
  'going-live': 'production produção homologação',
  versioning: 'breaking change deprecation change log versão',
};

/** Words by which the search finds a guide, in addition to those in its text. */
export function wordsFor({ slug }: Guide): string {
  return ALSO[slug] ?? '';
}
