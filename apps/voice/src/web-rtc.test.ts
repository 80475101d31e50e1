import { createHmac } from 'node:crypto';
import { silentLog, systemClock } from '@parley/runtime';
import { describe, expect, it } from 'vitest';
import { readSettings } from './settings.ts';
import { iceServersOf, openWebRtc } from './web-rtc.ts';

const SECRET = 'x'.repeat(32);

function settings(environment: Record<string, string> = {}) {
  return readSettings({
    DATABASE_URL: 'postgres://nobody@127.0.0.1/none',
    SECRET_KEY: SECRET,
    INTERNAL_SECRET: SECRET,
    ...environment,
  });
}

const isOffered = (environment: Record<string, string>): boolean =>
  openWebRtc(settings(environment), systemClock, silentLog) !== null;

describe('WebRTC of a voice process', () => {
  it.each([
    ['with a public page and no reachable address', { PUBLIC_URL: 'https://parley.example' }, false],
    ['with a page on this machine', { PUBLIC_URL: 'http://127.0.0.1:3000' }, true],
    ['with a page at localhost', { PUBLIC_URL: 'http://localhost:3000' }, true],
    ['without the address of the page', {}, false],
    [
      'with a public address',
      { PUBLIC_URL: 'https://parley.example', WEBRTC_PUBLIC_ADDRESS: '198.51.100.7' },
      true,
    ],
    ['on an address of the network', { SIP_LISTEN: '198.51.100.7:5060' }, true],
    ['switched off', { WEBRTC_PORTS: 'off', WEBRTC_PUBLIC_ADDRESS: '198.51.100.7' }, false],
  ])('%s', (_sentence, environment, expected) => {
    expect(isOffered(environment)).toBe(expected);
  });

  it.each([
    ['a name in place of an address', { WEBRTC_PUBLIC_ADDRESS: 'parley.example' }],
    ['a server that is neither STUN nor TURN', { WEBRTC_ICE_SERVERS: 'https://turn.example' }],
    ['TURN without its secret', { WEBRTC_ICE_SERVERS: 'turn:turn.example:3478' }],
    ['ports that are none', { WEBRTC_PORTS: 'on' }],
  ])('refuses %s', (_sentence, environment) => {
    expect(() => settings(environment)).toThrow(/WEBRTC_/);
  });

  it('gives browsers credentials for TURN that expire, and none for STUN', () => {
    const urls = ['stun:stun.example', 'turns:turn.example:5349?transport=tcp'];
    const username = String(1000 + 7200);
    expect(iceServersOf(urls, 'secret of the server', 1000)).toEqual([
      { urls: urls[0] },
      {
        urls: urls[1],
        username,
        credential: createHmac('sha1', 'secret of the server').update(username).digest('base64'),
      },
    ]);
  });
});
