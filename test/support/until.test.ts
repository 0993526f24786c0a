import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from './until.ts';

describe('until', () => {
  test('checks again until the condition holds', async () => {
    let asked = 0;
    await until('the third time', async () => ++asked === 3);
    assert.equal(asked, 3);
  });

  test('fails after its time-out with the name of the condition', async () => {
    await assert.rejects(
      until('the moon', () => false, 20),
      /not within 20 ms: the moon/,
    );
  });

  test('fails if the condition never resolves', async () => {
    await assert.rejects(
      until('the moon', () => new Promise(() => {}), 20),
      /not within 20 ms: the moon/,
    );
  });

  test('throws the error of the condition', async () => {
    const fails = () => Promise.reject(new Error('no sky'));
    await assert.rejects(until('the moon', fails), /no sky/);
  });
});
