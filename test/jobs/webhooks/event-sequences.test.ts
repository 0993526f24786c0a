/** Every sequence of events in the contract is what a merchant sees who follows its steps. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { sharedService } from '../../support/shared-service.ts';
import { documented, replay, SEQUENCES } from '../../support/webhooks/event-sequences.ts';

const service = await sharedService({ jobs: false });
beforeEach(() => service.setAhead(0));

describe('the sequences of events in the contract', () => {
  for (const [name, sequence] of Object.entries(SEQUENCES)) {
    const hasOptional = sequence.steps.some(({ events }) => events.some(({ required }) => !required));
    for (const withOptional of hasOptional ? [false, true] : [false]) {
      it(`${name}${withOptional ? ', with its optional events' : ''}`, async () => {
        const expected = documented(sequence, withOptional);
        const { steps, listed } = await replay(service, sequence, withOptional);
        assert.deepEqual(steps, expected);
        assert.deepEqual(listed, expected.flat());
      });
    }
  }
});
