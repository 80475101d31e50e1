/** A call whose far end refers the assistant to another party (REFER), on fake legs. */
import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { arrangeSession, transferTo, type SessionOptions } from '../test/arrange-session.ts';
import { freshNumber } from '../test/arrange-voice.ts';

const database = useTestDatabase();
const POLL = { timeout: 10_000 };

const accept = statement('', 'update trunks set incoming_refer = $1');
const dialogOf = statement<{ dialog: { callId: string } | null }>(
  '',
  'select dialog from live_calls where call_id = $1',
);
const legs = statement<{ phone: string }>(
  '',
  'select client_phone_number as phone from live_calls where bridged_call_id = $1 order by call_id',
);

/** A talking assistant on a trunk whose far end may refer calls. */
async function setup(
  setting = 'numbers',
  options: SessionOptions = { assistant: { reengagement_interval: 7 } },
) {
  const about = await arrangeSession(database.db, options);
  const { core, callId, leg, endpoint, talkUntilCheckIn } = about;
  await core.db.query(accept, [setting]);
  await talkUntilCheckIn();
  const followed = async () => {
    await expect.poll(() => endpoint.followed.length, POLL).toBeGreaterThan(0);
    return endpoint.followed.at(-1);
  };
  const refused = async (): Promise<string | undefined> => {
    await expect.poll(() => leg.requests.length, POLL).toBeGreaterThan(0);
    return leg.requests.at(-1);
  };
  const end = async (): Promise<void> => {
    leg.hangUpAtFarEnd();
    await about.session.finished;
  };
  const parties = async () => (await core.db.query(legs, [callId])).map(({ phone }) => phone);
  return { ...about, followed, refused, parties, hangUp: end };
}

describe('a session whose far end refers it to another party', () => {
  it('calls the party on the trunk of the call, and goes on with them', async () => {
    const { core, callId, leg, endpoint, session, followed, parties, types, hangUp } = await setup();
    const party = freshNumber();
    leg.referAtFarEnd({ user: party });
    const { request } = (await followed()) ?? {};
    expect(request).toMatchObject({ to: party, ringTimeoutMs: 45_000 });
    expect(request?.targets).toHaveLength(1);
    expect(await parties()).toEqual([party]);
    leg.replaceFarEnd('party@test');
    await expect.poll(types, POLL).toContain('far_end_referred');
    const [live] = await core.db.query(dialogOf, [callId]);
    expect(live?.dialog?.callId).toBe('party@test');
    expect(session.state()).toBe('talking');
    expect(leg.requests).toEqual([]);
    expect(await types()).toEqual(expect.arrayContaining(['far_end_referral', 'far_end_referred']));
    expect(endpoint.followed).toHaveLength(1);
    await hangUp();
    expect(await parties()).toEqual([]);
  });

  it('goes on with the far end if the party does not answer', async () => {
    const { leg, endpoint, session, parties, types, hangUp } = await setup();
    endpoint.referralOutcome = Promise.resolve({ isConnected: false, sipStatus: 486 });
    leg.referAtFarEnd({ user: freshNumber() });
    await expect.poll(types, POLL).toContain('call_bridge_ended');
    expect(await parties()).toEqual([]);
    expect(session.state()).toBe('talking');
    expect(leg.requests).toEqual([]);
    await hangUp();
  });

  it('goes on with the far end, and frees the place of the party, if its INVITE cannot be built', async () => {
    const { leg, endpoint, refused, session, parties, types, hangUp } = await setup();
    endpoint.fault = new Error('No INVITE');
    leg.referAtFarEnd({ user: freshNumber() });
    expect(await refused()).toBe('refuse 503');
    await expect.poll(types, POLL).toContain('call_bridge_ended');
    expect(await parties()).toEqual([]);
    expect(session.state()).toBe('talking');
    await hangUp();
  });

  it('frees the place of a party that refers it on', async () => {
    const { leg, followed, parties, endpoint, hangUp } = await setup();
    const [first, second] = [freshNumber(), freshNumber()];
    leg.referAtFarEnd({ user: first });
    await followed();
    leg.replaceFarEnd('first@test');
    leg.referAtFarEnd({ user: second });
    await expect.poll(() => endpoint.followed.length, POLL).toBe(2);
    await expect.poll(parties, POLL).toEqual([second]);
    await hangUp();
  });

  it.each([
    ['a party of another host', 'numbers', { user: freshNumber(), host: 'elsewhere.example' }, 'refuse 403'],
    ['no number', 'numbers', { user: 'bob' }, 'refuse 403'],
    ['an extension, unless the trunk allows it', 'numbers', { user: '2001' }, 'refuse 403'],
    ['a number where that has been forbidden meanwhile', 'refused', { user: freshNumber() }, 'refuse 403'],
  ])('refuses %s', async (_what, setting, party, refusal) => {
    const { leg, endpoint, refused, types, hangUp } = await setup(setting);
    leg.referAtFarEnd(party);
    expect(await refused()).toBe(refusal);
    await expect.poll(types, POLL).toContain('far_end_referral_refused');
    expect(endpoint.followed).toEqual([]);
    await hangUp();
  });

  it('refuses while another person is called', async () => {
    const { leg, endpoint, hangUp } = await setup('numbers', transferTo(freshNumber()));
    await expect.poll(() => endpoint.legs.length, POLL).toBe(1);
    leg.referAtFarEnd({ user: freshNumber() });
    await expect.poll(() => leg.requests.at(-1), POLL).toMatch(/^refuse/);
    expect(endpoint.followed).toEqual([]);
    await hangUp();
  });

  it('refuses while it ends', async () => {
    const { leg, session, refused, endpoint } = await setup();
    leg.confirmsHangUp = false;
    session.hangUp({ by: 'operator', reason: 'hang_up_requested' } as never);
    leg.requests.length = 0;
    leg.referAtFarEnd({ user: freshNumber() });
    expect(await refused()).toBe('refuse 603');
    expect(endpoint.followed).toEqual([]);
    leg.hangUpAtFarEnd();
    await session.finished;
  });
});
