import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { headerHtml, headHtml } from './layout.ts';

/** A path, because the package does not export the file for browsers. */
const PACKAGE = new URL('../node_modules/@scalar/api-reference/', import.meta.url);

/** The renderer's own file. Its path has the version, so browsers can cache it without a limit. */
export const RENDERER = {
  path: `/docs/assets/scalar-${rendererVersion()}.js`,
  load: () => readFile(new URL('dist/browser/standalone.js', PACKAGE)),
} as const;

/** The page in which the renderer shows the reference. */
export function referencePage(): string {
  return `<!doctype html>
<html lang="en">
<head>
${headHtml('API reference · Centavo', ['/docs/assets/search.css', '/docs/assets/reference.css'])}
</head>
<body>
${headerHtml('reference')}
<div id="reference"></div>
<noscript>The reference needs JavaScript. The contract is at <a href="/openapi.yaml">/openapi.yaml</a>,
and for client generators at <a href="/openapi-clients.json">/openapi-clients.json</a>.</noscript>
<script src="/docs/assets/reference-storage.js"></script>
<script src="/docs/assets/reference-ids.js"></script>
<script src="/docs/assets/reference-names.js"></script>
<script src="/docs/assets/bar.js"></script>
<script src="/docs/assets/search.js"></script>
<script src="/docs/assets/reference-try.js"></script>
<script src="${RENDERER.path}"></script>
<script src="/docs/reference.js"></script>
</body>
</html>
`;
}

function rendererVersion(): string {
  const text = readFileSync(new URL('package.json', PACKAGE), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
