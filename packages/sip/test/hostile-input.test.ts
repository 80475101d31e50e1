/**
 * Inputs whose processing must not take more than linear time. The limit is processor time of this process, which does not
 * depend on the load of the machine; the inputs took seconds where the time was quadratic.
 */
import { describe, expect, it } from 'vitest';
import { parseKeyInfo } from '../src/media/key-info.ts';
import { answerOffer } from '../src/media/offer-answer.ts';
import { parseMessage } from '../src/message/parse-message.ts';
import { StreamFramer } from '../src/message/stream-framer.ts';
import { parseVia } from '../src/message/via.ts';
import { peerRequest, sdp, Stage } from './scripted-peer.ts';

const LIMIT_MS = 1000;
const LOCAL = { host: '10.0.0.1', port: 4000 };
const MANY = 60_000;

function processorMs(run: () => unknown): number {
  const before = process.cpuUsage();
  try {
    run();
  } catch {
    // Whether the input is refused does not matter here.
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

describe('hostile input', () => {
  it.each([
    ['line breaks in a DTMF body', () => parseKeyInfo('application/dtmf-relay', '\n'.repeat(MANY))],
    ['blanks in a DTMF body', () => parseKeyInfo('application/dtmf-relay', `Signal${' '.repeat(MANY)}`)],
    ['slashes in a Via', () => parseVia(`SIP${'/'.repeat(MANY)} host`)],
    ['blanks in a Via', () => parseVia(`SIP/2.0/UDP${' '.repeat(MANY)}`)],
    [
      'commas in a Via',
      () => parseMessage(peerRequest({ method: 'INFO' }).replace('rport', ','.repeat(MANY))),
    ],
    ['semicolons in a Via', () => parseVia(`SIP/2.0/UDP host${';'.repeat(MANY)}`)],
    ['blanks in an SDP line', () => answerOffer(`v=0\r\na=simulcast: ${' send 1'.repeat(8000)}\r\n`, LOCAL)],
    ['digits in an SDP line', () => answerOffer(`v=0\r\na=ptime:${'1'.repeat(MANY)}.x\r\n`, LOCAL)],
    ['floor control in SDP', () => answerOffer(`v=0\r\na=floorid:${' mstrm:'.repeat(8000)}\r\n`, LOCAL)],
  ])('%s are processed in linear time', (_what, run) => {
    expect(processorMs(run)).toBeLessThan(LIMIT_MS);
  });

  it('that trickles in byte by byte is framed in linear time', () => {
    const head = `OPTIONS sip:a SIP/2.0\r\nSubject: ${'\r'.repeat(MANY / 2)}`;
    const framer = new StreamFramer();
    const push = (text: string): void => {
      for (const byte of Buffer.from(text)) framer.push(Uint8Array.of(byte));
    };
    expect(processorMs(() => push(head))).toBeLessThan(LIMIT_MS);
    const end = Buffer.from('x\r\n\r\n');
    expect(framer.push(end)).toMatchObject([{ type: 'last-message' }]);
    expect(processorMs(() => push(head))).toBeLessThan(LIMIT_MS);
  });

  it('in an INFO of 60 000 line breaks is refused with 413 in linear time, and the call continues', () => {
    const stage = new Stage();
    stage.request({ method: 'INVITE', body: sdp() });
    const body = '\r'.repeat(MANY);
    const info = peerRequest({
      method: 'INFO',
      sequence: 2,
      headers: ['Content-Type: application/dtmf-relay'],
      body,
    });
    stage.sent();
    expect(processorMs(() => stage.receive(info))).toBeLessThan(LIMIT_MS);
    expect(stage.sent()).toMatchObject([{ kind: 'response', status: 413 }]);
    expect(stage.ends()).toEqual([]);
  });
});
