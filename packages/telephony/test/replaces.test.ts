/** A party of the same host takes an answered call over (RFC 3891), over real sockets; a stranger cannot. */
import { describe, expect, it } from 'vitest';
import type { CallLeg, StoredDialog } from '../src/call-leg.ts';
import { answerCall } from './answer-call.ts';
import { LegEvents } from './leg-events.ts';
import { startSilentEndpoint } from './silent-endpoint.ts';

/** A call that was answered, and another endpoint that may take it over. */
async function setup(otherHost?: string) {
  const [caller, callee, other] = [
    await startSilentEndpoint(),
    await startSilentEndpoint(),
    await startSilentEndpoint(otherHost),
  ];
  const legs: CallLeg[] = [];
  callee.endpoint.onIncoming((leg) => {
    legs.push(leg);
    answerCall(leg);
  });
  const dial = ({ endpoint }: typeof caller, id: string, replaces?: string) => {
    const leg = endpoint.dial({
      from: '+12025550100',
      to: '+12025550101',
      sipCallId: id,
      trunk: { ...callee.endpoint.address(), transport: 'udp' },
      ringTimeoutMs: 5000,
      headers: replaces === undefined ? [] : [{ name: 'Replaces', value: replaces }],
    });
    return { leg, events: new LegEvents(leg) };
  };
  const first = dial(caller, 'first@test');
  const { dialog } = await first.events.next('answered');
  const [leg] = legs;
  if (!leg) throw new Error('The call did not arrive');
  const events = new LegEvents(leg);
  await events.next('answered');
  return { callee, other, first, leg, events, replaces: replacesOf(dialog), dial };
}

/** From the side of the caller: its own tag is the remote one of the callee. */
function replacesOf(dialog: StoredDialog | null): string {
  return `${dialog?.callId};from-tag=${dialog?.localTag};to-tag=${dialog?.remoteTag}`;
}

describe('a call that is taken over', () => {
  it('goes on with the new party on the same media, and the old party is hung up', async () => {
    const { callee, other, first, leg, events, replaces, dial } = await setup();
    const second = dial(other, 'second@test', replaces);
    await second.events.next('answered');
    const { dialog } = await events.next('replaced');
    expect(dialog.callId).toBe('second@test');
    expect(await first.events.end()).toMatchObject({ cause: 'remote-hang-up' });
    expect(callee.media.opened).toHaveLength(1);
    expect(callee.media.opened[0]?.isClosed).toBe(false);
    expect(callee.endpoint.activeLegs()).toBe(1);
    await leg.hangUp();
    expect(await second.events.end()).toMatchObject({ cause: 'remote-hang-up' });
    expect(await events.end()).toMatchObject({ cause: 'local-hang-up' });
    expect(callee.endpoint.activeLegs()).toBe(0);
  });

  it('can be taken over again, and ends when the last party hangs up', async () => {
    const { other, events, replaces, dial, first } = await setup();
    const second = dial(other, 'second@test', replaces);
    const { dialog } = await second.events.next('answered');
    await events.next('replaced');
    const third = dial(other, 'third@test', replacesOf(dialog));
    await third.events.next('answered');
    expect(await second.events.end()).toMatchObject({ cause: 'remote-hang-up' });
    expect(await first.events.end()).toMatchObject({ cause: 'remote-hang-up' });
    await third.leg.hangUp();
    expect(await events.end()).toMatchObject({ cause: 'remote-hang-up' });
  });

  it('is not taken over by another host, even with the right tags', async () => {
    const { other, first, events, leg, replaces, dial } = await setup('127.0.0.3');
    const second = dial(other, 'second@test', replaces);
    expect(await second.events.end()).toMatchObject({ sipStatus: 481 });
    expect(events.types()).toEqual(['answered']);
    expect(first.events.types()).not.toContain('ended');
    await leg.hangUp();
  });
});
