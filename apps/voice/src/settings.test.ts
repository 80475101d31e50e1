import { expect, it } from 'vitest';
import { readSettings } from './settings.ts';

const REQUIRED = {
  DATABASE_URL: 'postgres://nobody@127.0.0.1/none',
  SECRET_KEY: 'x'.repeat(32),
  INTERNAL_SECRET: 'x'.repeat(32),
};
const CERTIFICATE = { SIP_TLS_CERT_FILE: '/tls/cert.pem', SIP_TLS_KEY_FILE: '/tls/key.pem' };

it.each(['1', '2'])('take a certificate for SIP with %s voice processes', (VOICE_PROCESSES) => {
  expect(readSettings({ ...REQUIRED, ...CERTIFICATE, VOICE_PROCESSES })).toMatchObject(CERTIFICATE);
});

it('refuse a certificate without its key', () => {
  const { SIP_TLS_CERT_FILE } = CERTIFICATE;
  expect(() => readSettings({ ...REQUIRED, SIP_TLS_CERT_FILE })).toThrow(
    'SIP_TLS_KEY_FILE: is required and missing',
  );
});
