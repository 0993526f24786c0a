import type { Command } from '@commander-js/extra-typings';
import { findApiKeyById, listApiKeys } from '../../db/merchants/api-keys.ts';
import { findMerchantById } from '../../db/merchants/merchants.ts';
import type { ApiKey, ApiKeyStatus } from '../../domain/merchants/api-key.ts';
import { PERMISSIONS } from '../../domain/merchants/plans.ts';
import { changeApiKey } from '../../services/merchants/change-api-key.ts';
import { createApiKey } from '../../services/merchants/create-api-key.ts';
import { Refusal } from '../../services/refusal.ts';
import { examples, type Output, type Run, SAMPLE_ID } from './command.ts';
import { noMerchant } from './merchant.ts';
import type { Operator } from './operator.ts';
import { list, single } from './options.ts';
import { instant, lines, table } from './text.ts';
import { readId, readName, readPermission, UsageError } from './values.ts';

export function addKeyCommands(group: Command, run: Run): void {
  group.description('Creates, lists and changes API keys.');
  addCreate(group, run);
  group
    .command('list')
    .description('List the API keys of a merchant, oldest first.')
    .requiredOption('--merchant <id>', 'Id of the merchant.', single('--merchant', readId))
    .addHelpText('after', examples(`key list --merchant ${SAMPLE_ID}`))
    .action(({ merchant }) => run((operator) => listAll(operator, merchant)));
  addStatus(
    group,
    run,
    'disable',
    'disabled',
    'Refuse a key with 403 until it is enabled. For a merchant who asks to switch it off.',
  );
  addStatus(group, run, 'enable', 'active', 'Accept a disabled or suspended key again.');
  addStatus(
    group,
    run,
    'suspend',
    'suspended',
    'Refuse a key with 403 until it is enabled. For an operator who suspects misuse.',
  );
  addStatus(
    group,
    run,
    'revoke',
    'revoked',
    'Refuse a key with 401 from the next request on. This is final.',
  );
}

function addCreate(group: Command, run: Run): void {
  group
    .command('create')
    .description('Create an API key. It is shown only once.')
    .requiredOption('--merchant <id>', 'Id of the merchant.', single('--merchant', readId))
    .requiredOption('--name <name>', 'Name of the key.', single('--name', readName))
    .option(
      '--permissions <permissions>',
      `Permissions: ${PERMISSIONS.join(', ')}. Default: all.`,
      list('--permissions', readPermission),
    )
    .addHelpText(
      'after',
      examples(
        `key create --merchant ${SAMPLE_ID} --name "Back office"`,
        `key create --merchant ${SAMPLE_ID} --name "Web shop" --permissions customers:write,payments:write`,
      ),
    )
    .action(({ merchant, name, permissions = null }) =>
      run((operator) => create(operator, merchant, { name, permissions })),
    );
}

interface NewKey {
  readonly name: string;
  /** Null: all permissions. */
  readonly permissions: readonly string[] | null;
}

async function create(operator: Operator, merchantId: string, input: NewKey): Promise<Output> {
  const merchant = await findMerchantById(operator.db, merchantId);
  if (merchant === undefined) throw noMerchant(merchantId);
  const { record, apiKey } = await createApiKey(operator, operator.db, merchant, input);
  const json = { id: record.id, api_key: apiKey };
  return {
    json,
    text: `The key ${record.name} of ${merchant.name} is shown only this once:\n${lines(json)}`,
  };
}

async function listAll({ db }: Operator, merchantId: string): Promise<Output> {
  const merchant = await findMerchantById(db, merchantId);
  if (merchant === undefined) throw noMerchant(merchantId);
  const keys = (await listApiKeys(db, merchant)).map(keyJson);
  const rows = keys.map((key) => ({ ...key, permissions: key.permissions ?? 'all' }));
  return { json: keys, text: table(rows, `${merchant.name} has no API keys.`) };
}

function addStatus(group: Command, run: Run, verb: string, status: ApiKeyStatus, description: string): void {
  group
    .command(verb)
    .description(description)
    .argument('<key-id>', 'Id of the API key.', (text) => readId(text, 'key-id'))
    .addHelpText('after', examples(`key ${verb} ${SAMPLE_ID}`))
    .action((id) => run((operator) => changeStatus(operator, id, status)));
}

async function changeStatus({ db }: Operator, id: string, status: ApiKeyStatus): Promise<Output> {
  if ((await findApiKeyById(db, id)) === undefined) throw new UsageError(`There is no API key ${id}.`);
  const key = await changeApiKey({ db }, id, status).catch((error: unknown) => {
    throw error instanceof Refusal && error.reason === 'wrong_state'
      ? new UsageError(`The key ${id} is revoked, which is final.`)
      : error;
  });
  return { json: keyJson(key), text: `The key ${key.name} (${id}) is ${status}.` };
}

function keyJson(key: ApiKey) {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    last_4: key.last4,
    status: key.status,
    created_at: instant(key.createdAt),
    last_used_at: key.lastUsedAt === null ? null : instant(key.lastUsedAt),
    permissions: key.permissions,
  };
}
