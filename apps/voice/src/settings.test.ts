import { expect, it } from 'vitest';
import { readSettings } from './settings.ts';

const REQUIRED = {
  DATABASE_URL: 'postgres://nobody@127.0.0.1/none',
  SECRET_KEY: 'x'.repeat(32),
  INTERNAL_SECRET: 'x'.repeat(32),
};
const CERTIFICATE = { SIP_TLS_CERT_FILE: '/tls/cert.pem', SIP_TLS_KEY_FILE: '/tls/key.pem' };

it('take a certificate for SIP with a single voice process', () => {
  expect(readSettings({ ...REQUIRED, ...CERTIFICATE })).toMatchObject({ ...CERTIFICATE, VOICE_PROCESSES: 1 });
});

// The front of a fleet forwards over UDP: calls over TLS would be readable behind it.
it('refuse a certificate for SIP with several voice processes, and say what to change', () => {
  expect(() => readSettings({ ...REQUIRED, ...CERTIFICATE, VOICE_PROCESSES: '2' })).toThrow(
    'SIP_TLS_CERT_FILE: calls over TLS are accepted by one voice process only: VOICE_PROCESSES must be 1',
  );
});

it('refuse a certificate without its key', () => {
  const { SIP_TLS_CERT_FILE } = CERTIFICATE;
  expect(() => readSettings({ ...REQUIRED, SIP_TLS_CERT_FILE })).toThrow(
    'SIP_TLS_KEY_FILE: is required and missing',
  );
});
