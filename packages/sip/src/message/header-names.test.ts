import { describe, expect, it } from 'vitest';
import { canonicalName } from './header-names.ts';

describe('canonicalName', () => {
  // The compact forms of RFC 3261 section 7.3.3, and those of the extensions that we meet.
  it.each([
    ['i', 'Call-ID'],
    ['m', 'Contact'],
    ['e', 'Content-Encoding'],
    ['l', 'Content-Length'],
    ['c', 'Content-Type'],
    ['f', 'From'],
    ['s', 'Subject'],
    ['k', 'Supported'],
    ['t', 'To'],
    ['v', 'Via'],
    ['V', 'Via'],
    ['o', 'Event'],
    ['r', 'Refer-To'],
    ['b', 'Referred-By'],
    ['call-id', 'Call-ID'],
    ['CSEQ', 'CSeq'],
    ['www-authenticate', 'WWW-Authenticate'],
    ['X-Own-Header', 'X-Own-Header'],
  ])('writes %s as %s', (name, canonical) => {
    expect(canonicalName(name)).toBe(canonical);
  });
});
