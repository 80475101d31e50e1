import { describe, expect, it } from 'vitest';
import { fieldErrors } from './field-wording.ts';
import {
  changesInOwnTerms,
  familyCallingFormat,
  familyTrunkBody,
  familyTrunkChangesBody,
} from './sip-trunk-family.ts';

/** As a client of the API family sends it. */
const NUMBER = {
  sip_trunk_type: 'number',
  phone_number: '+12025550142',
  sip_username: 'acme',
  sip_password: 'secret',
  sip_address: 'sip.carrier.example',
  sip_calling_format: 'e164',
  inbound_authorization_type: 'ip',
  country_code: 'US',
};

const faultsOf = (result: ReturnType<typeof familyTrunkBody.safeParse>) =>
  fieldErrors(result.error?.issues ?? []);

describe('a trunk in the terms of the API family', () => {
  it('is a trunk of ours, and its number', () => {
    const { trunk, phoneNumber } = familyTrunkBody.parse(NUMBER);
    expect(phoneNumber).toBe('+12025550142');
    expect(trunk).toMatchObject({
      name: '+12025550142',
      host: 'sip.carrier.example',
      username: 'acme',
      password: 'secret',
      number_format: 'e164_without_plus',
      default_country: 'US',
      registers: false,
    });
    expect(Object.keys(trunk).filter((name) => name.startsWith('sip_'))).toEqual([]);
  });

  it('is an extension that registers', () => {
    const extension = {
      sip_trunk_type: 'extension',
      phone_number: '204',
      inbound_authorization_type: 'auth',
    };
    const { trunk, phoneNumber } = familyTrunkBody.parse({ ...NUMBER, ...extension });
    expect({ phoneNumber, ...trunk }).toMatchObject({ phoneNumber: null, from_user: '204', registers: true });
  });

  it('may take numbers in their national form', () => {
    const { trunk } = familyTrunkBody.parse({ ...NUMBER, sip_calling_format: 'national' });
    expect(trunk).toMatchObject({ number_format: 'national', default_country: 'US' });
    expect(familyCallingFormat(trunk.number_format)).toBe('national');
  });

  it('keeps the terms of ours', () => {
    const body = { name: 'Carrier', host: '192.0.2.1', sip_address: '', outbound_proxy: false };
    expect(familyTrunkBody.parse(body)).toMatchObject({
      trunk: { name: 'Carrier', host: '192.0.2.1', number_format: 'e164', registers: false },
      phoneNumber: null,
    });
  });

  it.each([
    [{}, ['name', 'host']],
    [{ sip_trunk_type: 'number' }, ['sip_address', 'phone_number']],
    [{ ...NUMBER, sip_trunk_type: 'extension' }, []],
    [{ ...NUMBER, sip_trunk_type: 'extension', phone_number: '204@pbx' }, ['phone_number']],
    [{ ...NUMBER, sip_calling_format: 'dialed' }, ['sip_calling_format']],
    [{ ...NUMBER, allowed_inbound_ips: ['192.0.2.7'] }, ['allowed_inbound_ips']],
    [{ ...NUMBER, outbound_proxy: true }, ['outbound_proxy']],
    [{ ...NUMBER, host: 'other.example' }, ['sip_address']],
  ])('%j is refused at %j', (body, fields) => {
    expect(Object.keys(faultsOf(familyTrunkBody.safeParse(body)))).toEqual(fields);
  });

  it('changes only what was sent, and differs from what was read', () => {
    const present = { ...NUMBER, host: 'sip.carrier.example', number_format: 'e164_without_plus' };
    const change = (body: object) => changesInOwnTerms(familyTrunkChangesBody.parse(body), present);
    expect(change({ sip_address: 'new.example', sip_password: 'other' })).toEqual({
      changes: { host: 'new.example', password: 'other' },
    });
    expect(change({ ...present, host: 'new.example', number_format: 'e164' })).toMatchObject({
      changes: { host: 'new.example', number_format: 'e164' },
    });
    expect(
      change({ sip_address: 'one.example', host: 'other.example', phone_number: '+12025550143' }),
    ).toEqual({
      refused: ['phone_number', 'sip_address'],
    });
  });
});
