import { type Source, withoutComments } from './sources.ts';

/** Code that is allowed in some places only. */
interface Rule {
  readonly what: string;
  readonly pattern: RegExp;
  /** The files that must not contain it. */
  readonly where: RegExp;
  /** Exceptions: path to reason. */
  readonly excused: Readonly<Record<string, string>>;
}

const CODE = /^(?!scripts\/|test\/)/;

/** A method by its name, or by the name of its object. */
const METHOD =
  '(credit_card|debit_card|pix|bank_slip|pix_recurring|browser_wallet|creditCard|debitCard|bankSlip|pixRecurring|browserWallet)';

/**
 * The name of a method as a text or a key, in a path of fields, as a property or in a list of them, a comparison of
 * methods, or a test for the details of one. A `/` is before the name in a path of a file.
 */
const METHOD_NAMED = new RegExp(
  [
    `['"\`]${METHOD}['"\`]`,
    `\\b${METHOD}: `,
    `(?<![\\w/])${METHOD}\\??\\.\\w`,
    `\\.${METHOD}\\b`,
    `[{,]\\s*${METHOD}\\s*[,}]`,
    /\b(payment|order|row|input)\w*\??\.method\s*[!=]==?/.source,
    /\bswitch \([^)]*\b(payment_)?method\)/.source,
    /\.card\s*[!=]==?\s*(null|undefined)/.source,
    /['"]\w+['"] in (\w+\.)*details\b/.source,
  ].join('|'),
);

const RULES: readonly Rule[] = [
  {
    what: 'reads the environment',
    pattern: /\bprocess\.env\b/,
    where: /^(?!main\.ts$|config\.ts$|scripts\/|test\/)/,
    excused: {
      'db/engine/embedded/cluster.ts': 'hands PATH, and nothing else, on to the programs of Postgres',
      'web/receivers/receiver.ts': 'is a program of its own, which the docs show',
    },
  },
  {
    what: 'asks the machine for the time',
    pattern: /\bDate\.now\b|\bnew Date\(\)|\bTemporal\.Now\b/,
    where: /^(domain|services)\//,
    excused: {
      'services/vault/vault.ts': 'notes when a key version was made; no business time',
    },
  },
  {
    what: 'draws its own randomness',
    pattern: /\bMath\.random\b|\bcrypto\.(getRandomValues|randomUUID)\b/,
    where: /^(domain|services|handlers|jobs)\//,
    excused: {},
  },
  {
    what: 'holds SQL',
    pattern: /['"`]\s*(select\s|insert into\s|update\s+\w+\s+set\s|delete from\s)/,
    where: /^(domain|services|handlers|jobs|web)\//,
    excused: {},
  },
  {
    what: 'depends on one payment method, where it could ask the modules of all (domain/payments/methods)',
    pattern: METHOD_NAMED,
    where: /^(?!scripts\/|test\/|generated\/)(?!.*\/methods\/)/,
    excused: {
      'domain/merchants/payment-methods.ts': 'is the list of names, with the prices of each plan',
      'domain/payments/br-code.ts': 'writes the QR codes of Pix, which name it',
      'gateway/simulator/random.ts': 'makes the host name that QR codes have',
      'handlers/checkout/checkout-subscription-answer.ts':
        'the contract has one field for the card that is charged',
      'web/checkout/subscription-page.ts': 'the contract has one field for the card that is charged',
      'web/landing-page.ts': 'shows an order as an example',
      'web/subscription-chapters.ts': 'draws diagrams for guides about one method each',
    },
  },
  {
    what: 'sleeps, where it could wait for what it is about (test/support/until.ts)',
    pattern: /\bsetTimeout\b|\bsleep\(/,
    where: /^test\//,
    excused: {
      'test/support/until.ts': 'is how tests wait',
      'test/simulation/chaos/journal.ts': 'pauses before it repeats a request, as clients do',
      'test/simulation/chaos/restarting-process.ts': 'pauses before a restart, as init systems do',
      'test/architecture-words.test.ts': 'plants what breaks it',
      'test/db/engine/connections.test.ts': 'moves the clock of the timers',
      'test/db/engine/connection-quota.test.ts': 'moves the clock of the timers',
      'test/handlers/http/slow-readers.test.ts': 'moves the clock of the timers',
      'test/handlers/wallet/wallet-certificate.test.ts': 'moves the clock of the timers',
      'test/scripts/runner.test.ts': 'moves the clock of the timers',
      'test/jobs/loop.test.ts': 'moves the clock of the timers',
      'test/services/webhooks/idle-connections.test.ts': 'moves the clock of the timers',
    },
  },
  {
    what: 'writes the result of an operation past the gate (services/payments/apply-report.ts)',
    pattern: /\b(moveOperationRow|settlePayment)\(/,
    where: CODE,
    excused: {
      'db/payments/payment-operations.ts': 'is the statement',
      'services/payments/apply-report.ts': 'is the gate',
      'services/payments/settle-operation.ts': 'is what the gate does',
    },
  },
  {
    // Discovery of slots with work asks for slots alone; everything else runs within one slot or one merchant.
    what: 'asks across slots',
    pattern: /\.anywhere(?!<\{ slot: number[;} ])/,
    where: CODE,
    excused: {
      'db/merchants/api-keys.ts': 'administration: a key by its id alone',
      'db/payments/discrepancies.ts': 'administration: a discrepancy by its id alone, and the list of all',
      'db/merchants/merchant-data.ts': 'the catalog: which table refers to which',
      'db/merchants/merchants.ts':
        'administration: a merchant by its id alone, the list of all, and whether there is another',
      'db/vault/pepper-check.ts': 'the table belongs to no merchant, and any card proves a pepper',
      'db/vault/sealed-values.ts': 'administration: which key versions are in use',
      'db/engine/lock-timeout.ts': 'a setting of a transaction',
      'db/engine/table-statistics.ts': 'what Postgres knows of whole tables',
      'db/engine/writable.ts': 'reads no row',
      'db/payments/reconciled-days.ts': 'a metric of all merchants, read every 10 minutes',
      'db/vault/vault-keys.ts': 'the table belongs to no merchant',
      'db/webhooks/backlog.ts': 'metrics of all merchants, read every 15 seconds',
      'db/worker-heartbeats.ts': 'the table belongs to no merchant',
    },
  },
];

/** Returns one sentence for each line that breaks a rule. */
export function brokenRules(sources: readonly Source[]): string[] {
  return RULES.flatMap(({ what, pattern, where, excused }) =>
    sources
      .filter(({ path }) => where.test(path) && !(path in excused))
      .flatMap(({ path, text }) =>
        withoutComments(text)
          .split('\n')
          .filter((line) => pattern.test(line))
          .map((line) => `${path} ${what}: ${line.trim()}`),
      ),
  );
}

/** Returns one sentence for each exception that is no longer needed. */
export function idleExcuses(sources: readonly Source[]): string[] {
  return RULES.flatMap(({ what, pattern, excused }) =>
    Object.keys(excused)
      .filter((path) => !sources.some((source) => source.path === path && pattern.test(source.text)))
      .map((path) => `${path} is excused, but no longer ${what}.`),
  );
}
