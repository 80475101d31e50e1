/** Redirects of an outbound call (RFC 3261 section 8.1.3.4). */
import { describe, expect, it } from 'vitest';
import type { RedirectTarget } from '../src/call/redirect.ts';
import { headerValue, textBody, type SipMessage } from '../src/message/message.ts';
import { lineOf, sdp, Stage, toTag } from './scripted-peer.ts';

const TYPE = { name: 'Content-Type', value: 'application/sdp' };
const contacts = (...values: string[]) => ({
  toTag: 'a',
  headers: values.map((value) => ({ name: 'Contact', value })),
});
const SAME = 'sip:+12025550101';

function setup() {
  const stage = new Stage();
  const call = stage.invite();
  const invite = stage.sentRequest();
  const targets = () =>
    stage.events.flatMap(({ event }) => (event.type === 'redirected' ? event.targets : []));
  /** Follows the latest redirect to its first target. */
  const follow = (host = '10.0.0.20') => {
    const target = targets().at(-1) as RedirectTarget;
    const destination = {
      transport: target.transport ?? 'udp',
      host,
      port: target.port ?? 5060,
      connectionId: null,
    };
    stage.run((agent, nowMs) => agent.redirect(call, { target, destination }, nowMs));
    const [sent] = stage.sentWithWay().filter(({ message }) => lineOf(message) === 'INVITE');
    if (!sent) throw new Error('No INVITE was sent');
    return sent;
  };
  return { stage, call, invite, targets, follow };
}

describe('a redirected call', () => {
  it('acknowledges the 302 and reports its targets by their q values', () => {
    const { stage, invite, targets } = setup();
    stage.respond(
      invite,
      302,
      contacts(
        `<${SAME}@low.example>;q=0.1, <${SAME}@high.example:5070;transport=TCP>;q=0.9`,
        `<${SAME}@first.example>`,
      ),
    );
    expect(stage.sentLines()).toEqual(['ACK']);
    expect(targets()).toEqual([
      { host: 'first.example', port: null, transport: null },
      { host: 'high.example', port: 5070, transport: 'tcp' },
      { host: 'low.example', port: null, transport: null },
    ]);
    expect(stage.ends()).toEqual([]);
  });

  it('sends the INVITE of the same call to the chosen target, with the number that was dialed', () => {
    const { stage, invite, follow } = setup();
    stage.respond(invite, 302, contacts('<sip:12025550101;rn=+19005550100@new.example:5080;x=y?Subject=z>'));
    const { message, destination } = follow();
    expect(destination).toMatchObject({ host: '10.0.0.20', port: 5080 });
    expect(message).toMatchObject({ uri: 'sip:+12025550101@new.example:5080' });
    const same = (name: string) => [message, invite].map((each: SipMessage) => headerValue(each, name));
    for (const name of ['Call-ID', 'From', 'To']) expect(new Set(same(name)).size).toBe(1);
    expect(headerValue(message, 'CSeq')).toBe('2 INVITE');
    stage.respond(message, 200, { toTag: 'b', headers: [TYPE], body: textBody(sdp()) });
    expect(stage.sentLines()).toEqual(['ACK']);
    expect(stage.eventTypes()).toEqual(['redirected', 'media', 'answered']);
  });

  it.each([
    ['another number', ['<sip:+12025550199@new.example>'], 'another-number'],
    ['no number', ['<sip:new.example>'], 'another-number'],
    ['no Contact', [], 'no-usable-contact'],
    ['a telephone URI', ['<tel:+12025550101>'], 'no-usable-contact'],
    ['an encrypted address', [`<sips:+12025550101@new.example>`], 'no-usable-contact'],
    ['an unknown transport', [`<${SAME}@new.example;transport=sctp>`], 'no-usable-contact'],
    ['a malformed Contact', ['<sip:@>'], 'no-usable-contact'],
    ['a malformed list', ['"<sip:a@b>'], 'no-usable-contact'],
    ['the host that redirects', [`<${SAME}@10.0.0.9>`], 'loop'],
    ['the same host by port and transport', [`<${SAME}@10.0.0.9:5060;transport=udp>`], 'loop'],
  ])('ends without another INVITE on a redirect to %s', (_what, values, why) => {
    const { stage, invite } = setup();
    const headers = values.length === 0 ? [{ name: 'Contact', value: '' }] : contacts(...values).headers;
    stage.respond(invite, 302, { toTag: 'a', headers });
    expect(stage.sentLines()).toEqual(['ACK']);
    expect(stage.events.map(({ event }) => event)).toEqual([
      { type: 'ended', end: { by: 'redirect-refused', status: 302, why } },
    ]);
  });

  it('ends when the application refuses every target', () => {
    const { stage, call, invite } = setup();
    stage.respond(invite, 301, contacts(`<${SAME}@new.example>`));
    stage.run((agent, nowMs) => agent.refuseRedirect(call, 'unusable-host', nowMs));
    expect(stage.events.at(-1)?.event).toEqual({
      type: 'ended',
      end: { by: 'redirect-refused', status: 301, why: 'unusable-host' },
    });
    stage.advance(70_000);
    expect(stage.agent.load()).toMatchObject({ calls: 0, transactions: 0, dialogs: 0, timers: 0 });
  });

  it('ends a loop of two hosts', () => {
    const { stage, invite, follow } = setup();
    stage.respond(invite, 302, contacts(`<${SAME}@b.example>`));
    stage.respond(follow().message, 302, contacts(`<${SAME}@c.example>`));
    stage.respond(follow().message, 302, contacts(`<${SAME}@b.example>`));
    expect(stage.events.at(-1)?.event).toMatchObject({ end: { why: 'loop' } });
  });

  it('ends after five redirects', () => {
    const { stage, invite, follow } = setup();
    stage.respond(invite, 302, contacts(`<${SAME}@h0.example>`));
    for (let hop = 1; hop <= 5; hop += 1) {
      stage.respond(follow().message, 302, contacts(`<${SAME}@h${hop}.example>`));
    }
    expect(stage.events.at(-1)?.event).toMatchObject({ end: { why: 'too-many' } });
  });

  it('is cancelled without an INVITE while it waits for the decision', () => {
    const { stage, call, invite } = setup();
    stage.respond(invite, 302, contacts(`<${SAME}@new.example>`));
    stage.sent();
    stage.run((agent, nowMs) => {
      agent.hangUp(call, nowMs);
      const destination = { transport: 'udp', host: '10.0.0.20', port: 5060, connectionId: null } as const;
      agent.redirect(call, { target: { host: 'x', port: null, transport: null }, destination }, nowMs);
    });
    expect(stage.sentLines()).toEqual([]);
    expect(stage.ends()).toEqual(['cancel']);
  });

  it('is not redirected after it was cancelled', () => {
    const { stage, call, invite } = setup();
    stage.respond(invite, 180, { toTag: 'a' });
    stage.run((agent, nowMs) => agent.hangUp(call, nowMs));
    stage.respond(invite, 302, contacts(`<${SAME}@new.example>`));
    expect(stage.ends()).toEqual(['cancel']);
    expect(stage.eventTypes()).not.toContain('redirected');
  });

  it('ignores a decision that the call does not wait for', () => {
    const { stage, call } = setup();
    stage.run((agent, nowMs) => agent.refuseRedirect(call, 'loop', nowMs));
    expect(stage.ends()).toEqual([]);
  });

  it('forgets the early dialog of the INVITE before', () => {
    const { stage, invite, follow } = setup();
    stage.respond(invite, 180, { toTag: 'a' });
    stage.respond(invite, 302, contacts(`<${SAME}@new.example>`));
    const { message } = follow();
    stage.respond(message, 486, { toTag: 'b' });
    expect(stage.ends()).toEqual(['response']);
    expect(toTag(message)).toBe('');
    stage.advance(70_000);
    expect(stage.agent.load()).toMatchObject({ calls: 0, transactions: 0, dialogs: 0, timers: 0 });
  });
});
