import { describe, expect, it } from 'vitest';
import { readSettings } from '../settings.ts';
import { planChildren } from './plan-children.rules.ts';

const SECRET = 'x'.repeat(32);
/** Contacts name the port of the front, which alone has the certificate. */
const NO_TLS = { SIP_TLS_PORT: '5061', SIP_TLS_CERT_FILE: '', SIP_TLS_KEY_FILE: '' };

function plan(environment: Record<string, string> = {}) {
  const settings = readSettings({
    DATABASE_URL: 'postgres://nobody@127.0.0.1/none',
    SECRET_KEY: SECRET,
    INTERNAL_SECRET: SECRET,
    VOICE_PROCESSES: '2',
    VOICE_LISTEN: '127.0.0.1:3002',
    SIP_LISTEN: '0.0.0.0:5060',
    RTP_PORTS: '40000-40999',
    ...environment,
  });
  return planChildren(settings, { host: '127.0.0.1', port: 5060, tlsPort: settings.SIP_TLS_PORT });
}

describe('the processes of a fleet', () => {
  it('share no port, and leave the first SIP port to the front', () => {
    expect(plan()).toEqual([
      {
        VOICE_PROCESSES: '1',
        VOICE_LISTEN: '127.0.0.1:3002',
        SIP_LISTEN: '0.0.0.0:5061',
        SIP_FRONT: '127.0.0.1:5060',
        ...NO_TLS,
        RTP_PORTS: '40000-40499',
        WEBRTC_PORTS: '42000-42499',
      },
      {
        VOICE_PROCESSES: '1',
        VOICE_LISTEN: '127.0.0.1:3003',
        SIP_LISTEN: '0.0.0.0:5062',
        SIP_FRONT: '127.0.0.1:5060',
        ...NO_TLS,
        RTP_PORTS: '40500-40999',
        WEBRTC_PORTS: '42500-42999',
      },
    ]);
  });

  it.each([
    ['next to that of the front', {}, ['0.0.0.0:5062', '0.0.0.0:5063']],
    ['between those of the processes', { SIP_TLS_PORT: '5062' }, ['0.0.0.0:5061', '0.0.0.0:5063']],
    ['elsewhere', { SIP_TLS_PORT: '5090' }, ['0.0.0.0:5061', '0.0.0.0:5062']],
  ])('leave the port for TLS to the front: %s', (_where, environment, ports) => {
    const certificate = { SIP_TLS_CERT_FILE: 'cert.pem', SIP_TLS_KEY_FILE: 'key.pem' };
    const children = plan({ ...certificate, ...environment });
    expect(children.map(({ SIP_LISTEN }) => SIP_LISTEN)).toEqual(ports);
  });

  it.each([
    ['an odd share is rounded down to even', { VOICE_PROCESSES: '3' }, '40332-40663'],
    ['a range that starts odd stays so', { RTP_PORTS: '40001-40100' }, '40051-40100'],
  ])('have separate RTP ports: %s', (_sentence, environment, second) => {
    expect(plan(environment)[1]?.RTP_PORTS).toBe(second);
  });

  it.each([
    ['http://10.0.0.5:3002', 'http://10.0.0.5:3003'],
    ['http://voice.internal', 'http://voice.internal:81'],
  ])('are reached at %s and %s', (url, second) => {
    const children = plan({ VOICE_URL: url });
    expect(children.map(({ VOICE_URL }) => VOICE_URL)).toEqual([url, second]);
  });

  it('keep IPv6 addresses in brackets and leave port 0 to the system', () => {
    expect(plan({ SIP_LISTEN: '[::1]:5060', VOICE_LISTEN: '127.0.0.1:0' })[1]).toMatchObject({
      SIP_LISTEN: '[::1]:5062',
      VOICE_LISTEN: '127.0.0.1:0',
    });
  });
});
