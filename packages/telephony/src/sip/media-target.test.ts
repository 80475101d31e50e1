import { expect, it } from 'vitest';
import type { AgreedMedia } from '@parley/sip';
import { toMediaTarget } from './media-target.ts';

const AGREED: AgreedMedia = {
  remoteHost: '9.9.9.9',
  remotePort: 4000,
  codec: 'PCMU',
  payloadType: 0,
  telephoneEventPayloadType: 101,
  direction: 'sendrecv',
};

it.each([
  ['a public address of SDP', '9.9.9.9', '8.8.8.8', '9.9.9.9'],
  ['a private address of a private peer', '10.0.0.2', '10.0.0.1', '10.0.0.2'],
  ['a private address of a public peer', '10.0.0.2', '8.8.8.8', '8.8.8.8'],
  ['a loopback address of a public peer', '127.0.0.1', '8.8.8.8', '8.8.8.8'],
  ['an address of a peer that is not known', '10.0.0.2', null, '10.0.0.2'],
])('audio for %s (%s, signalling from %s) is sent to %s', (_what, remoteHost, signallingHost, expected) => {
  const target = toMediaTarget({ ...AGREED, remoteHost }, signallingHost);
  expect(target).toMatchObject({ remoteHost: expected, remotePort: 4000 });
  expect(target.signallingHost ?? null).toBe(signallingHost);
});
