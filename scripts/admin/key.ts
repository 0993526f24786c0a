import {
  type ApiKeyRecord,
  findApiKeyById,
  type KeyStatus,
  listApiKeys,
} from '../../db/merchants/api-keys.ts';
import { findMerchantById } from '../../db/merchants/merchants.ts';
import { changeApiKey } from '../../services/merchants/change-api-key.ts';
import { createApiKey } from '../../services/merchants/create-api-key.ts';
import { Refusal } from '../../services/refusal.ts';
import { type Command, command } from './command.ts';
import { many, required } from './flags.ts';
import { noMerchant } from './merchant.ts';
import { instant, lines, table } from './text.ts';
import { readId, readName, readPermission, UsageError } from './values.ts';

const create = command({
  name: 'key create',
  summary: 'Makes an API key and shows it, this once. Without --permissions it may do everything.',
  flags: {
    merchant: required('ID', readId),
    name: required('N', readName),
    permissions: many('cards:read', readPermission),
  },
  async run(operator, { merchant: id, name, permissions }) {
    const merchant = await findMerchantById(operator.db, id);
    if (merchant === undefined) throw noMerchant(id);
    const input = { name, permissions: permissions ?? null };
    const { record, apiKey } = await createApiKey(operator, operator.db, merchant, input);
    const json = { id: record.id, api_key: apiKey };
    return { json, text: `The key ${name} of ${merchant.name} is shown this once:\n${lines(json)}` };
  },
});

const list = command({
  name: 'key list',
  summary: 'Lists the API keys of a merchant, oldest first.',
  flags: { merchant: required('ID', readId) },
  async run({ db }, { merchant: id }) {
    const merchant = await findMerchantById(db, id);
    if (merchant === undefined) throw noMerchant(id);
    const keys = (await listApiKeys(db, merchant)).map(keyJson);
    const rows = keys.map((key) => ({ ...key, permissions: key.permissions ?? 'all' }));
    return { json: keys, text: table(rows, `${merchant.name} has no API key.`) };
  },
});

function statusCommand(verb: string, status: KeyStatus, summary: string): Command {
  return command({
    name: `key ${verb}`,
    summary,
    argument: 'KEY_ID',
    async run({ db }, _values, id) {
      if ((await findApiKeyById(db, id)) === undefined) throw new UsageError(`There is no API key ${id}.`);
      const key = await changeApiKey({ db }, id, status).catch((error: unknown) => {
        throw error instanceof Refusal && error.kind === 'invalid'
          ? new UsageError(`The key ${id} is revoked, and a revocation is final.`)
          : error;
      });
      return { json: keyJson(key), text: `The key ${key.name} (${id}) is ${status}.` };
    },
  });
}

function keyJson(key: ApiKeyRecord) {
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

export const keyCommands = [
  create,
  list,
  statusCommand('disable', 'disabled', 'Refuses a key with 403 until it is enabled.'),
  statusCommand('enable', 'active', 'Lets a disabled or suspended key work again.'),
  statusCommand('suspend', 'suspended', 'Refuses a key with 403 until it is enabled.'),
  statusCommand('revoke', 'revoked', 'Ends a key for good; it is refused with 401 from the next request on.'),
];
