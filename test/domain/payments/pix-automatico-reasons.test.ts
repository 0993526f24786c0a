import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
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
