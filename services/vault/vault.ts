import {
  type CipherKey,
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import type { Database } from '../../db/engine/database.ts';
import { insertVaultKey, listVaultKeys, updateWrapping } from '../../db/vault/vault-keys.ts';
import { RESTORE_SECRETS } from './local-secrets.ts';

/**
 * Seals data that must not be stored unencrypted: AES-256-GCM (NIST SP 800-38D) with versioned data keys. The data keys
 * are sealed with master keys of the configuration and stored in the database. `context` names the field and its row,
 * and is authenticated: a sealed value that was moved to another row does not open.
 */
export interface Vault {
  /** Layout: format (1 byte), key version (2), nonce (12), ciphertext, tag (16). */
  seal(plain: string | Buffer, context: string): Buffer;
  /** Throws `Unreadable`. */
  open(sealed: Buffer, context: string): Promise<Buffer>;
  /**
   * The same without reading the database, for use in a transaction: the transaction may hold the last connection.
   * Throws `KeyNotLoaded` for a key that another process may have added; see `withKeysLoaded`.
   */
  openLoaded(sealed: Buffer, context: string): Buffer;
  /** The version that `seal` uses now. */
  readonly version: number;
  /** Reads the data keys again, to use a version that another process added. */
  refresh(): Promise<void>;
  /** Adds a version and uses it. Returns the new version. */
  addVersion(): Promise<number>;
}

/** A value cannot be read: it was changed, belongs to another context, or its key was deleted. */
export class Unreadable extends Error {}

/**
 * This process does not have the key version that a sealed value names: it is new, or was deleted. A version that is
 * not found when the keys are read again was deleted.
 */
export class KeyNotLoaded extends Unreadable {}

const FORMAT = 1;
const HEADER_BYTES = 3;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const WRAPPING_CONTEXT = 'vault-key';

/** The key version that a sealed value names. */
function sealedVersion(sealed: Buffer): number {
  if (sealed.length < HEADER_BYTES) throw new Unreadable('A sealed value is too short.');
  return sealed.readUInt16BE(1);
}

/** How often the data keys are read again for one `work`, which can need several versions. */
const MAX_REFRESHES = 10;

/**
 * Runs `work`. When it needs a key version that is not loaded, reads the data keys again and runs it again. Each run
 * can need another version.
 */
export async function withKeysLoaded<R>(vault: Pick<Vault, 'refresh'>, work: () => Promise<R>): Promise<R> {
  for (let refreshes = 0; ; refreshes += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof KeyNotLoaded) || refreshes === MAX_REFRESHES) throw error;
      await vault.refresh();
    }
  }
}

/** Opens the data keys, and creates the first one in an empty database. `masterKeys`: 32 bytes each, newest first. */
export async function openVault(db: Database, masterKeys: readonly Buffer[]): Promise<Vault> {
  if (masterKeys.length === 0 || masterKeys.some((key) => key.length !== KEY_BYTES)) {
    throw new Error('The vault needs at least one master key of 32 bytes.');
  }
  const newestMaster = masterKeys[0]!;
  /** By version. Node makes a cipher of a key object in a fifth of the time of bytes. */
  const ring = new Map<number, KeyObject>();
  /**
   * The versions that are not loaded and were asked for since the keys were last read, and those that were not found.
   */
  const wanted = new Set<number>();
  const deleted = new Set<number>();
  let current = 0;

  async function refresh(): Promise<void> {
    const asked = [...wanted];
    wanted.clear();
    for (const { version, wrappedKey } of await listVaultKeys(db)) {
      if (!ring.has(version)) ring.set(version, createSecretKey(unwrap(wrappedKey, version, masterKeys)));
      current = Math.max(current, version);
    }
    for (const version of asked) if (!ring.has(version)) deleted.add(version);
  }

  /** Adds this version unless another process adds it first, and uses the newest. */
  async function add(version: number): Promise<number> {
    const wrappedKey = encrypt(
      randomBytes(KEY_BYTES),
      newestMaster,
      version,
      `${WRAPPING_CONTEXT}:${version}`,
    );
    await insertVaultKey(db, { version, wrappedKey }, new Date());
    await refresh();
    return current;
  }

  function openLoaded(sealed: Buffer, context: string): Buffer {
    const version = sealedVersion(sealed);
    const key = ring.get(version);
    if (key === undefined) throw missing(version);
    try {
      return decrypt(sealed, key, context);
    } catch (cause) {
      throw new Unreadable('A sealed value does not open.', { cause });
    }
  }

  function missing(version: number): Unreadable {
    const message = `The vault has no key of version ${version}.`;
    if (deleted.has(version)) return new Unreadable(message);
    wanted.add(version);
    return new KeyNotLoaded(message);
  }

  async function open(sealed: Buffer, context: string): Promise<Buffer> {
    // After the loss of the newest key, the next one has the same version.
    deleted.delete(sealedVersion(sealed));
    return withKeysLoaded({ refresh }, async () => openLoaded(sealed, context));
  }

  async function addVersion(): Promise<number> {
    await refresh();
    return add(current + 1);
  }

  await refresh();
  // Not `addVersion`: processes that start at the same time on an empty database must create one key, not one each.
  if (current === 0) await add(1);
  return {
    get version() {
      return current;
    },
    refresh,
    addVersion,
    seal: (plain, context) => encrypt(toBuffer(plain), ring.get(current)!, current, context),
    open,
    openLoaded,
  };
}

/** Seals every data key again with the newest master key, so that an old master key can be removed. */
export async function rewrapVaultKeys(db: Database, masterKeys: readonly Buffer[]): Promise<number> {
  const keys = await listVaultKeys(db);
  for (const { version, wrappedKey } of keys) {
    const plain = unwrap(wrappedKey, version, masterKeys);
    const context = `${WRAPPING_CONTEXT}:${version}`;
    await updateWrapping(db, { version, wrappedKey: encrypt(plain, masterKeys[0]!, version, context) });
  }
  return keys.length;
}

function unwrap(wrapped: Buffer, version: number, masterKeys: readonly Buffer[]): Buffer {
  for (const master of masterKeys) {
    try {
      return decrypt(wrapped, master, `${WRAPPING_CONTEXT}:${version}`);
    } catch {
      // Sealed with another master key: try the next one.
    }
  }
  throw new Error(
    `No key of VAULT_KEYS opens the vault. An older one may be missing from the list. ${RESTORE_SECRETS}`,
  );
}

function encrypt(plain: Buffer, key: CipherKey, version: number, context: string): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(FORMAT, 0);
  header.writeUInt16BE(version, 1);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.concat([header, Buffer.from(context)]));
  const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([header, nonce, ciphertext, cipher.getAuthTag()]);
}

function decrypt(sealed: Buffer, key: CipherKey, context: string): Buffer {
  if (sealed.length < HEADER_BYTES + NONCE_BYTES + TAG_BYTES || sealed.readUInt8(0) !== FORMAT) {
    throw new Error('Not a sealed value.');
  }
  const header = sealed.subarray(0, HEADER_BYTES);
  const nonce = sealed.subarray(HEADER_BYTES, HEADER_BYTES + NONCE_BYTES);
  const ciphertext = sealed.subarray(HEADER_BYTES + NONCE_BYTES, sealed.length - TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.concat([header, Buffer.from(context)]));
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
}

function toBuffer(plain: string | Buffer): Buffer {
  return typeof plain === 'string' ? Buffer.from(plain, 'utf8') : plain;
}
