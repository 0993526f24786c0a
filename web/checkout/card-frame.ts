import { cardHtml } from './card-panel.ts';
import { html, jsonData } from './markup.ts';
import type { Words } from './words/words.ts';

/** The page in the frame of `<centavo-card>`. It is the same for every shop. */
export function cardFramePage(words: Words): string {
  const scripts = ['/lib/centavo.js', '/checkout/assets/card-frame.js'];
  return html`<!doctype html>
<html lang="${words.lang}" class="frame">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${words.labels.cardNumber}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/checkout/assets/checkout.css">
${scripts.map((src) => html`<script src="${src}" defer></script>`)}
</head>
<body>
<form id="card-form" novalidate autocomplete="on"><div id="failure" hidden></div>
${cardHtml(words)}
</form>
${jsonData('frame-words', words.problems)}
</body>
</html>
`.text;
}
