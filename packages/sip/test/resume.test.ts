/** A call that another agent held: its stored dialog is rebuilt, and a re-INVITE moves the media here. */
import { describe, expect, it } from 'vitest';
import type { StoredDialog } from '../src/dialog/dialog.ts';
import { bodyText, headerValue, textBody, type SipRequest } from '../src/message/message.ts';
import { sdp, Stage, toTag } from './scripted-peer.ts';

const TYPE = { name: 'Content-Type', value: 'application/sdp' };
const OK = { headers: [TYPE], body: textBody(sdp({ port: 31_000 })) };
const LOCAL = { host: '10.0.0.1', port: 42_000 };

/** The dialog that an agent has stored at the answer, and the description that it sent. */
function held(direction: 'outbound' | 'inbound'): { dialog: StoredDialog; description: string } {
  const stage = new Stage();
  let description = '';
  if (direction === 'outbound') {
    stage.invite();
    const invite = stage.sentRequest();
    description = bodyText(invite);
    stage.respond(invite, 200, { toTag: 'a', headers: [TYPE], body: textBody(sdp()) });
  } else {
    stage.request({ method: 'INVITE', callId: 'ours-1', fromTag: 'a', body: sdp() });
    stage.run((agent, nowMs) => agent.answer(stage.incoming[0]?.call ?? 0, LOCAL, nowMs));
    const ok = stage.sent().at(-1);
    if (!ok) throw new Error('No answer was sent');
    description = bodyText(ok);
    stage.request({ method: 'ACK', callId: 'ours-1', fromTag: 'a', toTag: toTag(ok) });
  }
  const answered = stage.events.find(({ event }) => event.type === 'answered')?.event;
  if (answered?.type !== 'answered') throw new Error('The call was not answered');
  return { dialog: answered.dialog, description };
}

/** Another agent goes on with the call. */
function resumed(direction: 'outbound' | 'inbound' = 'outbound') {
  const { dialog, description } = held(direction);
  const stage = new Stage();
  let call = 0;
  const stored = { ...dialog, localSequence: dialog.localSequence + 100 };
  stage.run((agent, nowMs) => {
    const isCaller = direction === 'outbound';
    call = agent.resume({ dialog: stored, media: LOCAL, isCaller, credentials: ACCOUNT }, nowMs);
  });
  return { stage, call, dialog, description, invite: stage.sentRequest() };
}

const ACCOUNT = { username: 'parley', password: 'secret' };
const within = ({ callId, localTag, remoteTag }: StoredDialog) => ({
  callId,
  toTag: localTag,
  fromTag: remoteTag,
});
const originOf = (description: string): string[] => /^o=- (\d+) (\d+) /m.exec(description)?.slice(1, 3) ?? [];

describe('a resumed call', () => {
  it.each(['outbound', 'inbound'] as const)('%s: offers its own media in the same dialog', (direction) => {
    const { invite, dialog, description, stage } = resumed(direction);
    expect(invite.method).toBe('INVITE');
    expect(invite.uri).toBe(dialog.remoteTarget);
    expect(headerValue(invite, 'Call-ID')).toBe(dialog.callId);
    expect(headerValue(invite, 'From')).toContain(`tag=${dialog.localTag}`);
    expect(headerValue(invite, 'To')).toContain(`tag=${dialog.remoteTag}`);
    expect(headerValue(invite, 'CSeq')).toBe(`${dialog.localSequence + 101} INVITE`);
    expect(headerValue(invite, 'Contact')).toContain('10.0.0.1:5060');
    expect(bodyText(invite)).toContain('m=audio 42000 ');
    const [session, version] = originOf(description);
    const [sameSession, laterVersion] = originOf(bodyText(invite));
    expect(sameSession).toBe(session);
    expect(Number(laterVersion)).toBeGreaterThan(Number(version));
    stage.respond(invite, 200, OK);
    expect(stage.sentLines()).toEqual(['ACK']);
    expect(stage.eventTypes()).toEqual(['dialog-changed', 'media', 'answered']);
    expect(stage.events[1]?.event).toMatchObject({ agreed: { remotePort: 31_000 } });
    expect(stage.events[2]?.event).toMatchObject({ dialog: { localSequence: dialog.localSequence + 101 } });
  });

  it('keeps the number of streams of the description before', () => {
    const { dialog } = held('outbound');
    const streams = [
      { type: 'video', protocol: 'RTP/AVP', payloads: '31', port: 0 },
      ...(dialog.description?.streams ?? []),
    ];
    const stage = new Stage();
    const description = { sessionId: 7, version: 3, streams };
    stage.run((agent, nowMs) =>
      agent.resume({ dialog: { ...dialog, description }, media: LOCAL, isCaller: true }, nowMs),
    );
    const body = bodyText(stage.sentRequest());
    expect(body.match(/^m=\w+ \d+/gm)).toEqual(['m=video 0', 'm=audio 42000']);
  });

  it.each([481, 488, 603])('ends with BYE when the far end refuses with %i', (status) => {
    const { stage, invite, dialog } = resumed();
    stage.respond(invite, status);
    expect(stage.sentLines()).toEqual(['ACK', 'BYE']);
    expect(stage.events.at(-1)?.event).toEqual({ type: 'ended', end: { by: 'not-resumed', status } });
    expect(dialog.localSequence).toBe(1);
  });

  it('ends with BYE when the far end does not answer', () => {
    const { stage } = resumed();
    stage.advance(33_000);
    expect(stage.sentLines()).toContain('BYE');
    expect(stage.events.at(-1)?.event).toEqual({ type: 'ended', end: { by: 'not-resumed', status: null } });
  });

  it('ends with BYE when the far end accepts without any sound', () => {
    const { stage, invite } = resumed();
    stage.respond(invite, 200);
    expect(stage.sentLines()).toEqual(['ACK', 'BYE']);
    expect(stage.ends()).toEqual(['not-resumed']);
  });

  it('answers a challenge with the account of its trunk', () => {
    const { stage, invite } = resumed();
    const challenge = { name: 'WWW-Authenticate', value: 'Digest realm="r", nonce="n", algorithm=MD5' };
    stage.respond(invite, 401, { headers: [challenge] });
    const [, again] = stage.sent();
    if (again?.kind !== 'request') throw new Error('No INVITE was sent');
    expect(headerValue(again, 'Authorization')).toContain('username="parley"');
    stage.respond(again, 200, OK);
    expect(stage.eventTypes()).toContain('answered');
  });

  // An INVITE that the far end has sent to the lost process is in progress there for 64*T1.
  it.each([
    ['491', 491, {}],
    ['500 with Retry-After', 500, { headers: [{ name: 'Retry-After', value: '2' }] }],
  ] as const)(
    'tries again after %s for as long as the far end may be busy, and no longer',
    (_what, status, extras) => {
      const { stage, invite } = resumed();
      const startMs = stage.nowMs;
      let latest = invite;
      let tries = 1;
      for (; stage.ends().length === 0; tries += 1) {
        stage.respond(latest, status, extras);
        expect(stage.sentLines()[0]).toBe('ACK');
        if (stage.ends().length === 0) latest = nextRequest(stage);
      }
      expect(tries).toBeGreaterThan(6);
      expect(stage.nowMs - startMs).toBeLessThanOrEqual(32_000);
      expect(stage.nowMs - startMs).toBeGreaterThan(27_000);
      expect(stage.ends()).toEqual(['not-resumed']);
    },
  );

  it('goes on once the far end has ended its own INVITE', () => {
    const { stage, invite } = resumed();
    let latest = invite;
    for (let glare = 0; glare < 5; glare += 1) {
      stage.respond(latest, 491);
      stage.sent();
      latest = nextRequest(stage);
    }
    stage.respond(latest, 200, OK);
    expect(stage.eventTypes()).toContain('answered');
  });

  it.each([500, 503])('gives up after %i without Retry-After', (status) => {
    const { stage, invite } = resumed();
    stage.respond(invite, status);
    expect(stage.ends()).toEqual(['not-resumed']);
  });

  it('refuses an INVITE of the far end while its own waits, and takes a BYE at any time', () => {
    const { stage, dialog } = resumed();
    stage.request({ method: 'INVITE', sequence: 9, ...within(dialog), body: sdp() });
    expect(stage.sentLines()).toEqual(['491 INVITE']);
    stage.request({ method: 'BYE', sequence: 10, ...within(dialog) });
    expect(stage.sentLines()).toContain('200 BYE');
    expect(stage.ends()).toEqual(['remote-bye']);
  });

  it('leaves nothing behind', () => {
    const { stage, invite, call } = resumed();
    stage.respond(invite, 200, OK);
    stage.sent();
    stage.run((agent, nowMs) => agent.hangUp(call, nowMs));
    stage.respond(stage.sentRequest(), 200);
    stage.advance(100_000);
    expect(stage.agent.load()).toMatchObject({ calls: 0, transactions: 0, dialogs: 0, timers: 0 });
  });
});

describe('a call that is abandoned', () => {
  it.each(['outbound', 'inbound', 'resumed'] as const)('%s: sends nothing more, and ends', (kind) => {
    const stage = new Stage();
    let call = 0;
    if (kind === 'outbound') {
      call = stage.invite();
      stage.respond(stage.sentRequest(), 200, { toTag: 'a', ...OK });
    } else if (kind === 'inbound') {
      stage.request({ method: 'INVITE', body: sdp() });
      call = stage.incoming[0]?.call ?? 0;
      stage.run((agent, nowMs) => agent.answer(call, LOCAL, nowMs));
      stage.request({ method: 'ACK', toTag: toTag(stage.sent().at(-1) ?? never()) });
    } else {
      const { dialog } = held('outbound');
      stage.run((agent, nowMs) => (call = agent.resume({ dialog, media: LOCAL, isCaller: true }, nowMs)));
      stage.respond(stage.sentRequest(), 200, OK);
    }
    stage.sent();
    stage.run((agent, nowMs) => agent.abandon(call, nowMs));
    stage.advance(4_000_000);
    expect(stage.sentLines()).toEqual([]);
    expect(stage.ends()).toEqual(['taken-over']);
    expect(stage.agent.load()).toMatchObject({ calls: 0, dialogs: 0 });
  });
});

/** Before it is repeated. */
function nextRequest(stage: Stage): SipRequest {
  for (let waits = 0; waits < 401; waits += 1) {
    stage.advance(10);
    const [request] = stage.sent();
    if (request?.kind === 'request') return request;
  }
  throw new Error('No request was sent within 4 s');
}

function never(): never {
  throw new Error('Nothing was sent');
}
