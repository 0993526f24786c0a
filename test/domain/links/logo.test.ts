import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logoType } from '../../../domain/links/logo.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');

test('a logo is a PNG, a JPEG, a GIF or a WebP by its first bytes', () => {
  assert.equal(logoType(bytes('\x89PNG\r\n\x1a\n…')), 'image/png');
  assert.equal(logoType(bytes('\xff\xd8\xff\xe0')), 'image/jpeg');
  assert.equal(logoType(bytes('GIF87a')), 'image/gif');
  assert.equal(logoType(bytes('GIF89a')), 'image/gif');
  assert.equal(logoType(bytes('RIFF\n\0\r\0WEBPVP8L')), 'image/webp');
});

test('other files are no logos, and neither are files that begin before an image', () => {
  for (const text of [
    '',
    '\x89PNG',
    ' \x89PNG\r\n\x1a\n',
    '\xff\xd8',
    'GIF88a',
    'RIFF\n\0\r\0WAVEfmt ',
    'RIFFWEBP',
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '<!doctype html>',
    'BM',
    '%PDF-1.7',
  ]) {
    assert.equal(logoType(bytes(text)), null, text);
  }
});
