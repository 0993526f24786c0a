import type { Command } from '@commander-js/extra-typings';
import { findMerchantById, listMerchants } from '../../db/merchants/merchants.ts';
import type { InterestTable } from '../../domain/installments.ts';
import type { MerchantRecord, MerchantStatus } from '../../domain/merchants/merchant.ts';
import { PAYMENT_METHODS } from '../../domain/merchants/payment-methods.ts';
import { PLANS } from '../../domain/merchants/plans.ts';
import { returnResult } from '../../services/deps.ts';
import type { MerchantSettings } from '../../services/merchants/change-merchant.ts';
import { createMerchant, type NewMerchantInput } from '../../services/merchants/create-merchant.ts';
import { replaceEncryptionKey } from '../../services/merchants/replace-encryption-key.ts';
import { changeSettings } from '../../services/subscriptions/change-settings.ts';
import { examples, type Output, type Run, SAMPLE_ID } from './command.ts';
import type { Operator } from './operator.ts';
import { list, sequence, single } from './options.ts';
import { instant, lines, table } from './text.ts';
import {
  clearable,
  clearableSequence,
  readDocument,
  readDunningDays,
  readId,
  readInterest,
  readMcc,
  readMethod,
  readName,
  readPlan,
  readRateLimit,
  readRetries,
  readSecret,
  UsageError,
} from './values.ts';

const METHODS = `Payment methods: ${PAYMENT_METHODS.join(', ')}.`;
const PLAN = `Plan: ${Object.keys(PLANS).join(', ')}.`;
export function addMerchantCommands(group: Command, run: Run): void {
  group.description('Onboards merchants, shows them, and changes their settings.');
  addCreate(group, run);
  addSet(group, run);
  group
    .command('list')
    .description('List all merchants, oldest first.')
    .addHelpText('after', examples('merchant list', 'merchant list --json'))
    .action(() => run(listAll));
  withId(group, 'show', 'Show a merchant with its settings.').action((id) =>
    run(async ({ db }) => {
      const merchant = await findMerchantById(db, id);
      if (merchant === undefined) throw noMerchant(id);
      return outputOf(merchant);
    }),
  );
  addStatus(group, run, 'approve', 'approved', 'Allow a merchant to take payments.');
  addStatus(
    group,
    run,
    'suspend',
    'suspended',
    'Stop a merchant from taking payments. It can still read its data.',
  );
  withId(
    group,
    'replace-encryption-key',
    'Give a merchant a new encryption key and a new public key for cards, at once. The key is shown only once.',
  ).action((id) => run((operator) => replaceKey(operator, id)));
}

async function replaceKey(operator: Operator, id: string): Promise<Output> {
  if ((await findMerchantById(operator.db, id)) === undefined) throw noMerchant(id);
  const json = { merchant_id: id, encryption_key: await replaceEncryptionKey(operator, id) };
  return {
    json,
    text: `The merchant has new keys for cards. The key is shown only this once:\n${lines(json)}`,
  };
}

function addCreate(group: Command, run: Run): void {
  group
    .command('create')
    .description('Onboard a merchant. Its first API key and its encryption key are shown only once.')
    .requiredOption('--name <name>', 'Name of the merchant.', single('--name', readName))
    .option('--legal-name <name>', 'Legal name. Default: the name.', single('--legal-name', readName))
    .option('--document <number>', 'CPF or CNPJ, plain or formatted.', single('--document', readDocument))
    .option('--mcc <codes>', 'Merchant category codes of four digits.', list('--mcc', readMcc))
    .option('--methods <methods>', `${METHODS} Default: all.`, list('--methods', readMethod))
    .option('--plan <plan>', PLAN, single('--plan', readPlan))
    .option('--pending', 'Leave the merchant pending: it takes no payments until it is approved.')
    .addHelpText(
      'after',
      examples(
        'merchant create --name "Padaria Aurora"',
        'merchant create --name "Padaria Aurora" --document 11.222.333/0001-81 --mcc 5812 --methods pix,credit_card',
      ),
    )
    .action((options) =>
      run((operator) =>
        create(operator, {
          name: options.name,
          legalName: options.legalName,
          document: options.document,
          mccs: options.mcc,
          paymentMethods: options.methods,
          plan: options.plan,
          status: options.pending ? 'pending' : 'approved',
        }),
      ),
    );
}

async function create(operator: Operator, input: NewMerchantInput): Promise<Output> {
  const { merchant, apiKey, encryptionKey } = await createMerchant(operator, input, returnResult);
  const json = { merchant_id: merchant.merchantId, api_key: apiKey, encryption_key: encryptionKey };
  const title = `${merchant.name} is ${merchant.status}. The keys are shown only this once:`;
  return { json, text: `${title}\n${lines(json)}` };
}

async function listAll({ db }: Operator): Promise<Output> {
  const merchants = (await listMerchants(db)).map(merchantJson);
  const columns = merchants.map(({ merchant_id, name, status, plan, created_at }) => ({
    merchant_id,
    name,
    status,
    plan,
    created_at,
  }));
  return { json: merchants, text: table(columns, 'There are no merchants yet.') };
}

function addStatus(
  group: Command,
  run: Run,
  verb: string,
  status: MerchantStatus,
  description: string,
): void {
  withId(group, verb, description).action((id) => run((operator) => change(operator, id, { status })));
}

function withId(group: Command, verb: string, description: string) {
  return group
    .command(verb)
    .description(description)
    .argument('<merchant-id>', 'Id of the merchant.', (text) => readId(text, 'merchant-id'))
    .addHelpText('after', examples(`merchant ${verb} ${SAMPLE_ID}`));
}

function addSet(group: Command, run: Run): void {
  group
    .command('set')
    .description('Change settings of a merchant. The value "default" or "none" removes a setting.')
    .requiredOption('--merchant <id>', 'Id of the merchant.', single('--merchant', readId))
    .option('--name <name>', 'Name of the merchant.', single('--name', readName))
    .option('--legal-name <name>', 'Legal name.', single('--legal-name', readName))
    .option('--document <number>', 'CPF or CNPJ, or "none".', single('--document', clearable(readDocument)))
    .option('--mcc <codes>', 'Merchant category codes of four digits.', list('--mcc', readMcc))
    .option('--methods <methods>', METHODS, list('--methods', readMethod))
    .option('--plan <plan>', PLAN, single('--plan', readPlan))
    .option(
      '--rate-limit <requests>',
      'Requests of each key per minute, or "default". It does not lower the limit of buyers.',
      single('--rate-limit', clearable(readRateLimit)),
    )
    .option(
      '--webhook-retries <delays>',
      'Delay before each retry, such as 5s,5m,1h, or "default".',
      sequence('--webhook-retries', clearableSequence(readRetries)),
    )
    .option(
      '--dunning-days <days>',
      'Days after the due date on which a refused card of a subscription is retried, such as 1,3,5,7, or "default".',
      sequence('--dunning-days', clearableSequence(readDunningDays)),
    )
    .option(
      '--installment-interest <rates>',
      'Interest that buyers pay for installments, in basis points, such as 2=199,3=299, or "none".',
      sequence('--installment-interest', clearableSequence(readInterest)),
    )
    .option(
      '--notification-secret <secret>',
      'Secret that signs notifications (whsec_…), or "none".',
      single('--notification-secret', clearable(readSecret)),
    )
    .addHelpText(
      'after',
      examples(
        `merchant set --merchant ${SAMPLE_ID} --rate-limit 1200`,
        `merchant set --merchant ${SAMPLE_ID} --webhook-retries 1s,2s,4s --dunning-days 1,3,5,7`,
        `merchant set --merchant ${SAMPLE_ID} --webhook-retries default`,
      ),
    )
    .action((options) => {
      const settings = {
        name: options.name,
        legalName: options.legalName,
        document: options.document?.value,
        mccs: options.mcc,
        paymentMethods: options.methods,
        plan: options.plan,
        rateLimitPerMinute: options.rateLimit?.value,
        webhookRetries_ms: options.webhookRetries?.value,
        dunningDays: options.dunningDays?.value,
        installmentInterest: options.installmentInterest?.value,
        notificationSecret: options.notificationSecret?.value,
      };
      const given = Object.entries(settings).filter(([, value]) => value !== undefined);
      if (given.length === 0) throw new UsageError('merchant set needs at least one setting to change.');
      return run((operator) => change(operator, options.merchant, Object.fromEntries(given)));
    });
}

async function change(operator: Operator, id: string, settings: MerchantSettings): Promise<Output> {
  if ((await findMerchantById(operator.db, id)) === undefined) throw noMerchant(id);
  return outputOf(await changeSettings(operator, id, settings));
}

export function noMerchant(id: string): UsageError {
  return new UsageError(`There is no merchant ${id}.`);
}

function outputOf(merchant: MerchantRecord): Output {
  const json = merchantJson(merchant);
  return { json, text: lines(json) };
}

function merchantJson(merchant: MerchantRecord) {
  return {
    merchant_id: merchant.merchantId,
    name: merchant.name,
    legal_name: merchant.legalName,
    document: merchant.document,
    status: merchant.status,
    plan: merchant.plan,
    mccs: merchant.mccs,
    payment_methods: merchant.paymentMethods,
    rate_limit: merchant.rateLimitPerMinute,
    webhook_retries_ms: merchant.webhookRetries_ms,
    dunning_days: merchant.dunningDays,
    installment_interest: interestText(merchant.installmentInterest),
    created_at: instant(merchant.createdAt),
  };
}

/** As `--installment-interest` takes it. */
function interestText(interest: InterestTable | null): readonly string[] | null {
  return interest && Object.entries(interest).map(([installments, rate]) => `${installments}=${rate}`);
}
