import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readValidationUrl } from '../../../domain/wallet/validation-url.ts';

const HOSTS = ['wallet.example', 'gateway.wallet.example:8443'];

describe('a validation URL', () => {
  it('is an https URL with a host of the list, in any spelling', () => {
    for (const url of [
      'https://wallet.example/session/1?x=2',
      'https://WALLET.example/session',
      'HTTPS://wallet.example',
      'https://wallet.example:443/',
      'https://gateway.wallet.example:8443/',
    ]) {
      assert.notEqual(readValidationUrl(url, HOSTS), null, url);
    }
  });

  it('has no other host, port or scheme, and no credentials', () => {
    for (const url of [
      'http://wallet.example/',
      'https://wallet.example:8443/',
      'https://gateway.wallet.example/',
      'https://wallet.example./',
      'https://xwallet.example/',
      'https://wallet.example.evil.example/',
      'https://wallet.example@evil.example/',
      'https://@wallet.example/',
      'https://evil.example\\@wallet.example/',
      'https://evil.example/?wallet.example',
      'https://evil.example#wallet.example',
      'https://wallet.exam\tple/',
      ' https://wallet.example/',
      'https:wallet.example/',
      'https:/wallet.example/',
      '//wallet.example/',
      'wallet.example',
      '',
    ]) {
      assert.equal(readValidationUrl(url, HOSTS), null, url);
    }
  });
});
