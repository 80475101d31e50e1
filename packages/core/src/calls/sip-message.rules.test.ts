import { describe, expect, it } from 'vitest';
import { formatAddress, inviteStatusOf, summaryOf } from './sip-message.rules.ts';

const answer = (status: string, method: string, isSent = false) => ({
  isSent,
  text: `SIP/2.0 ${status}\r\nCSeq: 2 ${method}\r\n\r\n`,
});

describe('a stored SIP message', () => {
  it.each([
    ['INVITE sip:1@x SIP/2.0\r\nCSeq: 1 INVITE\r\n', 'INVITE'],
    ['SIP/2.0 200 OK\r\ncseq :  7  BYE\r\n', '200 OK (BYE)'],
    ['SIP/2.0 486 \r\nCSeq: 1 INVITE\r\n', '486 (INVITE)'],
    ['SIP/2.0 100 Trying', '100 Trying'],
    ['rubbish', 'SIP'],
  ])('%j is summarised as %j', (text, summary) => expect(summaryOf(text)).toBe(summary));

  it('has brackets around IPv6 addresses', () => {
    expect(formatAddress({ host: '::1', port: 5060 })).toBe('[::1]:5060');
    expect(formatAddress({ host: '192.0.2.1', port: 5060 })).toBe('192.0.2.1:5060');
  });

  it('tells how the far end has answered the INVITE', () => {
    const challenge = answer('407 Proxy Authentication Required', 'INVITE');
    expect(inviteStatusOf([challenge, answer('180 Ringing', 'INVITE')])).toBeNull();
    expect(inviteStatusOf([challenge, answer('488 Not Acceptable Here', 'INVITE')])).toBe(488);
    expect(inviteStatusOf([answer('200 OK', 'INVITE'), answer('481 Gone', 'BYE')])).toBe(200);
    expect(inviteStatusOf([answer('200 OK', 'INVITE', true)])).toBeNull();
  });
});
