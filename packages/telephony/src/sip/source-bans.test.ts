import { describe, expect, it } from 'vitest';
import { SourceBans, statusOf } from './source-bans.ts';

const SCANNER = '8.8.8.8';
const MINUTE_MS = 60_000;

function offend(bans: SourceBans, times: number, status = 400, address = SCANNER, nowMs = 0): boolean[] {
  return Array.from({ length: times }, () => bans.answered(address, status, nowMs));
}

describe('a source of bad requests', () => {
  it('is banned for ten minutes after the tenth', () => {
    const bans = new SourceBans();
    expect(offend(bans, 10)).toEqual([...Array<boolean>(9).fill(false), true]);
    expect(bans.isBanned(SCANNER, 10 * MINUTE_MS - 1)).toBe(true);
    expect(bans.isBanned('9.9.9.9', 0)).toBe(false);
    expect(bans.isBanned(SCANNER, 10 * MINUTE_MS)).toBe(false);
    expect(offend(bans, 9, 400, SCANNER, 10 * MINUTE_MS)).not.toContain(true);
  });

  it('is not banned when they are spread over more than ten minutes', () => {
    const bans = new SourceBans();
    offend(bans, 9);
    expect(bans.isBanned(SCANNER, 10 * MINUTE_MS)).toBe(false);
    expect(offend(bans, 9, 400, SCANNER, 10 * MINUTE_MS)).not.toContain(true);
  });

  it.each([400, 403, 405, 413, 415, 416, 420, 483, 505])('offends with a request that gets %i', (status) => {
    expect(offend(new SourceBans(), 10, status)).toContain(true);
  });

  it.each([100, 180, 200, 404, 480, 481, 486, 487, 488, 500, 503])('does not offend with %i', (status) => {
    expect(offend(new SourceBans(), 100, status)).not.toContain(true);
  });

  it('is banned for refused calls that were counted against it, and not when it is a trunk', () => {
    const bans = new SourceBans();
    const stranger = Array.from({ length: 10 }, () => bans.offended(SCANNER, 0));
    expect(stranger).toEqual([...Array<boolean>(9).fill(false), true]);
    bans.trust('9.9.9.9');
    expect(Array.from({ length: 10 }, () => bans.offended('9.9.9.9', 0))).not.toContain(true);
  });

  it('is never banned when it is a trunk, and a ban ends with the first call', () => {
    const bans = new SourceBans();
    offend(bans, 10);
    bans.trust(SCANNER);
    expect(bans.isBanned(SCANNER, 0)).toBe(false);
    expect(offend(bans, 100)).not.toContain(true);
  });

  it.each(['127.0.0.1', '10.0.0.1', '::1'])('is never banned at %s, in our own network', (address) => {
    expect(offend(new SourceBans(), 100, 400, address)).not.toContain(true);
  });

  it('is banned with all addresses of its IPv6 network, but for those of trunks', () => {
    const bans = new SourceBans();
    bans.trust('2606:4700:0:1::5');
    for (let n = 1; n <= 10; n++) offend(bans, 1, 400, `2606:4700:0:1::${n}:1`);
    expect(bans.isBanned('2606:4700:0:1:ffff::1', 0)).toBe(true);
    expect(bans.isBanned('2606:4700:0:1::5', 0)).toBe(false);
    expect(bans.isBanned('2606:4700:0:2::1', 0)).toBe(false);
  });

  it('is still banned when there are more sources than the table holds', () => {
    const bans = new SourceBans();
    for (let n = 0; n < 20_000; n++) offend(bans, 1, 400, `8.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);
    expect(offend(bans, 10, 400, '9.9.9.9')).toContain(true);
  });
});

it.each([
  ['SIP/2.0 404 Not Found\r\n', 404],
  ['INVITE sip:a SIP/2.0\r\n', null],
  ['\r\n', null],
])('the status of %j is %s', (text, status) => {
  expect(statusOf(Buffer.from(text))).toBe(status);
});
