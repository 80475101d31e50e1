import type { TrunkAnswer } from '@parley/telephony';
import { describe, expect, it } from 'vitest';
import { judgeTrunk, type TrunkFindings } from './diagnosis.rules.ts';

const AT_MS = Date.UTC(2026, 0, 1);
const PUBLIC = '203.0.113.7';
const ANSWER: TrunkAnswer = {
  status: 200,
  reason: 'OK',
  wasChallenged: true,
  refusal: null,
  date: new Date(AT_MS),
  seenAs: { host: PUBLIC, port: 5060 },
  isAudioUsable: true,
  contacts: 1,
};
const answered = (change: Partial<TrunkAnswer> = {}) =>
  ({ result: 'answered', answer: { ...ANSWER, ...change } }) as const;
const ANNOUNCED = { host: PUBLIC, mediaHost: PUBLIC, port: 5060, isName: false };
const FINE: TrunkFindings = {
  trunk: {
    port: 5060,
    transport: 'udp',
    isTlsVerified: true,
    isHostAddress: false,
    hasAccount: true,
    registers: true,
    registration: 'registered',
  },
  lookup: 'found',
  servers: [{ name: '192.0.2.1:5060', source: 'host', isAvailable: true }],
  isPeerPublic: true,
  options: answered(),
  port: null,
  answersOverOther: false,
  registrar: { lookup: 'found', reply: answered() },
  announced: { ...ANNOUNCED, isPrivate: false, isMediaPrivate: false },
  answeredAtMs: AT_MS,
  recent: [],
  testCall: undefined,
};
const OVER_TLS = { ...FINE.trunk, transport: 'tls', port: 5061 } as const;
const silent = { result: 'silent' } as const;

describe('the verdict about a trunk', () => {
  it.each<[string, string, string, Partial<TrunkFindings>]>([
    ['an answer proves that it can be reached', 'reach', 'ok', { options: answered({ status: 404 }) }],
    ['a trunk that is not available', 'reach', 'warning', { options: answered({ status: 503 }) }],
    ['an open port without an answer', 'reach', 'failed', { options: silent, port: 'open' }],
    ['TLS with a verified certificate', 'tls', 'ok', { trunk: OVER_TLS }],
    ['TLS with any certificate', 'tls', 'warning', { trunk: { ...OVER_TLS, isTlsVerified: false } }],
    [
      'an open port without a TLS connection',
      'tls',
      'failed',
      { trunk: OVER_TLS, options: { result: 'undelivered' }, port: 'open' },
    ],
    ['a trunk without TLS', 'tls', 'skipped', {}],
    ['a password that was accepted', 'authentication', 'ok', {}],
    [
      'a challenge that Parley cannot answer',
      'authentication',
      'failed',
      { options: answered({ status: 401, refusal: 'unsupported' }) },
    ],
    ['a registration that lasts', 'registration', 'ok', {}],
    [
      'a registrar without an address',
      'registration',
      'failed',
      { registrar: { lookup: 'missing', reply: null } },
    ],
    [
      'a registrar that must not be asked',
      'registration',
      'failed',
      { registrar: { lookup: 'forbidden', reply: null } },
    ],
    ['a server that answers', 'servers', 'ok', {}],
    [
      'one of two servers that is silent',
      'servers',
      'warning',
      {
        servers: [
          { name: '192.0.2.1:5060', source: 'srv', isAvailable: false },
          { name: '192.0.2.2:5060', source: 'srv', isAvailable: true },
        ],
      },
    ],
    ['servers that are not known', 'servers', 'skipped', { servers: [] }],
    ['a silent registrar', 'registration', 'failed', { registrar: { lookup: 'found', reply: silent } }],
    ['an announced address that is public', 'nat', 'ok', {}],
    [
      'a private address that is announced to a public trunk',
      'nat',
      'failed',
      {
        announced: { ...ANNOUNCED, host: '10.0.0.5', isPrivate: true, isMediaPrivate: true },
        options: silent,
      },
    ],
    [
      'a private address for audio only',
      'nat',
      'failed',
      { announced: { ...ANNOUNCED, mediaHost: '10.0.0.5', isPrivate: false, isMediaPrivate: true } },
    ],
    [
      'an announced name, which cannot be compared',
      'nat',
      'ok',
      {
        announced: {
          ...ANNOUNCED,
          host: 'sip.example',
          isName: true,
          isPrivate: false,
          isMediaPrivate: false,
        },
      },
    ],
    ['another port', 'nat', 'warning', { options: answered({ seenAs: { host: PUBLIC, port: 40_001 } }) }],
    ['a clock that is a few seconds off', 'clock', 'ok', { answeredAtMs: AT_MS + 20_000 }],
    ['a test call on another trunk', 'audio', 'failed', { testCall: null }],
    [
      'loss that the far end reports',
      'audio',
      'warning',
      {
        testCall: {
          callId: 1,
          sipStatus: 200,
          media: {
            packetsSent: 100,
            packetsReceived: 100,
            packetsLost: 0,
            jitterMs: 0,
            concealedFrames: 0,
            far: { packetsLost: 20, jitterMs: 1, roundTripMs: null },
          },
        },
      },
    ],
  ])('%s: %s is %s', (_name, step, verdict, change) => {
    const { steps } = judgeTrunk({ ...FINE, ...change });
    expect(steps.find((each) => each.step === step)).toMatchObject({ verdict });
  });

  it('is the worst of its steps, and every fault has a cure', () => {
    expect(judgeTrunk(FINE).verdict).toBe('ok');
    expect(judgeTrunk({ ...FINE, answeredAtMs: AT_MS + 600_000 }).verdict).toBe('warning');
    const { verdict, steps } = judgeTrunk({
      ...FINE,
      options: silent,
      registrar: { lookup: 'missing', reply: null },
    });
    expect(verdict).toBe('failed');
    expect(steps.filter((step) => step.verdict === 'failed' && step.cure === null)).toEqual([]);
  });
});
