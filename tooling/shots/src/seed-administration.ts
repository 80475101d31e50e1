/** What operators set up: trunks, numbers, users, tokens, prices, a provider, the do-not-call list, consents. */
import type { Installation } from '@parley/e2e';
import { create } from './create.ts';

/** @throws Error where the installation refuses something. Each change is in the audit log. */
export async function seedAdministration(installation: Installation, assistant: number): Promise<void> {
  const carrier = await seedTrunks(installation, assistant);
  await seedUsers(installation);
  await seedTokens(installation);
  await create(installation, 'providers', {
    name: 'Language model in the data centre',
    base_url: 'http://127.0.0.1:9/v1',
    models: [
      { name: 'Small, fast', wire_name: 'small:8b' },
      { name: 'Large', wire_name: 'large:70b' },
    ],
  });
  await installation.request('PUT', '/api/user/prices', {
    sip_trunks: [{ sip_trunk_id: carrier, per_minute: 0.0125 }],
  });
  await seedNumberLists(installation);
}

/** On this machine, where nothing listens. @returns the carrier's id */
async function seedTrunks(installation: Installation, assistant: number): Promise<number> {
  const path = 'phone-numbers/sip-trunks';
  const carrier = await create(installation, path, {
    name: 'Carrier, main line',
    host: 'localhost',
    port: 5090,
    username: 'northside',
    password: 'not a secret',
    caller_number: '+12125550100',
    max_calls: 30,
    max_cps: 5,
    default_country: 'US',
    codecs: ['opus', 'g722', 'pcmu'],
    from_user: 'northside',
    from_name: 'Northside Dental',
    outbound_caller_header: 'p_asserted_identity',
  });
  await create(installation, path, {
    name: 'PBX of the practice',
    host: '127.0.0.1',
    port: 5092,
    transport: 'tcp',
    dtmf: 'info',
    number_format: 'e164_without_plus',
  });
  const numbers: number[] = [];
  for (const number of ['+12125550100', '+13125550100', '+14155550100'])
    numbers.push(
      await create(installation, 'phone-numbers', { phone_number: number, sip_trunk_id: carrier }),
    );
  await seedRoute(installation, { number: numbers.at(-1) ?? 0, assistant });
  return carrier;
}

/** An agent of the practice on weekdays, a queue for what the assistant answers, voicemail at night. */
async function seedRoute(
  installation: Installation,
  { number, assistant }: { number: number; assistant: number },
): Promise<void> {
  const answers = { type: 'assistant', assistant_id: assistant };
  await installation.request('PUT', `/api/user/phone-numbers/${number}/inbound-route`, {
    timezone: 'America/New_York',
    rules: [
      {
        days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
        from: '09:00',
        until: '12:00',
        action: {
          type: 'stream',
          assistant_id: assistant,
          url: 'wss://agent.northside.example/media',
          parameters: [{ name: 'from', value: '{{customer_phone}}' }],
        },
      },
      {
        from: '20:00',
        until: '07:00',
        action: {
          type: 'voicemail',
          assistant_id: assistant,
          text: 'We are closed now. Please leave a message after the tone.',
        },
      },
    ],
    otherwise: answers,
    queue: {
      max_calls: 4,
      max_waiting: 12,
      text: 'You are number {{queue_position}} in the queue. Please wait.',
      overflow: { type: 'message', assistant_id: assistant, text: 'Please call again later.' },
    },
  });
}

async function seedUsers(installation: Installation): Promise<void> {
  for (const [name, email, role] of [
    ['Maria Jimenez', 'maria@northside.example', 'operator'],
    ['Noah Whitfield', 'noah.whitfield@northside.example', 'member'],
    ['Olga Brandt', 'olga@northside.example', 'member'],
  ])
    await create(installation, 'users', { name, email, role });
  const former = await create(installation, 'users', { name: 'Pat Quinn', email: 'pat@northside.example' });
  await installation.request('PUT', `/api/user/users/${former}`, { is_disabled: true });
}

async function seedTokens(installation: Installation): Promise<void> {
  await create(installation, 'tokens', { name: 'Practice management software', scopes: ['read', 'write'] });
  await create(installation, 'tokens', {
    name: 'Agent at the reception',
    scopes: ['read', 'call'],
    allowed_numbers: ['+1212555*', '+13125550148'],
    max_calls_per_day: 40,
    max_cost_per_day: 12.5,
    expires_at: new Date(Date.UTC(2090, 0, 1)).toISOString(),
  });
  const old = await create(installation, 'tokens', { name: 'Trial of last year' });
  await installation.request('DELETE', `/api/user/tokens/${old}`, {});
}

async function seedNumberLists(installation: Installation): Promise<void> {
  for (const [number, reason] of [
    ['+12125550140', 'Asked on the phone not to be called'],
    ['+13125550141', 'Moved away'],
    ['+14155550142', 'Letter of 3 March: no calls about invoices, and no calls to relatives either'],
    ['+16175550143', ''],
  ])
    await installation.request('POST', '/api/user/do-not-call', {
      phone_number: number,
      ...(reason && { reason }),
    });
  for (const [number, source, text] of [
    ['+12125550121', 'Registration form', 'I agree to be called about my appointments.'],
    [
      '+13125550122',
      'Website',
      'I agree that Northside Dental calls me about appointments, invoices and offers.',
    ],
    ['+14155550123', 'Letter', ''],
  ])
    await installation.request('POST', '/api/user/consents', {
      phone_number: number,
      source,
      text,
      consented_at: '2025-03-03T10:00:00Z',
    });
}
