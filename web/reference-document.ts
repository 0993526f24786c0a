import type { Link } from './layout.ts';

/**
 * Prepares the contract for the reference: chapters link to their guides, webhooks are a separate chapter, and
 * conditions that the renderer does not support are removed, because the descriptions explain them.
 */
export function referenceDocument(contract: string, guides: readonly Link[]): string {
  const document = JSON.parse(contract, withoutConditions) as ShownDocument;
  for (const tag of document.tags) tag.description += readOn(tag, guides);
  for (const [event, { post }] of Object.entries(document.webhooks ?? {})) {
    delete post.tags;
    showObjectOf(event, post.requestBody.content['application/json'], document.components.schemas.Event);
    post.description += '\n\n[How to receive it](/docs/guides/webhooks).';
  }
  // Readers try the first example. Only this one works unchanged: the others need an existing customer and card.
  leadWith('order_pix', document.paths['/charges/orders'].post.requestBody);
  leadWith('order_pix', document.paths['/charges/orders'].post.responses['201']);
  return JSON.stringify(document);
}

/** The guide that explains the operations of a tag. */
const GUIDE_OF_TAG: Readonly<Record<string, string>> = {
  account: '/docs/guides/going-live',
  cards: '/docs/guides/card-encryption',
  orders: '/docs/guides/quick-start',
  payments: '/docs/guides/payment-states',
  links: '/docs/guides/payment-links',
  products: '/docs/guides/products',
  events: '/docs/guides/events',
  webhooks: '/docs/guides/webhooks',
  sandbox: '/docs/guides/testing',
};

function readOn({ name }: Tag, guides: readonly Link[]): string {
  const guide = guides.find(({ href }) => href === GUIDE_OF_TAG[name]);
  return guide === undefined ? '' : `\n\nGuide: [${guide.title}](${guide.href}).`;
}

/** The `data` of each event by the first part of its name. */
const OBJECT_OF_EVENT: Readonly<Record<string, string>> = {
  payment: 'Payment',
  subscription: 'Subscription',
};

/** Shows the one object that an event has. The page became too slow with all possible objects under each event. */
function showObjectOf(event: string, body: { schema: object }, { properties }: EventSchema): void {
  const object = OBJECT_OF_EVENT[event.split('.')[0]!];
  if (object === undefined) return;
  const data = { $ref: `#/components/schemas/${object}` };
  body.schema = { type: 'object', properties: { ...properties, data }, required: Object.keys(properties) };
}

interface EventSchema {
  readonly properties: Readonly<Record<string, object>>;
}

interface Tag {
  readonly name: string;
  description: string;
}

function leadWith(name: string, { content }: Shown): void {
  const media = content['application/json'];
  media.examples = Object.fromEntries(
    Object.entries(media.examples).toSorted(([a], [b]) => Number(b === name) - Number(a === name)),
  );
}

interface Shown {
  readonly content: { readonly 'application/json': { examples: Record<string, unknown> } };
}

interface ShownWebhook {
  tags?: string[];
  description: string;
  readonly requestBody: { readonly content: { readonly 'application/json': { schema: object } } };
}

interface ShownDocument {
  readonly paths: {
    readonly '/charges/orders': {
      readonly post: { readonly requestBody: Shown; readonly responses: { readonly '201': Shown } };
    };
  };
  readonly tags: Tag[];
  readonly components: { readonly schemas: { readonly Event: EventSchema } };
  readonly webhooks?: Readonly<Record<string, { readonly post: ShownWebhook }>>;
}

function withoutConditions(key: string, value: unknown): unknown {
  return ['if', 'then', 'else'].includes(key) && typeof value === 'object' ? undefined : value;
}
