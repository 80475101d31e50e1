/** A far end refers a call to another party (RFC 3515, RFC 5589 section 6), over real sockets. */
import { describe, expect, it } from 'vitest';
import type { CallLeg } from '../src/call-leg.ts';
import type { SipEndpoint } from '../src/sip/sip-endpoint-port.ts';
import { LegEvents } from './leg-events.ts';
import { startSilentEndpoint } from './silent-endpoint.ts';

const PARTY = '+12025550199';

/** An answered call between the transferor and us, and the endpoint of the party to which it refers us. */
async function setup(acceptsRefer = true) {
  const [transferor, ours, party] = [
    await startSilentEndpoint(),
    await startSilentEndpoint(),
    await startSilentEndpoint(),
  ];
  const legOf = async ({ endpoint }: typeof ours): Promise<CallLeg> =>
    new Promise((resolve) => {
      endpoint.onIncoming(resolve);
    });
  const [arrived, rang] = [legOf(ours), legOf(party)];
  const callTo = (endpoint: SipEndpoint, sipCallId: string) => ({
    from: '+12025550100',
    to: PARTY,
    sipCallId,
    trunk: { ...endpoint.address(), transport: 'udp' as const, acceptsRefer },
    ringTimeoutMs: 5000,
  });
  const theirs = transferor.endpoint.dial(callTo(ours.endpoint, 'first@test'));
  const their = new LegEvents(theirs);
  const leg = await arrived;
  const events = new LegEvents(leg);
  await leg.answer({ acceptsRefer });
  await their.next('answered');
  await events.next('answered');
  const follow = async () => {
    const { referral } = await events.next('referral');
    const request = callTo(party.endpoint, 'second@test');
    const targets = await ours.endpoint.findTrunk(request.trunk);
    return { referral, outcome: ours.endpoint.follow(referral, { ...request, targets }) };
  };
  return { ours, theirs, their, leg, events, rang, follow };
}

describe('a far end that refers us to another party', () => {
  it('learns of the success, and the leg goes on with the party on the same media', async () => {
    const { ours, theirs, their, leg, events, rang, follow } = await setup();
    const transfer = theirs.transfer(PARTY, 5000);
    const { referral, outcome } = await follow();
    expect(referral).toMatchObject({ user: PARTY, isAttended: false });
    expect(referral.ownHosts).toContain(referral.host);
    const party = await rang;
    const partyEvents = new LegEvents(party);
    await party.answer();
    expect(await outcome).toEqual({ isConnected: true, sipStatus: 200 });
    expect(await transfer).toEqual({ result: 'transferred', sipStatus: 200 });
    expect(await events.next('replaced')).toMatchObject({ by: 'refer', dialog: { callId: 'second@test' } });
    await theirs.hangUp();
    expect(await their.end()).toMatchObject({ cause: 'local-hang-up' });
    expect(ours.media.opened).toHaveLength(1);
    expect(ours.media.opened[0]?.isClosed).toBe(false);
    await leg.hangUp();
    expect(await partyEvents.end()).toMatchObject({ cause: 'remote-hang-up' });
    expect(ours.endpoint.activeLegs()).toBe(0);
  });

  it('learns of the failure, and the call goes on', async () => {
    const { theirs, their, leg, events, rang, follow } = await setup();
    const transfer = theirs.transfer(PARTY, 5000);
    const { outcome } = await follow();
    (await rang).reject(486);
    expect(await outcome).toEqual({ isConnected: false, sipStatus: 486 });
    expect(await transfer).toEqual({ result: 'failed', sipStatus: 486 });
    expect(events.types()).not.toContain('ended');
    await leg.hangUp();
    expect(await their.end()).toMatchObject({ cause: 'remote-hang-up' });
  });

  it('may hang up while the party rings: the leg waits, and goes on with the party', async () => {
    const { theirs, events, rang, follow } = await setup();
    const transfer = theirs.transfer(PARTY, 5000);
    const { outcome } = await follow();
    const party = await rang;
    await theirs.hangUp();
    await transfer;
    expect(await events.next('held')).toMatchObject({ isHeld: true });
    await party.answer();
    expect(await outcome).toMatchObject({ isConnected: true });
    await events.next('replaced');
    const holds = events.all.flatMap((event) => (event.type === 'held' ? [event.isHeld] : []));
    expect(holds).toEqual([true, false]);
    await party.hangUp();
    expect(await events.end()).toMatchObject({ cause: 'remote-hang-up' });
  });

  it('ends the leg when it hangs up and the party does not answer', async () => {
    const { theirs, events, rang, follow } = await setup();
    const transfer = theirs.transfer(PARTY, 5000);
    const { outcome } = await follow();
    const party = await rang;
    await theirs.hangUp();
    await transfer;
    await events.next('held');
    party.reject(480);
    expect(await outcome).toEqual({ isConnected: false, sipStatus: 480 });
    expect(await events.end()).toMatchObject({ cause: 'remote-hang-up' });
  });

  it('learns of a refusal', async () => {
    const { theirs, events } = await setup();
    const transfer = theirs.transfer(PARTY, 5000);
    (await events.next('referral')).referral.refuse(403);
    expect(await transfer).toEqual({ result: 'refused', sipStatus: 403 });
  });

  it('gets 405 in a call that does not accept it', async () => {
    const { theirs, events } = await setup(false);
    expect(await theirs.transfer(PARTY, 5000)).toEqual({ result: 'refused', sipStatus: 405 });
    expect(events.types()).not.toContain('referral');
  });
});
