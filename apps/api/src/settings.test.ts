import { expect, test } from 'vitest';
import { readSettings } from './settings.ts';

const REQUIRED = {
  DATABASE_URL: 'postgres://localhost/parley',
  SECRET_KEY: 'a secret key of at least 32 characters',
  INTERNAL_SECRET: 'another secret of at least 32 characters',
};
const originsOf = (CORS_ORIGINS: string) => readSettings({ ...REQUIRED, CORS_ORIGINS }).CORS_ORIGINS;

test('CORS_ORIGINS is a list of origins, empty by default', () => {
  expect(readSettings(REQUIRED).CORS_ORIGINS).toEqual([]);
  expect(originsOf(' https://crm.example, http://localhost:5173 ,')).toEqual([
    'https://crm.example',
    'http://localhost:5173',
  ]);
  expect(originsOf('*')).toEqual(['*']);
});

test.each(['crm.example', 'https://crm.example/', 'https://crm.example:443', 'https://*.example', 'null'])(
  'CORS_ORIGINS refuses "%s", which no browser sends as an origin',
  (value) => expect(() => originsOf(value)).toThrow(/CORS_ORIGINS/),
);
