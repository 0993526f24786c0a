import { importsOf, type Source, withoutComments } from './sources.ts';

/** Packages that call other hosts, and the only files that may use them. Their types may be imported anywhere. */
const CLIENTS: readonly { readonly packages: RegExp; readonly users: readonly string[] }[] = [
  {
    packages: /^undici(\/|$)/,
    users: [
      // Addresses that a merchant gave, after the check of the address.
      'services/webhooks/guarded-connect.ts',
      'services/webhooks/origin-connections.ts',
      // The acquirer, and the notifications of the simulated one.
      'gateway/http-client.ts',
      'gateway/simulator/outbox.ts',
    ],
  },
  { packages: /^nodemailer(\/|$)/, users: ['services/emails/smtp-mailer.ts'] },
];

/** Modules of Node that can call other hosts. */
const NODE_CLIENTS = /^(node:)?(http|https|http2|net|tls|dgram|inspector)(\/|$)/;
/** What files may use of them: servers, and functions without a connection. */
const HARMLESS = ['createServer', 'isIP', 'isIPv4', 'isIPv6', 'STATUS_CODES'];
const NAMED = /\bimport\s+\{([^}]*)\}\s*from\s*['"]([^'"\n]+)['"]/g;

/** Functions of the runtime that call other hosts: called, or passed on. */
const GLOBALS =
  /(?<![\w.#'"`-])(?:fetch|WebSocket|EventSource)\s*\(|\bglobalThis\s*(?:\.|\[\s*['"])\s*(?:fetch|WebSocket|EventSource)|[=(,:]\s*fetch\s*[,;)}\n]/;

/** Scripts and tests are run by people, not by the service. */
const NOT_THE_SERVICE = /^(scripts|test)\//;
/** Opens connections for the guard, which checks the addresses. */
const GUARDED = 'services/webhooks/origin-connections.ts';
const GUARD = 'services/webhooks/outgoing-calls.ts';

/** One sentence for each way in which a file can call another host without the modules that may. */
export function callsOfOtherHosts(sources: readonly Source[]): string[] {
  return sources.filter(({ path }) => !NOT_THE_SERVICE.test(path)).flatMap(faultsOf);
}

function faultsOf({ path, text }: Source): string[] {
  const code = withoutHarmless(withoutComments(text));
  const forbidden = importsOf({ path, text: code })
    .filter(({ target, isType }) => !isType && (NODE_CLIENTS.test(target) || isClient(path, target)))
    .map(({ target }) => target);
  const global = GLOBALS.exec(code);
  return [
    ...forbidden.map((target) => `${path} must not call other hosts by ${target}.`),
    ...(global === null ? [] : [`${path} must not call other hosts by ${global[0].trim()}.`]),
  ];
}

function isClient(path: string, target: string): boolean {
  if (target === GUARDED) return path !== GUARD;
  return CLIENTS.some(({ packages, users }) => packages.test(target) && !users.includes(path));
}

/** The code without the imports that name only what is harmless. */
function withoutHarmless(code: string): string {
  const isHarmless = (name: string) =>
    name === '' || name.startsWith('type ') || HARMLESS.includes(name.split(' as ')[0]!.trim());
  return code.replaceAll(NAMED, (statement, list: string, target: string) =>
    NODE_CLIENTS.test(target) && list.split(',').every((name) => isHarmless(name.trim())) ? '' : statement,
  );
}
