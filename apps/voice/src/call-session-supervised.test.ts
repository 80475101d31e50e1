/** A live call with supervisors: an operator transfers it by hand, and a connection to a browser that fails. */
import { addToDoNotCallList } from '@parley/core';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import {
  arrangeSession,
  joined,
  placeBrowserCall,
  transferTo,
  type SessionOptions,
} from '../test/arrange-session.ts';
import { freshNumber } from '../test/arrange-voice.ts';

const database = useTestDatabase();
const POLL = { timeout: 10_000 };
const OPERATOR = { by: 'operator', reason: 'hang_up_requested' } as const;

const setup = (options?: SessionOptions) => arrangeSession(database.db, options);

describe('a call that an operator transfers', () => {
  async function talking(options: Parameters<typeof setup>[0]) {
    const about = await setup(options);
    about.answer();
    await expect.poll(async () => (await about.end())?.status, POLL).toBe('in-progress');
    await about.talk(1_000);
    return about;
  }

  it('is bridged where the trunk cannot transfer, and a person who took it over is disconnected', async () => {
    const to = freshNumber();
    const { leg, endpoint, session, talk, end, types } = await talking({ ...transferTo(to), answers: [] });
    const socket = supervisorSocket();
    const issued = session.supervision.issueTicket('talk', false);
    session.supervision.accept(socket, typeof issued === 'string' ? '' : issued.ticket);
    expect(socket.messages[0]).toEqual({ type: 'talking', destinations: ['Ann'] });
    expect(session.transfer('Ann')).toBeNull();
    await expect.poll(() => endpoint.legs.length, POLL).toBe(1);
    const [second] = endpoint.legs;
    if (!second) throw new Error('No second leg was dialed');
    second.answerAtFarEnd();
    await expect.poll(() => joined(leg, second, talk), POLL).toBe(true);
    expect(socket.closed).toBe('The call was transferred');
    leg.hangUpAtFarEnd();
    await session.finished;
    expect(leg.requests).toEqual([`transfer ${to}`]);
    expect(await types()).toEqual(
      expect.arrayContaining(['transfer_requested', 'call_transfer', 'call_bridge']),
    );
    expect(await end()).toMatchObject({ endedReason: 'call_transfer' });
  });

  it('is over for us where the trunk transfers it', async () => {
    const to = freshNumber();
    const { leg, session, end } = await talking({ ...transferTo(to), answers: [] });
    leg.transferOutcome = { result: 'transferred', sipStatus: 200 };
    expect(session.transfer('Ann')).toBeNull();
    await session.finished;
    expect(leg.requests).toEqual([`transfer ${to}`, 'hang-up']);
    expect(await end()).toMatchObject({ endedReason: 'call_transfer', isLive: false });
  });

  it('may end before the other person answers, which is no failure', async () => {
    const { leg, endpoint, session, voice, types } = await talking({
      ...transferTo(freshNumber()),
      answers: [],
    });
    expect(session.transfer('Ann')).toBeNull();
    await expect.poll(() => endpoint.legs.length, POLL).toBe(1);
    leg.hangUpAtFarEnd();
    await session.finished;
    await voice.background.settled();
    expect(endpoint.legs[0]?.requests).toEqual(['hang-up']);
    expect(await types()).not.toContain('transfer_failed');
  });

  it('goes on when the number is on the do-not-call list', async () => {
    const to = freshNumber();
    const { leg, session, core, identity, types } = await talking({ ...transferTo(to), answers: [] });
    await addToDoNotCallList(core, identity, { phoneNumber: to });
    expect(session.transfer('Ann')).toBeNull();
    await expect.poll(types, POLL).toContain('transfer_failed');
    expect(session.state()).toBe('talking');
    leg.hangUpAtFarEnd();
    await session.finished;
    expect(leg.requests).toEqual([]);
    expect(await types()).toContain('call_transfer_refused');
  });

  it('is refused for another destination, for a browser, and before the answer', async () => {
    const to = freshNumber();
    const early = await setup(transferTo(to));
    expect(early.session.transfer('Ann')).toBe('The customer and the assistant are not talking.');
    const { session } = await talking({ ...transferTo(to), answers: [] });
    expect(session.transfer('Bo')).toBe('This assistant has no such destination.');
    const web = await talking({ ...transferTo(to), place: placeBrowserCall, answers: [] });
    expect(web.session.transfer('Ann')).toBe('This assistant has no such destination.');
    for (const { leg } of [early, web]) leg.hangUpAtFarEnd();
    session.hangUp(OPERATOR);
    await Promise.all([early.session, session, web.session].map(({ finished }) => finished));
  });
});

describe('a call with supervisors', () => {
  it('shows them what is said, and its end', async () => {
    const { leg, session, answer, talk, end } = await setup();
    answer();
    await expect.poll(async () => (await end())?.status, POLL).toBe('in-progress');
    const socket = listenTo(session, false);
    await talk(3_000);
    expect(socket.messages).toContainEqual(expect.objectContaining({ type: 'turn', text: 'Hello.' }));
    leg.hangUpAtFarEnd();
    await session.finished;
    expect(socket.messages.at(-1)).toEqual({ type: 'ended' });
    expect(socket.closed).toBe('The call has ended');
  });

  it('shows them nothing before the customer has heard that, if it is to be announced', async () => {
    const { leg, session, answer, talk, end, types } = await setup();
    answer();
    await expect.poll(async () => (await end())?.status, POLL).toBe('in-progress');
    await talk(3_000);
    const socket = listenTo(session, true);
    expect(socket.messages).toEqual([{ type: 'announcing' }]);
    await talk(6_000);
    expect(socket.messages).toContainEqual(expect.objectContaining({ type: 'listening' }));
    leg.hangUpAtFarEnd();
    await session.finished;
    expect(await types()).toContain('listening_announced');
  });

  it('goes on when showing it to them fails', async () => {
    const { leg, session, answer, talk, end, log } = await setup();
    answer();
    await expect.poll(async () => (await end())?.status, POLL).toBe('in-progress');
    const socket = listenTo(session, false);
    socket.fault = new Error('broken');
    await talk(1_000);
    expect(log.map(({ msg }) => msg)).toContain('Supervisors were disconnected from a call');
    expect(session.state()).toBe('talking');
    leg.hangUpAtFarEnd();
    await session.finished;
    expect(await end()).toMatchObject({ endedReason: 'customer_hung_up' });
  });
});

type Session = Awaited<ReturnType<typeof setup>>['session'];

/** @returns the browser of a supervisor who listens */
function listenTo({ supervision }: Session, isAnnounced: boolean) {
  const socket = supervisorSocket();
  const issued = supervision.issueTicket('listen', isAnnounced);
  supervision.accept(socket, typeof issued === 'string' ? '' : issued.ticket);
  return socket;
}

/** The browser of a supervisor. */
function supervisorSocket() {
  const socket = {
    bufferedAmount: 0,
    messages: [] as unknown[],
    closed: '',
    fault: null as Error | null,
    send(data: string | Uint8Array) {
      if (socket.fault && typeof data !== 'string') throw socket.fault;
      if (typeof data === 'string') socket.messages.push(JSON.parse(data));
    },
    close: (_code: number, reason: string) => void (socket.closed ||= reason),
    terminate: () => void (socket.closed ||= 'terminated'),
  };
  return socket;
}
