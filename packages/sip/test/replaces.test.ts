import { describe, expect, it } from 'vitest';
import { headerValue, textBody } from '../src/message/message.ts';
import { sdp, Stage, toTag } from './scripted-peer.ts';

const SDP = { name: 'Content-Type', value: 'application/sdp' };
const LOCAL = { host: '10.0.0.1', port: 40_000 };

/** Our tag in the latest message. */
function lastTag(stage: Stage): string {
  const message = stage.sent().at(-1);
  return message ? toTag(message) : '';
}

/** An inbound call of the peer, and INVITEs that want to replace it. */
function setup({ isAnswered = true } = {}) {
  const stage = new Stage();
  stage.request({ method: 'INVITE', body: sdp() });
  const call = stage.incoming[0]?.call ?? 0;
  stage.run((agent, nowMs) => agent.ring(call, nowMs));
  if (isAnswered) stage.run((agent, nowMs) => agent.answer(call, LOCAL, nowMs));
  const localTag = lastTag(stage);
  if (isAnswered) stage.request({ method: 'ACK', toTag: localTag });
  const replace = (...values: string[]): string => {
    const headers = values.map((value) => `Replaces: ${value}`);
    const about = { callId: `new-${stage.incoming.length}`, fromTag: 'other', headers };
    stage.request({ method: 'INVITE', body: sdp({ port: 31_000 }), ...about });
    return stage.sentLines().at(-1) ?? '';
  };
  return { stage, call, localTag, replace };
}

describe('an INVITE with Replaces', () => {
  it.each([
    ['in their case', (tags: string) => tags],
    ['in another case', (tags: string) => tags.toUpperCase()],
  ])(
    'names the call that it is to replace, with its tags %s, which goes on until it is hung up',
    (_, write) => {
      const { stage, call, localTag, replace } = setup();
      expect(replace(`call-1;from-tag=${write('peer-tag')};to-tag=${write(localTag)}`)).toBe('100 INVITE');
      const { call: other = 0, incoming } = stage.incoming.at(-1) ?? {};
      expect(incoming?.replaces).toBe(call);
      stage.run((agent, nowMs) => agent.answer(other, LOCAL, nowMs));
      stage.request({ method: 'ACK', callId: 'new-1', fromTag: 'other', toTag: lastTag(stage) });
      expect(stage.events.at(-1)).toMatchObject({ call: other, event: { type: 'answered' } });
      expect(stage.ends()).toEqual([]);
      stage.run((agent, nowMs) => agent.hangUp(call, nowMs));
      expect(stage.sentLines()).toEqual(['BYE']);
      expect(stage.ends()).toEqual(['local-bye']);
    },
  );

  it('is accepted while the agent drains: it adds no call', () => {
    const { stage, localTag, replace } = setup();
    stage.run((agent) => agent.setDraining(true));
    expect(replace(`call-1;from-tag=peer-tag;to-tag=${localTag}`)).toBe('100 INVITE');
  });

  it.each([
    ['another Call-ID', (tag: string) => `call-2;from-tag=peer-tag;to-tag=${tag}`, 481],
    ['another remote tag', (tag: string) => `call-1;from-tag=x;to-tag=${tag}`, 481],
    ['another local tag', () => 'call-1;from-tag=peer-tag;to-tag=x', 481],
    ['exchanged tags', (tag: string) => `call-1;from-tag=${tag};to-tag=peer-tag`, 481],
    [
      'early-only for a confirmed call',
      (tag: string) => `call-1;from-tag=peer-tag;to-tag=${tag};early-only`,
      486,
    ],
    ['no tags', () => 'call-1', 400],
    ['no Call-ID', (tag: string) => `;from-tag=peer-tag;to-tag=${tag}`, 400],
  ])('is refused: %s', (_case, value, status) => {
    const { localTag, replace, stage } = setup();
    expect(replace(value(localTag))).toBe(`${status} INVITE`);
    expect(stage.incoming).toHaveLength(1);
    expect(stage.ends()).toEqual([]);
  });

  it('is refused with two Replaces', () => {
    const { localTag, replace } = setup();
    const value = `call-1;from-tag=peer-tag;to-tag=${localTag}`;
    expect(replace(value, value)).toBe('400 INVITE');
  });

  it('does not replace a call of the far end that is not answered yet', () => {
    const { localTag, replace } = setup({ isAnswered: false });
    expect(replace(`call-1;from-tag=peer-tag;to-tag=${localTag}`)).toBe('481 INVITE');
  });

  it('picks up a call of ours that rings, also with early-only', () => {
    const stage = new Stage();
    const call = stage.invite();
    const invite = stage.sentRequest();
    const localTag = /;tag=([^;]+)/.exec(headerValue(invite, 'From') ?? '')?.[1] ?? '';
    stage.respond(invite, 180, { toTag: 'peer' });
    const headers = [`Replaces: ours-1;from-tag=peer;to-tag=${localTag};early-only`];
    stage.request({ method: 'INVITE', callId: 'pick-up', body: sdp(), headers });
    expect(stage.incoming.at(-1)?.incoming.replaces).toBe(call);
    stage.respond(invite, 200, { toTag: 'peer', headers: [SDP], body: textBody(sdp()) });
    stage.sent();
    stage.request({ method: 'INVITE', callId: 'late', body: sdp(), headers });
    expect(stage.sentLines()).toEqual(['486 INVITE']);
  });
});
