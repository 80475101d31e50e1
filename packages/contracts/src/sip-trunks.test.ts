import { describe, expect, it } from 'vitest';
import { newTrunkBody, trunkChangesBody } from './sip-trunk-bodies.ts';

describe('the codecs of a trunk', () => {
  const parse = (codecs: unknown) =>
    newTrunkBody.safeParse({ name: 'PBX', host: 'pbx.example', codecs }).data?.codecs ?? null;

  it.each([
    [undefined, []],
    [[], []],
    [
      ['g722', 'pcma'],
      ['g722', 'pcma'],
    ],
    [
      ['opus', 'g722', 'pcmu', 'pcma'],
      ['opus', 'g722', 'pcmu', 'pcma'],
    ],
  ])('%j are accepted', (codecs, read) => {
    expect(parse(codecs)).toEqual(read);
  });

  it.each([
    [['g729']],
    [['g722', 'g722']],
    [['pcmu', 'pcma', 'g722', 'opus', 'pcmu']],
    ['g722'],
    [[null]],
    [{}],
  ])('%j are refused, with the name of the field', (codecs) => {
    const result = trunkChangesBody.safeParse({ codecs });
    expect(result.error?.issues[0]?.path[0]).toBe('codecs');
  });
});
