import { connectCarrierBody } from '@parley/contracts';
import { expect, test } from 'vitest';
import { connectDraftOf, connectRequest, needsSipAddress } from './connect-draft.rules.ts';

const twilio = { id: 7, kind: 'twilio', inbound_calls: null, outbound_calls: null } as const;
const telnyx = { ...twilio, kind: 'telnyx' } as const;

test('an account that is not connected begins with the SIP trunk, a connected one with its way', () => {
  expect(connectDraftOf(twilio)).toEqual({
    inbound_calls: 'sip_trunk',
    outbound_calls: 'sip_trunk',
    sip_address: '',
  });
  expect(connectDraftOf({ ...twilio, inbound_calls: 'media_stream' }).inbound_calls).toBe('media_stream');
  expect(connectDraftOf({ ...twilio, outbound_calls: 'media_stream' }).outbound_calls).toBe('media_stream');
});

test.each([
  [twilio, 'sip_trunk', ' sip.parley.example ', 'sip.parley.example'],
  [twilio, 'sip_trunk', '', null],
  [twilio, 'media_stream', 'sip.parley.example', null],
  [telnyx, 'sip_trunk', 'sip.parley.example', null],
  [telnyx, 'media_stream', '', null],
] as const)('of %j by %s with the address "%s", %j is sent', (account, way, address, sent) => {
  const ways = { inbound_calls: way, outbound_calls: 'sip_trunk' } as const;
  const draft = { ...ways, sip_address: address };
  const { id, ...body } = connectRequest(account, draft);
  expect([id, body]).toEqual([7, { ...ways, sip_address: sent }]);
  expect(connectCarrierBody.parse(body)).toEqual(body);
  expect(needsSipAddress(account, draft)).toBe(account.kind === 'twilio' && way === 'sip_trunk');
});
