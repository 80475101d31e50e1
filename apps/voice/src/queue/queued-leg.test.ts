import type { LegEvent } from '@parley/telephony';
import { FakeLeg } from '@parley/telephony/fakes';
import { expect, it } from 'vitest';
import { QueuedLeg } from './queued-leg.ts';

it('keeps the answer and the newest hold for the session, and no keys', () => {
  const real = new FakeLeg({ id: 'waits@test', direction: 'inbound' });
  const queued = new QueuedLeg(real, () => undefined);
  real.answerAtFarEnd();
  for (let round = 0; round < 50; round += 1) {
    real.holdAtFarEnd(true);
    real.pressAtFarEnd('1');
    real.holdAtFarEnd(false);
  }
  real.holdAtFarEnd(true);
  real.moveFarEnd('sip:moved@127.0.0.1');
  const events: LegEvent[] = [];
  queued.leg.onEvent((event) => events.push(event));
  expect(events).toMatchObject([
    { type: 'answered', dialog: { remoteTarget: 'sip:moved@127.0.0.1' } },
    { type: 'held', isHeld: true },
  ]);
  real.pressAtFarEnd('2');
  expect(events.at(-1)).toMatchObject({ type: 'dtmf', digit: '2' });
});
