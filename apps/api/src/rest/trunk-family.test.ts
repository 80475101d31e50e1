/** SIP trunks over REST in the terms of other products of the API family. */
import { newAssistant, useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';

const database = useTestDatabase();
const TRUNKS = '/api/user/phone-numbers/sip-trunks';
let live: LiveApi;
/** How many members were added. */
let members = 0;

beforeAll(async () => {
  live = await startLiveApi({ db: database.db });
});
afterAll(() => live.stop());

const body = {
  sip_trunk_type: 'number',
  phone_number: '(202) 555-0142',
  sip_username: 'acme',
  sip_password: 'secret',
  sip_address: '192.0.2.40',
  sip_calling_format: 'e164',
  inbound_authorization_type: 'ip',
  country_code: 'US',
};
const create = (fields: object = {}) => live.ask(TRUNKS, { method: 'POST', body: { ...body, ...fields } });

test('a trunk of a number is created with the number, read and changed', async () => {
  const created = await create();
  expect(created.status, created.text).toBe(201);
  const { data } = created.body as { data: { id: number } };
  expect(data).toMatchObject({
    name: '(202) 555-0142',
    host: '192.0.2.40',
    username: 'acme',
    has_password: true,
    caller_number: '+12025550142',
    number_format: 'e164_without_plus',
    registers: false,
    sip_trunk_type: 'number',
    phone_number: '+12025550142',
    sip_address: '192.0.2.40',
    sip_username: 'acme',
    sip_calling_format: 'e164',
    country_code: 'US',
  });
  const numbers = await live.ask('/api/user/phone-numbers/all');
  const [number] = (numbers.body as { data: { id: number; sip_trunk_id: number }[] }).data.filter(
    ({ sip_trunk_id: id }) => id === data.id,
  );
  expect(number).toMatchObject({ phone_number: '+12025550142' });
  const path = `${TRUNKS}/${data.id}`;
  const changes = { sip_address: '192.0.2.41', sip_password: 'other', sip_calling_format: '+e164' };
  const changed = await live.ask(path, { method: 'PUT', body: changes });
  expect(changed.status, changed.text).toBe(200);
  expect((await live.ask(path)).body).toMatchObject({ host: '192.0.2.41', sip_calling_format: '+e164' });
});

/** A trunk of a number, and that number. */
async function createLine(phoneNumber: string): Promise<{ trunk: number; number: number }> {
  const { data } = (await create({ phone_number: phoneNumber })).body as { data: { id: number } };
  const all = (await live.ask('/api/user/phone-numbers')).body as { id: number; sip_trunk_id: number }[];
  return { trunk: data.id, number: all.find(({ sip_trunk_id: id }) => id === data.id)?.id ?? 0 };
}

const remove = (path: string, token = live.token) =>
  live.ask(`/api/user/phone-numbers/${path}`, { method: 'DELETE', token });

test.each([
  ['the id of the number', ({ number }: { number: number }) => String(number)],
  ['the id of the trunk, as clients of the family send it', ({ trunk }: { trunk: number }) => String(trunk)],
  ['the trunk', ({ trunk }: { trunk: number }) => `sip-trunks/${trunk}`],
])('a trunk and its number are removed together by %s', async (_what, pathOf) => {
  const line = await createLine('+12025550151');
  const foreign = await live.addUser(`Stranger${++members}`);
  expect((await remove(pathOf(line), foreign.token)).status).toBe(404);
  const removed = await remove(pathOf(line));
  expect(removed.status, removed.text).toBe(200);
  expect((await live.ask(`${TRUNKS}/${line.trunk}`)).status).toBe(404);
  expect((await remove(String(line.number))).status).toBe(404);
  expect((await remove(pathOf(line))).status).toBe(404);
});

test('an extension is removed by its id', async () => {
  const { data } = (await create({ sip_trunk_type: 'extension', phone_number: '204' })).body as {
    data: { id: number };
  };
  expect((await remove(String(data.id))).status).toBe(200);
  expect((await live.ask(`${TRUNKS}/${data.id}`)).status).toBe(404);
});

test('a line whose number an assistant uses stays whole', async () => {
  const line = await createLine('+12025550152');
  const assistant = newAssistant({ calls_direction: 'receive', phone_number_id: line.number });
  await live.ask('/api/user/assistant', { method: 'POST', body: assistant });
  for (const path of [`${line.number}`, `${line.trunk}`, `sip-trunks/${line.trunk}`])
    expect((await remove(path)).status, path).toBe(409);
  expect((await live.ask(`${TRUNKS}/${line.trunk}`)).status).toBe(200);
});

test('a line with a second number keeps the trunk', async () => {
  const line = await createLine('+12025550153');
  const more = { phone_number: '+12025550154', sip_trunk_id: line.trunk };
  await live.ask('/api/user/phone-numbers', { method: 'POST', body: more });
  expect((await remove(String(line.trunk))).status).toBe(409);
  expect((await remove(String(line.number))).status).toBe(200);
  expect((await live.ask(`${TRUNKS}/${line.trunk}`)).status).toBe(200);
});

test('a trunk in our terms is not removed as a phone number, nor with its number', async () => {
  const own = { name: 'Carrier', host: '192.0.2.60' };
  const { data } = (await live.ask(TRUNKS, { method: 'POST', body: own })).body as { data: { id: number } };
  const number = { phone_number: '+12025550155', sip_trunk_id: data.id };
  const added = await live.ask('/api/user/phone-numbers', { method: 'POST', body: number });
  const { id } = (added.body as { data: { id: number } }).data;
  expect((await remove(`sip-trunks/${data.id}`)).status).toBe(409);
  expect((await remove(String(id))).status).toBe(200);
  expect((await live.ask(`${TRUNKS}/${data.id}`)).status).toBe(200);
  expect((await remove(`sip-trunks/${data.id}`)).status).toBe(200);
});

test('a record that was read is sent back with one change', async () => {
  const { data } = (await create({ phone_number: '+12025550145' })).body as { data: { id: number } };
  const change = async (fields: object) =>
    live.ask(`${TRUNKS}/${data.id}`, { method: 'PUT', body: { ...data, ...fields } });
  const changed = await change({ number_format: 'e164', name: 'Office' });
  expect(changed.status, changed.text).toBe(200);
  expect(changed.body).toMatchObject({ data: { number_format: 'e164', sip_calling_format: '+e164' } });
  expect(await change({ phone_number: '+12025550146' })).toMatchObject({
    status: 422,
    body: { errors: { phone_number: ['The selected phone number is invalid.'] } },
  });
});

test('a number that is taken leaves no trunk behind', async () => {
  await create({ phone_number: '+12025550143' });
  const before = (await live.ask(TRUNKS)).body as unknown[];
  const again = await create({ phone_number: '+1 202 555 0143' });
  expect(again).toMatchObject({
    status: 422,
    body: { errors: { phone_number: ['The phone number has already been taken.'] } },
  });
  expect((await live.ask(TRUNKS)).body).toHaveLength(before.length);
});

test('an impossible number is refused under the name that was sent', async () => {
  const refused = await create({ phone_number: '123' });
  expect(refused).toMatchObject({
    status: 422,
    body: { errors: { phone_number: ['Invalid phone number'] } },
  });
});

test('a new address needs the password, whatever it is called', async () => {
  const { data } = (await create({ phone_number: '+12025550144' })).body as { data: { id: number } };
  const moved = await live.ask(`${TRUNKS}/${data.id}`, {
    method: 'PUT',
    body: { sip_address: '192.0.2.50' },
  });
  expect(moved).toMatchObject({
    status: 422,
    body: { errors: { sip_password: ['The sip password field is required when the sip address changes.'] } },
  });
});

test.each([
  [{ sip_address: '192.168.0.1' }, { sip_address: ['The selected sip address is invalid.'] }],
  [{ sip_address: undefined, host: '192.168.0.1' }, { host: ['The selected host is invalid.'] }],
  [{ country_code: 'XX' }, { country_code: ['The selected country code is invalid.'] }],
])('a member gets the errors of %o under the names that were sent', async (fields, errors) => {
  const { token } = await live.addUser(`Member${++members}`);
  const sent = { ...body, phone_number: '+12025550148', sip_address: 'sip.carrier.example', ...fields };
  const refused = await live.ask(TRUNKS, { method: 'POST', token, body: sent });
  expect(refused).toMatchObject({ status: 422, body: { errors } });
});
