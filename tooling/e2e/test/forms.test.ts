/**
 * Every form of the admin app in a real browser, against the real API: a refusal stands at its field, what was written survives
 * a failed request, two submissions send one request, and nothing that was written is discarded without a question.
 */
import type { Browser, Locator, Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isBrowserMissing, launchBrowser, signInAsOperator } from '../src/admin-browser.ts';
import { ADMIN_FORMS, type AdminForm, type Entries } from '../src/admin-forms.ts';
import { createAssistant } from '../src/assistants.ts';
import { sharedInstallation } from '../src/shared-installation.ts';

/** The session of the operator, who signs in once. */
type Session = Awaited<ReturnType<ReturnType<Page['context']>['storageState']>>;

const UNREACHABLE = 'The server is not responding. It may be restarting. Try again in a moment.';
const rows = new Map<string, number>();
let browser: Browser;
let session: Session;
let page: Page;
/** Questions of the browser, and whether they are answered with yes. */
let asked: string[] = [];
let answer = false;

async function create(path: string, body: object): Promise<number> {
  const made = (await sharedInstallation().request('POST', `/api/user/${path}`, body)) as {
    data: { id: number };
  };
  return made.data.id;
}

async function createRows(): Promise<void> {
  const installation = sharedInstallation();
  const assistant = await createAssistant(installation, { webhookUrl: `${installation.baseUrl}/nowhere` });
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
  for (const [name, id] of Object.entries({ assistant, draft, lead, knowledgebase, suite }))
    rows.set(name, id);
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
  asked = [];
  answer = false;
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    return answer ? dialog.accept() : dialog.dismiss();
  });
});

afterEach(() => page?.context().close());

/** The form with the focus of the page: the one in the open dialog, or the one on the page. */
function area(form: AdminForm): Locator {
  return form.open ? page.locator('dialog[open]') : page.locator('main');
}

/** Test ids begin with a small letter. */
function isLabel(name: string): boolean {
  return /^[A-Z]/.test(name);
}

function field(form: AdminForm, name: string): Locator {
  return isLabel(name) ? area(form).getByLabel(name).first() : area(form).getByTestId(name);
}

/** What the functions below read of an element. */
interface PageField {
  tagName: string;
  type: string;
  name: string;
  value: string;
  checked: boolean;
  dataset: Record<string, string>;
}

function isSelect(target: Locator): Promise<boolean> {
  return target.evaluate((element) => (element as unknown as PageField).tagName === 'SELECT');
}

async function enter(form: AdminForm, entries: Entries): Promise<void> {
  for (const [name, value] of entries) {
    const target = field(form, name);
    // Mantine draws its own boxes above the fields that are checked.
    if (typeof value === 'boolean') await target.setChecked(value, { force: true });
    else if (await isSelect(target)) await target.selectOption(value);
    else await target.fill(value);
  }
}

/** What is in the fields. */
function written(form: AdminForm): Promise<string[]> {
  return area(form)
    .locator('input, textarea, select')
    .evaluateAll((elements) =>
      (elements as unknown as PageField[]).map(
        ({ dataset, name, type, checked, value }) =>
          `${dataset['testid'] ?? name}: ${type === 'checkbox' || type === 'radio' ? checked : value}`,
      ),
    );
}

async function open(form: AdminForm): Promise<void> {
  const path = form.path.replace(/:([a-z]+)/, (_, row: string) => String(rows.get(row)));
  await page.goto(`${sharedInstallation().baseUrl}/admin/${path}`);
  await page.waitForLoadState('networkidle');
  for (const testId of form.open ?? []) await page.getByTestId(testId).first().click();
  await page.getByTestId(form.send).waitFor();
  // Lists of choices arrive.
  await page.waitForLoadState('networkidle');
}

const send = (form: AdminForm) => area(form).getByTestId(form.send).click();
const requestsOf = (form: AdminForm) => (url: URL) => url.pathname.includes(form.request);

/** How often the form was sent: requests at the same time share an address, as in `/trpc/tokens.create,tokens.create`. */
function timesIn(form: AdminForm, url: string): number {
  return new URL(url).pathname.split(form.request).length - 1;
}

describe.skipIf(isBrowserMissing)('the form', () => {
  it.each(ADMIN_FORMS)('$name', async (form) => {
    await open(form);
    await enter(form, form.refused);
    const before = await written(form);

    // The connection is lost, and then a proxy answers for a server that is away.
    const failures: ((route: Route) => Promise<void>)[] = [
      (route) => route.abort('connectionreset'),
      (route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
    ];
    for (const fail of failures) {
      await page.route(requestsOf(form), fail);
      await send(form);
      await area(form).getByRole('alert').getByText(UNREACHABLE).waitFor();
      expect(await written(form)).toEqual(before);
      await page.unrouteAll();
    }

    // The API refuses it: the field says why.
    await send(form);
    const [name, text] = form.fault;
    const faulty = field(form, name);
    await expect.poll(() => faulty.getAttribute('aria-invalid')).toBe('true');
    const describedBy = (await faulty.getAttribute('aria-describedby')) ?? '';
    const said = await page.evaluate<string>(
      `${JSON.stringify(describedBy)}.split(' ').map((id) => document.getElementById(id)?.textContent ?? '').join(' | ')`,
    );
    expect(said).toContain(text);
    expect(await written(form)).toEqual(before);

    // It is left: not without a question.
    if (form.open) await page.keyboard.press('Escape');
    else await page.getByRole('navigation').getByRole('link', { name: 'Consent' }).click();
    await expect.poll(() => asked).toEqual(['confirm']);
    expect(await written(form)).toEqual(before);

    // It is sent twice before the page has been drawn again.
    await enter(form, form.accepted ?? []);
    let sent = 0;
    await page.route(requestsOf(form), async (route) => {
      sent += timesIn(form, route.request().url());
      await route.continue();
    });
    const button = area(form).getByTestId(form.send);
    const answered = page.waitForResponse((response) => requestsOf(form)(new URL(response.url())));
    await button.evaluate((element) => {
      const { click } = element as unknown as { click: () => void };
      click.call(element);
      click.call(element);
    });
    await (await answered).finished();
    if (form.accepted && form.open) await button.waitFor({ state: 'detached' });
    expect(sent).toBe(1);
    if (!form.accepted) return;

    // What is saved is left without a question.
    asked = [];
    if (form.open) return;
    await page.getByRole('navigation').getByRole('link', { name: 'Consent' }).click();
    await page.getByRole('heading', { level: 1, name: 'Consent' }).waitFor();
    expect(asked).toEqual([]);
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
