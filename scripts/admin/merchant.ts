import { findMerchantById, listMerchants, type MerchantRecord } from '../../db/merchants/merchants.ts';
import type { MerchantStatus } from '../../domain/merchants/merchant.ts';
import { keep } from '../../services/deps.ts';
import { changeMerchant, type MerchantSettings } from '../../services/merchants/change-merchant.ts';
import { createMerchant } from '../../services/merchants/create-merchant.ts';
import { type Command, command } from './command.ts';
import { many, one, required, series, toggle } from './flags.ts';
import type { Operator } from './operator.ts';
import { instant, lines, table } from './text.ts';
import {
  clearable,
  clearableSeries,
  readDocument,
  readDunningDays,
  readId,
  readMcc,
  readMethod,
  readName,
  readPlan,
  readRateLimit,
  readRetries,
  readSecret,
  UsageError,
} from './values.ts';

const create = command({
  name: 'merchant create',
  summary: 'Onboards a merchant and shows its first API key and its encryption key, this once.',
  flags: {
    name: required('N', readName),
    'legal-name': one('L', readName),
    document: one('D', readDocument),
    mcc: many('5734', readMcc),
    methods: many('pix', readMethod),
    plan: one('P', readPlan),
    pending: toggle(),
  },
  async run(operator, values) {
    const input = {
      name: values.name,
      legalName: values['legal-name'],
      document: values.document,
      mccs: values.mcc,
      paymentMethods: values.methods,
      plan: values.plan,
      status: values.pending ? ('pending' as const) : ('approved' as const),
    };
    const { merchant, apiKey, encryptionKey } = await createMerchant(operator, input, keep);
    const json = { merchant_id: merchant.merchantId, api_key: apiKey, encryption_key: encryptionKey };
    const title = `${merchant.name} is ${merchant.status}. The keys are shown this once:`;
    return { json, text: `${title}\n${lines(json)}` };
  },
});

const list = command({
  name: 'merchant list',
  summary: 'Lists all merchants, oldest first.',
  async run({ db }) {
    const merchants = (await listMerchants(db)).map(merchantJson);
    const columns = merchants.map(({ merchant_id, name, status, plan, created_at }) => ({
      merchant_id,
      name,
      status,
      plan,
      created_at,
    }));
    return { json: merchants, text: table(columns, 'There is no merchant yet.') };
  },
});

const show = command({
  name: 'merchant show',
  summary: 'Shows a merchant with its settings.',
  argument: 'ID',
  async run({ db }, _values, id) {
    const merchant = await findMerchantById(db, id);
    if (merchant === undefined) throw noMerchant(id);
    return outputOf(merchant);
  },
});

const approve = statusCommand('approve', 'approved', 'Lets a merchant take payments.');
const suspend = statusCommand('suspend', 'suspended', 'Stops a merchant from taking payments; reads go on.');

function statusCommand(verb: string, status: MerchantStatus, summary: string): Command {
  return command({
    name: `merchant ${verb}`,
    summary,
    argument: 'ID',
    run: (operator, _values, id) => change(operator, id, { status }),
  });
}

const set = command({
  name: 'merchant set',
  summary: 'Changes settings; "default" or "none" takes one back.',
  flags: {
    merchant: required('ID', readId),
    name: one('N', readName),
    'legal-name': one('L', readName),
    document: one('D', clearable(readDocument)),
    mcc: many('5734', readMcc),
    methods: many('pix', readMethod),
    plan: one('P', readPlan),
    'rate-limit': one('N', clearable(readRateLimit)),
    'webhook-retries': series('1s,2s,4s', clearableSeries(readRetries)),
    'dunning-days': series('1,3,5,7', clearableSeries(readDunningDays)),
    'notification-secret': one('S', clearable(readSecret)),
  },
  run(operator, values) {
    const settings = {
      name: values.name,
      legalName: values['legal-name'],
      document: values.document,
      mccs: values.mcc,
      paymentMethods: values.methods,
      plan: values.plan,
      rateLimitPerMinute: values['rate-limit'],
      webhookRetries_ms: values['webhook-retries'],
      dunningDays: values['dunning-days'],
      notificationSecret: values['notification-secret'],
    };
    const given = Object.entries(settings).filter(([, value]) => value !== undefined);
    if (given.length === 0) throw new UsageError('merchant set needs at least one setting to change.');
    return change(operator, values.merchant, Object.fromEntries(given));
  },
});

async function change(operator: Operator, id: string, settings: MerchantSettings) {
  if ((await findMerchantById(operator.db, id)) === undefined) throw noMerchant(id);
  return outputOf(await changeMerchant(operator, id, settings));
}

export function noMerchant(id: string): UsageError {
  return new UsageError(`There is no merchant ${id}.`);
}

function outputOf(merchant: MerchantRecord) {
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
    created_at: instant(merchant.createdAt),
  };
}

export const merchantCommands = [create, list, show, approve, suspend, set];
