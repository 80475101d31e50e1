/**
 * Every form of the admin app in a real browser, against the real API: a refusal stands at its field, what was written survives
 * a failed request, two submissions send one request, and nothing that was written is discarded without a question.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isBrowserMissing, launchBrowser, signInAsOperator } from '../src/admin-browser.ts';
import { ADMIN_FORMS } from '../src/admin-forms.ts';
import { createAssistant } from '../src/assistants.ts';
import { tryForm } from '../src/form-trial.ts';
import { ASSISTANT_FORMS } from '../src/assistant-forms.ts';
import { placeCall, waitForCall } from '../src/calls.ts';
import { sharedInstallation } from '../src/shared-installation.ts';

/** The session of the operator, who signs in once. */
type Session = Awaited<ReturnType<ReturnType<Page['context']>['storageState']>>;

/** Answers and talks. */
const TALKING_PHONE = '+12025550110';
const rows = new Map<string, number>();
let browser: Browser;
let session: Session;
let page: Page;

async function create(path: string, body: object): Promise<number> {
  const made = (await sharedInstallation().request('POST', `/api/user/${path}`, body)) as {
    data: { id: number };
  };
  return made.data.id;
}

/** A call in which the customer said something. */
async function someCall(assistantId: number): Promise<number> {
  const id = await placeCall(sharedInstallation(), { assistantId, phoneNumber: TALKING_PHONE });
  await waitForCall(sharedInstallation(), id, ({ status }) => status === 'completed', 90_000);
  return id;
}

async function createRows(): Promise<void> {
  const installation = sharedInstallation();
  const assistant = await createAssistant(installation, { webhookUrl: `${installation.baseUrl}/nowhere` });
  // Before the trunk of the forms, which reaches no telephone, would carry it.
  const call = await someCall(assistant);
  const draft = await create('campaigns', { name: 'Forms', assistant_id: assistant });
  const campaign = await create('campaigns', { name: 'Leads of forms', assistant_id: assistant });
  const lead = await create('lead', {
    campaign_id: campaign,
    phone_number: '+12025550181',
    secondary_contacts: [{ phone_number: '+12025550182' }],
  });
  const trunk = await create('phone-numbers/sip-trunks', { name: 'Forms', host: 'sip.forms.example' });
  await create('phone-numbers', { phone_number: '+12025550183', sip_trunk_id: trunk });
  const knowledgebase = await create('knowledgebases', {
    name: 'Forms',
    description: 'Of the test of forms.',
  });
  const suite = await create('suites', {
    name: 'Forms',
    definition: `assistant: ${assistant}\ncallers:\n  - name: says nothing\n    script: [Goodbye.]\n    expect: { said: [hello] }\n`,
  });
  const vanishing = await createAssistant(installation, { webhookUrl: `${installation.baseUrl}/nowhere` });
  await installation.request('PUT', `/api/user/assistant/${vanishing}`, { assistant_name: 'Vanishing' });
  const folder = await create('folders', { name: 'Vanishing' });
  await create('folders', { name: 'Lasting' });
  const tool = await create('tools', {
    name: 'vanishing',
    description: 'Of the test of forms.',
    endpoint: 'https://example.com/tool',
    method: 'GET',
    timeout: 5,
    headers: [],
    schema: [],
  });
  const made = { assistant, draft, lead, knowledgebase, suite, vanishing, folder, tool, call };
  for (const [name, id] of Object.entries(made)) rows.set(name, id);
}

beforeAll(async () => {
  if (isBrowserMissing) return;
  browser = await launchBrowser();
  const context = await browser.newContext();
  await signInAsOperator(await context.newPage(), sharedInstallation());
  session = await context.storageState();
  await context.close();
  await createRows();
});

afterAll(() => browser?.close());

beforeEach(async () => {
  if (isBrowserMissing) return;
  page = await (await browser.newContext({ storageState: session })).newPage();
});

afterEach(() => page?.context().close());

describe.skipIf(isBrowserMissing)('the form', () => {
  it.each([...ASSISTANT_FORMS, ...ADMIN_FORMS])('$name', async (form) => {
    await tryForm(page, form, {
      baseUrl: sharedInstallation().baseUrl,
      rows,
      remove: (path) => sharedInstallation().request('DELETE', `/api/user/${path}`),
    });
  });

  it('of an assistant keeps what is edited while it is being saved', async () => {
    await page.goto(`${sharedInstallation().baseUrl}/admin/assistants/${rows.get('assistant')}`);
    const held = Promise.withResolvers<void>();
    await page.route('**/trpc/assistants.update**', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.getByTestId('field-name').fill('Saved first');
    await page.getByTestId('assistant-save').click();
    await page.getByTestId('field-initial_message').fill('Written meanwhile.');
    held.resolve();
    await page.getByRole('heading', { level: 1, name: 'Saved first' }).waitFor();
    await page.getByTestId('save-state').getByText('1 unsaved change').waitFor();
    expect(await page.getByTestId('field-initial_message').inputValue()).toBe('Written meanwhile.');
  });
});
