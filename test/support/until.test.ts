import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from './until.ts';

describe('until', () => {
  test('asks again until the condition holds', async () => {
    let asked = 0;
    await until('the third time', async () => ++asked === 3);
    assert.equal(asked, 3);
  });

  test('fails by what it waited for, where it does not come', async () => {
    await assert.rejects(
      until('the moon', () => false, 20),
      /not within 20 ms: the moon/,
    );
  });

  test('fails also when the condition never resolves', async () => {
    await assert.rejects(
      until('the moon', () => new Promise(() => {}), 20),
      /not within 20 ms: the moon/,
    );
  });

  test('passes on why the condition failed', async () => {
    const fails = () => Promise.reject(new Error('no sky'));
    await assert.rejects(until('the moon', fails), /no sky/);
  });
});
