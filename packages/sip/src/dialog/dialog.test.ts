import { describe, expect, it } from 'vitest';
import { headerList } from '../message/message.ts';
import { dialogFromStored, requestInDialog, requestUri, storeDialog, type StoredDialog } from './dialog.ts';

const STORED: StoredDialog = {
  callId: 'call-1',
  localTag: 'ours',
  remoteTag: 'theirs',
  localUri: 'sip:1@10.0.0.1',
  remoteUri: 'sip:2@10.0.0.9',
  remoteTarget: 'sip:2@10.0.0.9:5070',
  routeSet: [],
  localSequence: 7,
  transport: 'udp',
  destination: { host: '10.0.0.9', port: 5060 },
};

function byeOf(change: Partial<StoredDialog>) {
  const dialog = dialogFromStored({ ...STORED, ...change });
  return { dialog, bye: requestInDialog(dialog, 'BYE') };
}

describe('a request in a stored dialog', () => {
  it('has the identifiers of the dialog and the next CSeq number', () => {
    const { dialog, bye } = byeOf({});
    expect(Object.fromEntries(bye.headers.map(({ name, value }) => [name, value]))).toMatchObject({
      From: '<sip:1@10.0.0.1>;tag=ours',
      To: '<sip:2@10.0.0.9>;tag=theirs',
      'Call-ID': 'call-1',
      CSeq: '8 BYE',
    });
    expect(dialog.localSequence).toBe(8);
    expect(dialog.destination).toEqual({
      host: '10.0.0.9',
      port: 5060,
      transport: 'udp',
      connectionId: null,
    });
  });

  it('has no To tag when the peer has set none', () => {
    expect(headerList(byeOf({ remoteTag: '' }).bye, 'To')).toEqual(['<sip:2@10.0.0.9>']);
  });

  // RFC 3261 section 12.2.1.1.
  it.each([
    ['no route', [], 'sip:2@10.0.0.9:5070', []],
    [
      'loose routers',
      ['<sip:10.0.0.7;lr>', '<sip:10.0.0.8;lr>'],
      'sip:2@10.0.0.9:5070',
      ['<sip:10.0.0.7;lr>', '<sip:10.0.0.8;lr>'],
    ],
    [
      'a strict router first',
      ['<sip:10.0.0.7>', '<sip:10.0.0.8;lr>'],
      'sip:10.0.0.7',
      ['<sip:10.0.0.8;lr>', '<sip:2@10.0.0.9:5070>'],
    ],
  ])('is routed over %s', (_what, routeSet, uri, routes) => {
    const { dialog, bye } = byeOf({ routeSet });
    expect(bye.uri).toBe(uri);
    expect(requestUri(dialog)).toBe(uri);
    expect(headerList(bye, 'Route')).toEqual(routes);
  });

  it('keeps the peer that named its destination', () => {
    const destination = { host: '192.168.0.1', port: 5060, namedBy: '8.8.8.8', namedByPort: 40_123 };
    expect(byeOf({ destination }).dialog.destination).toMatchObject(destination);
    expect(storeDialog(byeOf({ destination }).dialog).destination).toEqual(destination);
  });

  it('cannot be made from a malformed route set', () => {
    expect(() => dialogFromStored({ ...STORED, routeSet: ['<sip:10.0.0.7'] })).toThrow(
      'an angle bracket does not close',
    );
  });
});
