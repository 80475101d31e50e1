import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeCertificate } from '@parley/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readIdentityCertificates } from './identity-certificates.ts';

describe('the certificates of networks', () => {
  let folder = '';
  let one = '';
  let other = '';

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'parley-certificates-'));
    // The file of a careless operator, with the key of the network.
    one = await readFile((await makeCertificate(folder, 'one', 'one.example')).bothFile, 'utf8');
    other = await readFile((await makeCertificate(folder, 'other', 'other.example')).certFile, 'utf8');
  });
  afterAll(async () => rm(folder, { recursive: true, force: true }));

  async function read(text: string) {
    const file = path.join(folder, 'all.pem');
    await writeFile(file, text);
    return readIdentityCertificates(file).map(({ subject }) => subject);
  }

  it('are read from one file, between keys and remarks', async () => {
    expect(await read(`Network one\n${one}\n# Network two\n${other.replaceAll('\n', '\r\n')}`)).toEqual([
      'CN=one.example',
      'CN=other.example',
    ]);
  });

  it('are none without a file', () => expect(readIdentityCertificates(undefined)).toEqual([]));

  it.each([
    ['nothing', () => '', 'contains no certificate'],
    ['a key alone', () => one.slice(one.indexOf('-----BEGIN PRIVATE')), 'contains no certificate'],
    [
      'a certificate without its end',
      () => `${other}${one.slice(0, 200)}`,
      'Certificate 2 of STIR_CERT_FILE',
    ],
    ['too many', () => other.repeat(17), 'more than 16'],
  ])('are refused with the name of the setting: %s', async (_what, text, message) => {
    await expect(read(text())).rejects.toThrow(message);
  });

  it('are refused where the file is missing', () => {
    expect(() => readIdentityCertificates(path.join(folder, 'missing.pem'))).toThrow('ENOENT');
  });
});
