import { expect, it } from 'vitest';
import { SilentMedia } from '../../test/silent-media.ts';
import type { MediaTarget } from '../media-factory.ts';
import { LegKeys } from './leg-keys.ts';

const TARGET: MediaTarget = {
  remoteHost: '192.0.2.9',
  remotePort: 4000,
  codec: 'PCMU',
  payloadType: 0,
  telephoneEventPayloadType: 101,
  direction: 'sendrecv',
};

/** Keys of an answered leg, and the INFO requests that were sent. */
function setup(setting: 'auto' | 'info', target: Partial<MediaTarget> = {}) {
  const infos: string[] = [];
  const keys = new LegKeys(setting, (digit) => infos.push(digit));
  const media = new SilentMedia(40_000);
  keys.connect(media, { ...TARGET, ...target });
  return { keys, infos, media };
}

it.each([403, 415, 481, null])(
  'an INFO that is answered with %s is a refusal, and no further key is sent',
  async (status) => {
    const { keys, infos } = setup('info');
    const outcome = keys.send('12');
    await Promise.resolve();
    keys.takeResponse(status);
    expect(await outcome).toEqual({ isSent: false, reason: 'refused' });
    expect(infos).toEqual(['1']);
  },
);

it('keys that wait when the leg ends are reported as not sent', async () => {
  const { keys, infos } = setup('info');
  const outcomes = Promise.all([keys.send('1'), keys.send('2')]);
  await Promise.resolve();
  keys.end();
  expect(await outcomes).toEqual([
    { isSent: false, reason: 'refused' },
    { isSent: false, reason: 'no-call' },
  ]);
  expect(infos).toEqual(['1']);
});

it.each(['recvonly', 'inactive'] as const)('no keys are sent on hold: %s', async (direction) => {
  const { keys, media } = setup('auto', { direction });
  expect(await keys.send('1')).toEqual({ isSent: false, reason: 'on-hold' });
  expect(media.keys).toBe('');
});
