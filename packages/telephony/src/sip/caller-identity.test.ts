import { execFile } from 'node:child_process';
import {
  createPrivateKey,
  createSign,
  generateKeyPairSync,
  X509Certificate,
  type KeyObject,
} from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { makeCertificate } from '@parley/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCaller } from './caller-identity.ts';

const NOW = 1_790_000_000;
const NUMBERS = { from: '+12025550171', to: '+12025550101' };
const CLAIMS = {
  attest: 'A',
  dest: { tn: ['12025550101'] },
  iat: NOW,
  orig: { tn: '12025550171' },
  origid: '123e4567-e89b-12d3-a456-426655440000',
};
const HEADER = { alg: 'ES256', ppt: 'shaken', typ: 'passport', x5u: 'https://cert.example/a.pem' };

const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });
/** What matters of a certificate. */
const certificateOf = (publicKey: KeyObject): X509Certificate =>
  ({ publicKey, validFromDate: new Date(0), validToDate: new Date(NOW * 2000) }) as X509Certificate;

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function passport(claims: object = CLAIMS, header: object = HEADER, key = own.privateKey): string {
  const text = `${encode(header)}.${encode(claims)}`;
  const signature = createSign('sha256').update(text).sign({ key, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')};info=<https://cert.example/a.pem>;alg=ES256;ppt="shaken"`;
}

function read(
  fields: Record<string, string | string[]>,
  { isTrusted = false, isPrivate = false, fromName = '' } = {},
) {
  const headers = Object.entries(fields).flatMap(([name, values]) =>
    [values].flat().map((value) => ({ name, value })),
  );
  const fromUri = 'sip:+12025550171@carrier.example';
  const certificates = isTrusted ? [certificateOf(other.publicKey), certificateOf(own.publicKey)] : [];
  return readCaller(
    headers,
    { fromName, fromUri, isPrivate, numbers: NUMBERS },
    { certificates, nowSeconds: NOW + 5, mayVerify: () => true },
  );
}

describe('the identity of a caller', () => {
  it('is unknown where nothing is said', () => {
    expect(read({})).toEqual({ callerName: '', identity: null });
  });

  it('is read from a PASSporT, and not verified without trusted certificates', () => {
    expect(read({ Identity: passport() }).identity).toEqual({
      verstat: null,
      attestation: 'A',
      signature: 'not_verified',
      originId: CLAIMS.origid,
    });
  });

  it.each([
    ['a signature of a trusted key', passport(), 'valid'],
    [
      'a signature of another key',
      passport(CLAIMS, HEADER, generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey),
      'invalid',
    ],
    ['another caller', passport({ ...CLAIMS, orig: { tn: '12025550199' } }), 'invalid'],
    ['another called number', passport({ ...CLAIMS, dest: { tn: ['12025550199'] } }), 'invalid'],
    ['an old token', passport({ ...CLAIMS, iat: NOW - 100 }), 'invalid'],
    ['no time', passport({ ...CLAIMS, iat: null }), 'invalid'],
    ['another algorithm', passport(CLAIMS, { ...HEADER, alg: 'none' }), 'invalid'],
  ])('is verified with trusted certificates: %s', (_case, Identity, signature) =>
    expect(read({ Identity }, { isTrusted: true }).identity).toMatchObject({ signature }),
  );

  it('is the best of several', () => {
    const bad = passport({ ...CLAIMS, attest: 'C', iat: 0 });
    const { identity } = read({ Identity: [bad, passport()] }, { isTrusted: true });
    expect(identity).toMatchObject({ attestation: 'A', signature: 'valid' });
  });

  it.each([
    ['the compact form, which has no claims', '..abc;info=<https://cert.example/a.pem>'],
    ['no JSON', 'AAAA.BBBB.CCCC'],
    ['a list', `${encode([])}.${encode([])}.AA`],
    ['another extension', passport(CLAIMS, { ...HEADER, ppt: 'div' })],
    ['an endless token', `${encode(HEADER)}.${'A'.repeat(9_000)}.AA`],
    ['nothing', ''],
  ])('is not read from %s', (_case, Identity) => expect(read({ Identity }).identity).toBeNull());

  it('takes no strange values from a PASSporT', () => {
    const claims = { ...CLAIMS, attest: 'X', origid: '<script>' };
    expect(read({ Identity: passport(claims) }).identity).toEqual({
      verstat: null,
      attestation: null,
      signature: 'not_verified',
      originId: null,
    });
  });

  it.each([
    ['a parameter of the number', '<sip:+12025550171;verstat=TN-Validation-Passed@c.example;user=phone>'],
    ['a parameter of the field', '<sip:+12025550171@c.example>;verstat=tn-validation-passed'],
    ['a parameter of a tel URI', '<tel:+12025550171;verstat=TN-Validation-Passed>'],
  ])('has the result of the carrier in %s', (_case, value) =>
    expect(read({ 'P-Asserted-Identity': value }).identity).toMatchObject({
      verstat: 'TN-Validation-Passed',
      signature: 'none',
    }),
  );

  it('ignores an unknown result, and reads the attestation of a network that writes it itself', () => {
    expect(read({ 'P-Asserted-Identity': '<tel:+1;verstat=Whatever>' }).identity).toBeNull();
    const fields = { 'P-Attestation-Indicator': 'b', 'P-Origination-ID': 'abc-1' };
    expect(read(fields).identity).toMatchObject({ attestation: 'B', originId: 'abc-1' });
  });
});

describe('the name of a caller', () => {
  it.each([
    ['From', {}, 'Ada Lovelace', 'Ada Lovelace'],
    [
      'P-Asserted-Identity first',
      { 'P-Asserted-Identity': '"Front desk" <sip:1@c.example>' },
      'Ada',
      'Front desk',
    ],
    ['without control characters', {}, 'Ada\u0000\u202E\r\n  L', 'Ada L'],
    ['at most 64 characters', {}, 'x'.repeat(500), 'x'.repeat(64)],
    ['without half a character', {}, `${'x'.repeat(63)}😀`, 'x'.repeat(63)],
    ['no number', {}, '+1 202 555 0171', ''],
    ['not Anonymous', {}, 'Anonymous', ''],
  ] as const)('is read from %s', (_case, fields, fromName, expected) =>
    expect(read(fields, { fromName }).callerName).toBe(expected),
  );

  it('is hidden where the caller asks for privacy', () => {
    expect(read({}, { fromName: 'Ada', isPrivate: true }).callerName).toBe('');
  });
});

describe('the signature of a PASSporT', () => {
  const run = promisify(execFile);
  let folder = '';
  let network = { certFile: '', keyFile: '' };
  let issued = { certFile: '', keyFile: '' };

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'parley-identity-'));
    network = await makeCertificate(folder, 'network', 'network.example');
    issued = { certFile: path.join(folder, 'issued.pem'), keyFile: path.join(folder, 'issued-key.pem') };
    const issuer = ['-CA', network.certFile, '-CAkey', network.keyFile];
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', issued.keyFile];
    const request = ['req', '-x509', ...issuer, ...key, '-days', '1', '-subj', '/CN=issued.example'];
    await run('openssl', [...request, '-out', issued.certFile]);
  });
  afterAll(async () => rm(folder, { recursive: true, force: true }));

  /** The verdict on a PASSporT of that key, a number of seconds from now. */
  async function verdict(
    signer: { keyFile: string },
    trusted: { certFile: string },
    { inSeconds = 0, mayVerify = (): boolean => true } = {},
  ) {
    const nowSeconds = Math.floor(
      new X509Certificate(await readFile(network.certFile)).validFromDate.getTime() / 1000,
    );
    const iat = nowSeconds + inSeconds;
    const value = passport({ ...CLAIMS, iat }, HEADER, createPrivateKey(await readFile(signer.keyFile)));
    const certificates = [new X509Certificate(await readFile(trusted.certFile))];
    const fromUri = 'sip:+12025550171@carrier.example';
    const about = { fromName: '', fromUri, isPrivate: false, numbers: NUMBERS };
    const trust = { certificates, nowSeconds: iat, mayVerify };
    return readCaller([{ name: 'Identity', value }], about, trust).identity?.signature;
  }

  it('is valid by the key of a certificate that is trusted', async () => {
    expect(await verdict(network, network)).toBe('valid');
    expect(await verdict(issued, issued, { inSeconds: 60 })).toBe('valid');
  });

  it('is invalid by a certificate that a trusted one has issued: only listed keys count', async () => {
    expect(await verdict(issued, network)).toBe('invalid');
  });

  it('is invalid by a certificate that has expired, and by one that is not valid yet', async () => {
    expect(await verdict(network, network, { inSeconds: 2 * 86_400 })).toBe('invalid');
    expect(await verdict(network, network, { inSeconds: -60 })).toBe('invalid');
  });

  it('is not verified beyond the limit', async () => {
    let asked = 0;
    const mayVerify = () => (asked += 1) > 1;
    expect(await verdict(network, network, { mayVerify })).toBe('not_verified');
    expect(await verdict(network, network, { mayVerify })).toBe('valid');
  });
});
