import { type Link, pageHtml } from './layout.ts';

const FORM = `<h1 id="demo">Demo: encrypt a card</h1>
<p><code>/lib/centavo.js</code> encrypts this form in your browser, as in a shop's checkout. This page then sends the card
to <code>POST /cards</code> of this sandbox, with the demo key. A shop sends the encrypted text to its own server instead,
because only the server has the API key. <a href="/docs/guides/card-encryption">Card encryption</a> explains how.</p>
<form class="card" novalidate autocomplete="off">
  <div><label for="number">Card number</label><input id="number" name="number" inputmode="numeric" value="4242 4242 4242 4242" aria-describedby="number-problem"><div role="alert" id="number-problem"></div></div>
  <div><label for="holder">Name on the card</label><input id="holder" name="holder" value="ANA SOUZA" aria-describedby="holder-problem"><div role="alert" id="holder-problem"></div></div>
  <div class="three">
    <div><label for="expMonth">Month</label><input id="expMonth" name="expMonth" inputmode="numeric" value="08" aria-describedby="expMonth-problem"><div role="alert" id="expMonth-problem"></div></div>
    <div><label for="expYear">Year</label><input id="expYear" name="expYear" inputmode="numeric" value="39" aria-describedby="expYear-problem"><div role="alert" id="expYear-problem"></div></div>
    <div><label for="securityCode">Code</label><input id="securityCode" name="securityCode" inputmode="numeric" value="123" aria-describedby="securityCode-problem"><div role="alert" id="securityCode-problem"></div></div>
  </div>
  <div><label for="form">Form</label><select id="form" name="form"><option value="jwe">JWE, with the public key</option><option value="aes">AES-256-CBC, with the encryption key</option></select></div>
  <div><button class="action" type="submit">Encrypt and store</button></div>
</form>
<h2 id="encrypted-heading">Encrypted</h2>
<div class="code"><pre tabindex="0" role="region" aria-label="Encrypted card"><code id="encrypted">Nothing yet.</code></pre></div>
<h2 id="answer-heading">Answer of POST /cards</h2>
<div class="code"><pre tabindex="0" role="region" aria-label="Answer" aria-live="polite"><code id="answer">Nothing yet.</code></pre></div>`;

const ELEMENT = `<h2 id="element">Without a form of your own</h2>
<p>The element <code>&lt;centavo-card&gt;</code> of the same library is the form in a frame of the service. The shop's page
cannot read what is typed there; it gets the encrypted card.</p>
<centavo-card lang="en"></centavo-card>
<p><button class="action" type="button" id="encrypt-element">Encrypt the card of the element</button></p>
<div class="code"><pre tabindex="0" role="region" aria-label="Encrypted card of the element" aria-live="polite"><code id="element-answer">Nothing yet.</code></pre></div>`;

const NO_FORM = `<h1 id="demo">Demo: encrypt a card</h1>
<p>This is production, with real cards and without a demo key. The demo is on this page of a sandbox.
<a href="/docs/guides/card-encryption">Card encryption</a> explains how a shop's page encrypts a card.</p>`;

/** The page that encrypts and stores a card. In production it says where to find the demo. */
export function demoPage(links: readonly Link[], isSandbox: boolean): string {
  const page = { title: 'Demo: encrypt a card', here: '/docs/demo', links };
  if (!isSandbox) return pageHtml({ ...page, main: NO_FORM });
  return pageHtml({
    ...page,
    main: `${FORM}\n${ELEMENT}`,
    scripts: ['/lib/centavo.js', '/docs/assets/card-demo.js'],
  });
}
