import type { Guide } from './guides.ts';
import { escapeHtml } from './html.ts';
import { documentHtml } from './layout.ts';
import { toHtml } from './markdown.ts';
import { WEBHOOK_TESTER } from './webhook-tester-page.ts';

const DEMO = '/docs/demo';

/** The guides, grouped by task, each with one line of description. */
const GROUPS: readonly {
  readonly title: string;
  readonly pages: readonly (readonly [slug: string, line: string])[];
}[] = [
  {
    title: 'Start',
    pages: [
      ['quick-start', 'Create a customer, charge orders by Pix and by card, and refund a payment.'],
      ['authentication', 'API keys, permissions and rate limits.'],
      ['card-encryption', 'Encrypt cards in the buyer’s browser, so your server never sees a card number.'],
    ],
  },
  {
    title: 'Build',
    pages: [
      ['payment-states', 'Every status of a payment, and what to do in each.'],
      ['cards', 'Credit and debit: installments, and amounts that you reserve now and capture later.'],
      ['pix', 'QR codes that buyers pay in the app of any bank, and how you learn of it.'],
      ['boleto', 'Bills that buyers pay at any bank, and until when.'],
      ['wallets', 'Wallet buttons on your pages: verify your domain, validate sessions, charge tokens.'],
      ['refunds', 'Cancel a payment, or refund it in full or in part.'],
      ['disputes', 'Read why a buyer disputes a payment, and send your evidence in time.'],
      ['split', 'Share a payment among recipients, and read what each of them gets.'],
      ['balance', 'What is available, what is pending, and every entry behind it.'],
      ['payment-links', 'Addresses where buyers pay, without a shop of your own.'],
      ['subscriptions', 'Charge a card in every billing cycle, with retries and events.'],
      [
        'subscriptions-by-boleto',
        'A boleto or QR code in every billing cycle, and what happens if it is not paid.',
      ],
      ['pix-recurring', 'The payer authorizes once, and the bank pays every charge.'],
      ['plan-changes', 'Preview and make upgrades and downgrades of a subscription.'],
      ['products', 'What you sell, at which prices, with a checkout link for each.'],
      ['events', 'Find out that a Pix was paid or a charge was disputed.'],
      ['webhooks', 'Receive events on your server, with a receiver in five languages.'],
      ['event-sequences', 'Which events follow in each case, as drawings.'],
      ['errors', 'Statuses, error codes and refused payments, and what to do.'],
      ['idempotency', 'Send a request again without paying twice.'],
      ['pagination', 'Read lists page by page, and filter them.'],
    ],
  },
  {
    title: 'Test',
    pages: [
      ['testing', 'Test cards, scripts and simulated outcomes.'],
      ['clock', 'Move time forward: a Pix expires, a dispute arrives.'],
      ['clock-subscriptions', 'See a year of a subscription in seconds.'],
      ['webhook-testing', 'Late, lost and duplicate deliveries on demand, and events on your own machine.'],
      [DEMO, 'Encrypt a card in this page and store it.'],
      [WEBHOOK_TESTER.href, 'See your events and deliveries as they happen.'],
    ],
  },
  {
    title: 'Go live',
    pages: [
      ['going-live', 'The differences in production, and a checklist.'],
      ['partners', 'Generate a client in TypeScript, Python, Java, Go, Rust and others.'],
      ['versioning', 'Which changes to expect, and the change log.'],
    ],
  },
];

const CONTRACT = [
  ['/openapi.json', 'The contract as JSON (OpenAPI 3.1)'],
  ['/openapi.yaml', 'The contract as YAML'],
  ['/openapi-clients.json', 'The contract for client generators'],
] as const;

const SAMPLE = `\`\`\`sh
curl -s http://127.0.0.1:3000/api/v1/charges/orders \\
  -H "Authorization: Bearer pay_test_…" \\
  -H "Content-Type: application/json" \\
  -d '{
    "code": "order-1", "mcc": "5734",
    "customer": {"name": "Bia Lima", "email": "bia@example.com"},
    "payment": {"amount": 4990, "payment_method": "pix"}
  }'
\`\`\`
`;

/** The page at `/docs`, with links to everything else. Guides without a group come last. */
export function landingPage(guides: readonly Guide[]): string {
  const titles = new Map(guides.map(({ slug, title }) => [slug, title]));
  titles.set(DEMO, 'Demo: encrypt a card');
  titles.set(WEBHOOK_TESTER.href, WEBHOOK_TESTER.title);
  const grouped = new Set(GROUPS.flatMap(({ pages }) => pages.map(([slug]) => slug)));
  const others = [...titles.keys()].filter((slug) => !grouped.has(slug)).map((slug) => [slug, ''] as const);
  const groups = others.length === 0 ? GROUPS : [...GROUPS, { title: 'More', pages: others }];
  const body = `<main id="main" class="landing">
<div class="hero">
<div>
<h1 id="centavo">Take payments in Brazil by card, Pix and boleto</h1>
<p>Centavo is a payments API for merchants in Brazil. Store customers and cards, create orders, capture, cancel and
refund payments, and read events about changes. Amounts are integers in centavos. In the sandbox you can try
everything, and no money moves.</p>
<p class="actions"><a class="action" href="/docs/guides/quick-start">Quick start</a>
<a class="action second" href="/docs/reference">API reference</a></p>
</div>
<div>
${toHtml(SAMPLE)}</div>
</div>
${groups.map(({ title, pages }) => groupHtml(title, pages, titles)).join('\n')}
<section aria-labelledby="contract"><h2 id="contract">The contract</h2>
<ul class="cards">
${CONTRACT.map(([path, line]) => cardHtml(path, `<code>${path}</code>`, line)).join('\n')}
</ul></section>
</main>`;
  const styles = ['/docs/assets/landing.css'];
  const earlyScripts = ['/docs/assets/old-addresses.js'];
  return documentHtml({ title: 'Centavo docs', part: 'start', body, styles, earlyScripts });
}

function groupHtml(
  title: string,
  pages: readonly (readonly [string, string])[],
  titles: ReadonlyMap<string, string>,
): string {
  const id = title.toLowerCase().replaceAll(' ', '-');
  const cards = pages.flatMap(([slug, line]) => {
    const name = titles.get(slug);
    const href = slug.startsWith('/') ? slug : `/docs/guides/${slug}`;
    return name === undefined ? [] : [cardHtml(href, escapeHtml(name), line)];
  });
  return `<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
<ul class="cards">
${cards.join('\n')}
</ul></section>`;
}

function cardHtml(href: string, name: string, line: string): string {
  return `<li><a href="${href}"><strong>${name}</strong><span>${escapeHtml(line)}</span></a></li>`;
}
