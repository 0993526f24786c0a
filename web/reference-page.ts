import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { headerHtml, headHtml, type Link } from './layout.ts';

/** By its place: the package does not export the file that a page can load. */
const PACKAGE = new URL('../node_modules/@scalar/api-reference/', import.meta.url);

/** The renderer, as its package has it. Its path carries the version, so that browsers may keep it for ever. */
export const RENDERER = {
  path: `/docs/assets/scalar-${rendererVersion()}.js`,
  load: () => readFile(new URL('dist/browser/standalone.js', PACKAGE)),
} as const;

/** The page that the renderer fills. */
export function referencePage(): string {
  return `<!doctype html>
<html lang="en">
<head>
${headHtml('API reference · Centavo')}
<link rel="stylesheet" href="/docs/assets/reference.css">
</head>
<body>
${headerHtml('reference')}
<div id="reference"></div>
<noscript>The reference needs JavaScript. The contract itself is at <a href="/openapi.yaml">/openapi.yaml</a>,
and for client generators at <a href="/openapi-clients.json">/openapi-clients.json</a>.</noscript>
<script src="/docs/assets/reference-storage.js"></script>
<script src="/docs/assets/reference-names.js"></script>
<script src="/docs/assets/reference-search.js"></script>
<script src="/docs/assets/reference-try.js"></script>
<script src="${RENDERER.path}"></script>
<script src="/docs/reference.js"></script>
</body>
</html>
`;
}

/** Starts the renderer. `demoKey` is put in for trying, in the sandbox. Nothing leaves for another host. */
export function referenceScript(demoKey: string | null): string {
  const settings = {
    url: '/docs/openapi.json',
    withDefaultFonts: false,
    telemetry: false,
    proxyUrl: '',
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
    layout: 'modern',
    theme: 'default',
    documentDownloadType: 'both',
    defaultOpenAllTags: false,
    // Every operation shows its own; in the search they would stand before the operations.
    hideModels: true,
    persistAuth: false,
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    authentication: {
      preferredSecurityScheme: 'ApiKey',
      ...(demoKey === null ? {} : { securitySchemes: { ApiKey: { token: demoKey } } }),
    },
  };
  return `Scalar.createApiReference('#reference', {
  ...${JSON.stringify(settings, null, 2).replaceAll('\n', '\n  ')},
  servers: [{ url: \`\${location.origin}/api/v1\`, description: 'This server' }],
});
`;
}

/**
 * The contract as the reference shows it. The guides with their chapters follow the operations as tags of their own, so
 * that the search finds them; the webhooks stand in a chapter of their own, and conditions that the renderer does not
 * know are left to the prose.
 */
export function referenceDocument(contract: string, guides: readonly ShownGuide[]): string {
  const document = JSON.parse(contract, withoutConditions) as ShownDocument;
  const operations = document.tags.map(({ name }) => name);
  const tags = guides.map(guideTag);
  for (const tag of document.tags) tag.description += readOn(tag, guides);
  document.tags.push(...tags);
  document['x-tagGroups'] = [
    { name: 'Operations', tags: operations },
    { name: 'Guides', tags: tags.map(({ name }) => name) },
  ];
  for (const { post } of Object.values(document.webhooks ?? {})) {
    delete post.tags;
    post.description += '\n\nNot delivered yet: [read it among the events](/docs/guides/events).';
  }
  // The one that works as it stands leads, as it is what is tried: the others name a customer and a card of their own.
  leadWith('order_pix', document.paths['/charges/orders'].post.requestBody);
  leadWith('order_pix', document.paths['/charges/orders'].post.responses['201']);
  return JSON.stringify(document);
}

/** A guide, or another page: what it is about, and its chapters. */
export interface ShownGuide extends Link {
  readonly introduction: string;
  readonly chapters: readonly Link[];
  /** By which the search finds it, too. */
  readonly words: readonly string[];
}

function guideTag({ href, title, introduction, chapters, words }: ShownGuide): Tag {
  const links = [{ href, title: chapters.length > 0 ? 'Read the guide' : 'Open the page' }, ...chapters];
  return {
    name: href.replace('/docs/', ''),
    'x-displayName': title,
    description: [
      `${introduction}\n`,
      ...links.map((link) => `- [${link.title}](${link.href})`),
      words.length > 0 ? `\nAlso: ${words.join(', ')}.` : '',
    ].join('\n'),
  };
}

/** Where the story of a tag's operations is told. */
const GUIDE_OF_TAG: Readonly<Record<string, string>> = {
  account: '/docs/guides/going-live',
  cards: '/docs/guides/card-encryption',
  orders: '/docs/guides/quick-start',
  payments: '/docs/guides/payment-states',
  events: '/docs/guides/events',
  sandbox: '/docs/guides/testing',
};

function readOn({ name }: Tag, guides: readonly ShownGuide[]): string {
  const guide = guides.find(({ href }) => href === GUIDE_OF_TAG[name]);
  return guide === undefined ? '' : `\n\nRead on: [${guide.title}](${guide.href}).`;
}

interface Tag {
  readonly name: string;
  readonly 'x-displayName': string;
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

interface ShownDocument {
  readonly paths: {
    readonly '/charges/orders': {
      readonly post: { readonly requestBody: Shown; readonly responses: { readonly '201': Shown } };
    };
  };
  readonly tags: Tag[];
  'x-tagGroups'?: readonly { readonly name: string; readonly tags: readonly string[] }[];
  readonly webhooks?: Readonly<Record<string, { readonly post: { tags?: string[]; description: string } }>>;
}

function withoutConditions(key: string, value: unknown): unknown {
  return ['if', 'then', 'else'].includes(key) && typeof value === 'object' ? undefined : value;
}

function rendererVersion(): string {
  const text = readFileSync(new URL('package.json', PACKAGE), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
