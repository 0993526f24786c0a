import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  MANDATE_CANCELLATIONS,
  mandateCancellation,
  mandateRejection,
  PIX_AUTOMATICO_REFUSALS,
  pixAutomaticoRefusal,
} from '../../../domain/payments/pix-automatico-reasons.ts';

describe('the refusals of Pix Automático', () => {
  const codes = Object.keys(PIX_AUTOMATICO_REFUSALS);

  it('have all codes of the attempts, and these are final', () => {
    assert.equal(
      codes.join(' '),
      'AB10 AC05 AC06 AM02 AM09 DENC DS27 DTED DTNT FBRD IRNT MIDI MSUC NIEC NIPA NITX QUNT RC09 UDEI',
    );
    const final = codes.filter((code) => !pixAutomaticoRefusal(code).retryable);
    assert.equal(final.join(' '), 'AC05 AM09 DENC DS27 DTED MIDI MSUC NITX RC09');
  });

  it('keep a code that is unknown, with a neutral sentence', () => {
    const refusal = {
      code: 'ZZ99',
      retryable: true,
      message: "The payer's bank refused the charge.",
    };
    assert.deepEqual(pixAutomaticoRefusal('ZZ99'), refusal);
    assert.deepEqual(pixAutomaticoRefusal('toString'), { ...refusal, code: 'toString' });
  });

  it('have a sentence of their own if the meaning is known', () => {
    assert.deepEqual(pixAutomaticoRefusal('AC05'), {
      code: 'AC05',
      retryable: false,
      message: "The payer's account is closed.",
    });
  });
});

describe('the rejection of a mandate', () => {
  it('is not retried', () => {
    assert.equal(mandateRejection('AP13').retryable, false);
  });
});

describe('the cancellation of a mandate', () => {
  it('has the reasons of Pix Automático', () => {
    const codes = ['ACCL', 'CPCL', 'DCSD', 'ERSL', 'FRUD', 'PCFD', 'SLCR', 'SLDB'];
    assert.deepEqual(Object.keys(MANDATE_CANCELLATIONS), codes);
  });

  it('is not retried, and keeps a code that is not known', () => {
    for (const code of [...Object.keys(MANDATE_CANCELLATIONS), 'ZZ99', 'toString']) {
      const { retryable, code: kept, message } = mandateCancellation(code);
      assert.deepEqual([retryable, kept], [false, code]);
      assert.match(message, /ended/);
    }
  });
});
