import { type Link, pageHtml } from './layout.ts';

export const WEBHOOK_TESTER: Link = { href: '/docs/webhook-tester', title: 'Webhook tester' };

const TITLE = '<h1 id="webhook-tester">Webhook tester</h1>';

const FORM = `${TITLE}
<p>See the events of your sandbox and the deliveries to your webhook endpoints as they happen. Send a delivery again, or
send a ping. <a href="/docs/guides/webhooks">Webhooks</a> explains endpoints and signatures. To see how your server handles
late, repeated, lost or wrongly signed deliveries, set <a href="/docs/guides/webhook-testing#faults">faults</a> on an
endpoint.</p>
<form class="tester" novalidate autocomplete="off">
  <div><label for="key">API key of the sandbox</label>
  <input id="key" type="password" autocomplete="off" spellcheck="false" aria-describedby="key-note problem">
  <p id="key-note">The key needs the permissions <code>events:read</code> and <code>webhooks:read</code>; to send, also
  <code>webhooks:write</code>. It stays in the memory of this page, and is sent only to this service.</p></div>
  <p class="actions"><button class="action" type="submit" id="start">Show events</button>
  <button class="action" type="button" id="stop" hidden>Stop</button>
  <button class="action second" type="button" id="demo-key" hidden>Use the demo key</button></p>
</form>
<p id="problem" role="alert"></p>
<p id="state" role="status"></p>
<div id="results" hidden>
<h2 id="endpoints-heading">Endpoints</h2>
<p id="no-endpoints">There are no endpoints yet. <a href="/docs/guides/webhooks#create-an-endpoint">Create one</a>.</p>
<ul id="endpoints" class="live" role="list" aria-labelledby="endpoints-heading"></ul>
<h2 id="events-heading">Events</h2>
<p id="no-events">There are no events yet. <a href="/docs/guides/quick-start">Create an order</a>, and its events appear
here.</p>
<ul id="events" class="live" role="list" aria-labelledby="events-heading"></ul>
<h2 id="deliveries-heading">Deliveries</h2>
<p id="no-deliveries">There are no deliveries yet. They appear here when an endpoint gets an event or a ping.</p>
<ul id="deliveries" class="live" role="list" aria-labelledby="deliveries-heading"></ul>
</div>`;

const NO_FORM = `${TITLE}
<p>This is production, and its keys must not be typed into a page. The tester is on this page of a sandbox.
<a href="/docs/guides/webhooks">Webhooks</a> explains how to see deliveries with <code>GET /webhook-deliveries</code>.</p>`;

/** The page that shows events and deliveries live. In production it says where to find the tester. */
export function webhookTesterPage(links: readonly Link[], isSandbox: boolean): string {
  const page = { title: WEBHOOK_TESTER.title, here: WEBHOOK_TESTER.href, links };
  if (!isSandbox) return pageHtml({ ...page, main: NO_FORM });
  return pageHtml({
    ...page,
    main: FORM,
    styles: ['/docs/assets/webhook-tester.css'],
    scripts: ['/docs/assets/webhook-tester.js'],
  });
}
