import type { TrunkAccess } from '@parley/core';
import { expect, it } from 'vitest';
import { legSettings, trunkAddress, trunkRateHz } from './trunk-address.ts';

const TRUNK: TrunkAccess = {
  id: 1,
  name: 'Carrier',
  host: 'sip.carrier.example',
  port: 5060,
  transport: 'udp',
  tlsVerify: true,
  incomingRefer: 'refused',
  mediaEncryption: 'none',
  codecs: [],
  otherHosts: [],
  username: null,
  authUsername: null,
  password: null,
  isOperators: false,
  streamingAccountId: null,
  rtpTimeoutSeconds: null,
  dtmf: 'auto',
  numberFormat: 'e164',
  defaultCountry: null,
  outboundCallerHeader: 'from',
  fromUser: null,
  fromName: null,
};

it('a trunk without a user of its own in From leaves it to the number', () => {
  expect(trunkAddress(TRUNK)).toEqual({
    host: 'sip.carrier.example',
    port: 5060,
    otherHosts: [],
    transport: 'udp',
    isTlsVerified: true,
    isTrusted: false,
    encryption: 'none',
    dtmf: 'auto',
    writeNumber: expect.any(Function),
    callerHeader: 'from',
  });
});

it('the settings of the caller number reach the INVITE', () => {
  const trunk = { ...TRUNK, outboundCallerHeader: 'p_asserted_identity', fromUser: 'account-7' } as const;
  expect(trunkAddress(trunk)).toMatchObject({ callerHeader: 'p_asserted_identity', fromUser: 'account-7' });
});

it('numbers are written in the format and the country of the trunk', () => {
  const { writeNumber } = legSettings({ ...TRUNK, numberFormat: 'national', defaultCountry: 'DE' });
  expect(writeNumber?.('+4930123456')).toBe('030123456');
});

it('the settings of TLS reach its connection and the audio', () => {
  const trunk = { ...TRUNK, transport: 'tls', tlsVerify: false, mediaEncryption: 'required' } as const;
  expect(trunkAddress(trunk)).toMatchObject({
    transport: 'tls',
    isTlsVerified: false,
    encryption: 'required',
  });
  expect(legSettings(trunk)).toMatchObject({ encryption: 'required' });
});

it('codecs keep their order, and without any the default of telephony applies', () => {
  expect(legSettings({ ...TRUNK, codecs: ['opus', 'g722', 'pcmu'] }).codecs).toEqual([
    'opus',
    'G722',
    'PCMU',
  ]);
  expect(legSettings(TRUNK)).not.toHaveProperty('codecs');
  expect(trunkRateHz({ ...TRUNK, codecs: ['pcma', 'g722'] })).toBe(16_000);
  expect(trunkRateHz({ ...TRUNK, codecs: ['pcma', 'pcmu'] })).toBe(8000);
  expect(trunkRateHz(null)).toBe(8000);
});
