/**
 * Existing clients of this API family must work with a changed base URL and token only: sends every form of
 * `client-forms.ts` as they do, with `Content-Type: application/json` also where there is no body, and without a user agent.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useTestDatabase } from '@parley/testkit';
import { startWorld, type World } from './asking.ts';
import { clientForms, notBuiltYet, type ClientForm } from './client-forms.ts';
import { sendRaw, type RawAnswer } from './raw-request.ts';
import { make, type Resource } from './world.ts';

const database = useTestDatabase();
let world: World;

beforeAll(async () => {
  world = await startWorld({ db: database.db });
  // The lists must not be empty.
  for (const resource of ['call', 'phoneNumber', 'provider'] as const)
    await make(world.live, resource, world.member);
});

afterAll(() => world.stop());

const named = clientForms.map((form) => ({
  form,
  key: keyOf(form),
  name: [form.method, form.path, form.note && `(${form.note})`].filter(Boolean).join(' '),
}));

test('every form that is listed as not built exists', () => {
  const keys = new Set(named.map(({ key }) => key));
  expect(notBuiltYet.filter((key) => !keys.has(key))).toEqual([]);
});

test.each(named.filter(({ key }) => !notBuiltYet.includes(key)))('$name', async ({ form }) => {
  const answer = await send(form);
  expect(answer.status, answer.text).toBe(form.status ?? (answer.status < 300 ? answer.status : 200));
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  expectReadable(form, JSON.parse(answer.text));
});

test.each(named.filter(({ key }) => notBuiltYet.includes(key)))(
  '$name is not built yet',
  async ({ form }) => {
    const { status } = await send(form);
    expect([404, 405], 'this endpoint exists now: take it out of notBuiltYet').toContain(status);
  },
);

/** Method and path without the variable parts. */
function keyOf({ method, path }: ClientForm): string {
  return `${method} ${path.split('?')[0]}`;
}

/** Sends a request as clients of this family do. */
async function send({ method, path, body }: ClientForm): Promise<RawAnswer> {
  return sendRaw(world.live.url, {
    method,
    target: await filled(path),
    headers: {
      authorization: `Bearer ${world.member.token}`,
      'content-type': 'application/json',
      accept: 'application/json',
    },
    ...(body === undefined ? {} : { body: await filled(JSON.stringify(body)) }),
  });
}

/** Replaces the words in angle brackets with ids of new rows. */
async function filled(text: string): Promise<string> {
  let result = text;
  for (const [word, name] of text.matchAll(/<(\w+)>/g)) {
    const { id } = await make(world.live, name as Resource, world.member);
    result = result.replace(word, String(id));
  }
  return result;
}

function expectReadable({ reads }: ClientForm, body: unknown): void {
  if ('page' in reads)
    return expect(body).toMatchObject({ current_page: 1, data: expect.any(Array) as unknown });
  if ('fields' in reads) return expectFields(body, reads.fields);
  expect(body).toBeInstanceOf(Array);
  expect((body as unknown[]).length).toBeGreaterThan(0);
  for (const item of body as unknown[]) expectFields(item, reads.list);
}

function expectFields(body: unknown, fields: readonly string[]): void {
  for (const field of fields) expect(body).toHaveProperty(field);
}
