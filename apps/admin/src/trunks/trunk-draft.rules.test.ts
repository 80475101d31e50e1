import { newTrunkBody, trunkChangesBody, trunkPresets, type TrunkRecord } from '@parley/contracts';
import { describe, expect, it } from 'vitest';
import {
  draftOf,
  emptyTrunk,
  fillIn,
  passwordHint,
  toNewTrunk,
  toTrunkChanges,
  withTransport,
} from './trunk-draft.rules.ts';

const trunk: TrunkRecord = {
  id: 4,
  name: 'Carrier',
  host: 'sip.carrier.example',
  port: 5080,
  other_hosts: ['sip2.carrier.example', '192.0.2.8:5090'],
  priority: 20,
  auth_username: 'auth-id',
  transport: 'tls',
  tls_verify: false,
  media_encryption: 'required',
  codecs: ['opus', 'g722', 'pcmu'],
  from_name: null,
  username: 'ada',
  has_password: true,
  reach: 'any',
  caller_number: '+12025550101',
  default_country: 'US',
  max_calls: 8,
  max_cps: null,
  max_calls_per_second: 3,
  max_calls_per_day: 500,
  max_cost_per_day: 12.5,
  rtp_timeout_seconds: 60,
  dtmf: 'inband',
  number_format: 'e164_without_plus',
  inbound_caller_source: 'p_asserted_identity',
  inbound_called_source: 'diversion',
  outbound_caller_header: 'p_preferred_identity',
  incoming_refer: 'numbers',
  from_user: 'ada-7',
  registers: true,
  registrar: 'pbx.example:5080',
  register_expires: 120,
  registration: null,
  health: { state: 'healthy', paused_until: null, first_success_at: null },
  is_test: false,
  is_shared: true,
  created_at: '2026-01-31T12:00:00.000000Z',
  sip_trunk_type: 'number',
  phone_number: '+12025550101',
  sip_address: 'sip.carrier.example',
  sip_username: 'ada',
  sip_calling_format: 'e164',
  country_code: 'US',
  inbound_authorization_type: 'auth',
};

it('a new trunk has neither user, limits nor caller number where the fields are empty', () => {
  const input = toNewTrunk({ ...emptyTrunk, name: ' Carrier ', host: ' sip.carrier.example ' });
  expect(newTrunkBody.parse(input)).toEqual({
    name: 'Carrier',
    host: 'sip.carrier.example',
    port: null,
    other_hosts: [],
    priority: 50,
    auth_username: null,
    from_name: null,
    transport: 'udp',
    tls_verify: true,
    media_encryption: 'none',
    codecs: [],
    reach: 'any',
    username: null,
    password: null,
    caller_number: null,
    default_country: null,
    max_calls: null,
    max_cps: null,
    max_calls_per_second: null,
    max_calls_per_day: null,
    max_cost_per_day: null,
    rtp_timeout_seconds: null,
    dtmf: 'auto',
    number_format: 'e164',
    inbound_caller_source: 'from',
    inbound_called_source: 'request_uri',
    outbound_caller_header: 'from',
    incoming_refer: 'refused',
    from_user: null,
    registers: false,
    registrar: null,
    register_expires: 300,
    is_shared: false,
  });
});

describe('the transport', () => {
  it('changes a port that was not chosen', () => {
    expect(withTransport(emptyTrunk, 'tls').port).toBe('');
    const overTls = withTransport({ ...emptyTrunk, port: '5060' }, 'tls');
    expect(overTls).toMatchObject({ transport: 'tls', port: '5061' });
    expect(withTransport(overTls, 'udp')).toMatchObject({ transport: 'udp', port: '5060' });
    expect(withTransport({ ...emptyTrunk, port: '5080' }, 'tls').port).toBe('5080');
  });

  it('without TLS takes the settings back that need it', () => {
    const changes = toTrunkChanges({ ...draftOf(trunk), transport: 'tcp' });
    expect(changes).toMatchObject({ tls_verify: true, media_encryption: 'none' });
  });
});

describe('a change of a trunk', () => {
  it('keeps everything that was not edited, and the password', () => {
    const changes = trunkChangesBody.parse(toTrunkChanges(draftOf(trunk)));
    const { name, host, port, transport, username, reach, caller_number } = trunk;
    const { registers, registrar, register_expires } = trunk;
    const { default_country, max_calls, max_cps, rtp_timeout_seconds, dtmf, number_format } = trunk;
    const { inbound_caller_source, inbound_called_source, outbound_caller_header, from_user } = trunk;
    const { incoming_refer } = trunk;
    const { tls_verify, media_encryption, codecs, other_hosts, priority, auth_username } = trunk;
    const security = { tls_verify, media_encryption, codecs };
    const hosts = { other_hosts, priority, auth_username };
    const address = { name, host, port, ...hosts, transport, ...security, username, reach, caller_number };
    expect(changes).toEqual({
      ...address,
      from_name: null,
      default_country,
      max_calls,
      max_cps,
      max_calls_per_second: 3,
      max_calls_per_day: 500,
      max_cost_per_day: 12.5,
      rtp_timeout_seconds,
      dtmf,
      number_format,
      inbound_caller_source,
      inbound_called_source,
      outbound_caller_header,
      incoming_refer,
      from_user,
      registers,
      registrar,
      register_expires,
    });
  });

  it('has the password that was typed, as it was typed', () => {
    expect(toTrunkChanges({ ...draftOf(trunk), password: ' secret ' })).toMatchObject({
      password: ' secret ',
    });
  });

  it('without a user name has no password either', () => {
    const changes = trunkChangesBody.parse(toTrunkChanges({ ...draftOf(trunk), username: ' ' }));
    expect(changes).toMatchObject({ username: null, password: null });
  });
});

it.each([
  ['a new trunk', undefined, 'sip.carrier.example', 'hint'],
  ['no stored password', { ...trunk, has_password: false }, 'other.example', 'hint'],
  ['the same host', trunk, ' SIP.carrier.example ', 'kept'],
  ['another host', trunk, 'other.example', 'againForNewHost'],
] as const)('the hint at the password with %s', (_, known, host, hint) => {
  expect(passwordHint(known, { host })).toBe(hint);
});

describe.each(trunkPresets)('filling in for $name', (preset) => {
  it('gives a trunk that is valid once it has a name and a host', () => {
    const filled = fillIn({ ...emptyTrunk, name: 'Carrier', host: 'sip.carrier.example' }, preset);
    expect(newTrunkBody.parse(toNewTrunk(filled))).toMatchObject(preset.settings);
  });

  it('leaves the name, the account, the limits and numbers, and a host of the customer’s own', () => {
    const { settings } = preset;
    const before = draftOf(trunk);
    const filled = fillIn(before, preset);
    const changed = Object.keys(filled).filter(
      (name) => filled[name as keyof typeof filled] !== before[name as keyof typeof before],
    );
    expect(Object.keys(settings)).toEqual(expect.arrayContaining(changed));
    expect(filled.host).toBe(settings.host ?? before.host);
  });
});

it('filling in for another carrier leaves nothing of the first', () => {
  for (const first of trunkPresets)
    for (const { settings, ...second } of trunkPresets)
      expect(fillIn(fillIn(emptyTrunk, first), { ...second, settings })).toMatchObject({
        ...settings,
        port: String(settings.port),
      });
});
