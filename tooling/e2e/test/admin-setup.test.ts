/**
 * What stands before the first real call, done in a real browser: a provider with its key, a line, a number, a price, the
 * do-not-call list, a tool. Every page is judged by axe, and nothing may be written to the browser's console.
 */
import { gzipSync } from 'node:zlib';
import { systemClock } from '@parley/runtime';
import { ElevenLabsSimulator, OpenAiSimulator } from '@parley/speech/fakes';
import { totpCode } from '@parley/testkit';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../src/accessibility.ts';
import { isBrowserMissing, launchBrowser, signInAsOperator } from '../src/admin-browser.ts';
import { startInstallation, type Installation } from '../src/installation.ts';

const KEY = 'key-that-must-stay-secret';
const NEW_PASSWORD = 'a-password-that-must-stay-secret';
const SECRET = 'Bearer that-must-stay-secret';
/** The most script that may be loaded before the first page is there, gzip. */
const MAX_SCRIPT_BYTES = 200_000;

const elevenLabs = new ElevenLabsSimulator({ clock: systemClock });
const ownServer = new OpenAiSimulator({ clock: systemClock });
const complaints: string[] = [];
let installation: Installation;
let browser: Browser;
let page: Page;
let totpSecret = '';
let recoveryCodes: string[] = [];

beforeAll(async () => {
  await Promise.all([elevenLabs.start(), ownServer.start()]);
  installation = await startInstallation();
  browser = await launchBrowser();
  page = await (await browser.newContext()).newPage();
  // The question before unsaved changes are discarded.
  page.on('dialog', (dialog) => dialog.accept());
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    // A refused request is what several of these tests are about; the browser reports each.
    const isRefusal = /status of 4\d\d/.test(message.text());
    if (message.type() === 'error' && !isRefusal) complaints.push(message.text());
  });
});

afterAll(async () => {
  await browser?.close();
  await installation?.stop();
  await Promise.all([elevenLabs.stop(), ownServer.stop()]);
});

async function visit(link: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: link }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
}

function row(name: string, text: string): Locator {
  return page.getByTestId(`${name}-row`).filter({ hasText: text });
}

/** Opens the question or the form of an action of a user. */
async function openAction(email: string, action: string): Promise<void> {
  await row('user', email).getByTestId('user-actions').click();
  await row('user', email).getByTestId(action).click();
}

async function signOut(): Promise<void> {
  await page.getByTestId('user-menu').click();
  await page.getByTestId('sign-out').click();
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
}

async function expectAccessible(): Promise<void> {
  expect(await accessibilityFaults(page)).toEqual([]);
}

async function remove(name: string, text: string): Promise<void> {
  await row(name, text).getByTestId(`${name}-remove`).click();
  await row(name, text).getByTestId(`${name}-remove-confirm`).click();
  await row(name, text).waitFor({ state: 'detached' });
}

/** Notes when the heading of the overview stands in the page; what is loaded later is not needed for it. */
const NOTE_HEADING = `new MutationObserver((_changes, observer) => {
  if (document.querySelector('h1')?.textContent !== 'Overview') return;
  observer.disconnect();
  window.headingAt = performance.now();
}).observe(document, { childList: true, subtree: true, characterData: true })`;
const SCRIPTS_BEFORE_HEADING = `performance
  .getEntriesByType('resource')
  .filter(({ name, startTime }) => name.endsWith('.js') && startTime < window.headingAt)
  .map(({ name }) => name)`;

describe.skipIf(isBrowserMissing)('what an operator sets up', () => {
  it('begins with a page that is light', async () => {
    await signInAsOperator(page, installation);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    // The scripts of the page for somebody who is signed in: those of the sign-in page are not among them.
    await page.addInitScript(NOTE_HEADING);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    const urls = await page.evaluate<string[]>(SCRIPTS_BEFORE_HEADING);
    // Fetched again, because the browser does not keep the content of each response.
    const scripts = await Promise.all(
      [...new Set(urls)].map(async (url) => (await page.request.get(url)).body()),
    );
    const sizes = scripts.map((script) => gzipSync(script).length);
    expect(sizes.length).toBeGreaterThan(0);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_SCRIPT_BYTES);
  });

  it('a provider: its key is tested, its voices come, and the key is never seen again', async () => {
    await visit('Providers');
    await page.getByText('No providers yet').waitFor();
    await expectAccessible();
    await page.getByTestId('new-provider').click();
    await page.getByTestId('provider-kind').selectOption('elevenlabs');
    await page.getByTestId('provider-name').fill('Voices');
    await page.getByTestId('provider-address').fill(elevenLabs.origin);
    await page.getByTestId('provider-key').fill(KEY);
    elevenLabs.failNext({ type: 'status', status: 401, message: 'No.' });
    await page.getByTestId('provider-save').click();
    await page.getByText('The provider refuses this key. It answered with the status 401.').waitFor();
    await expectAccessible();
    await page.getByTestId('provider-save').click();

    const voices = row('provider', 'Voices');
    await voices.getByText(/\d+ voices/).waitFor();
    await voices.getByTestId('provider-check').click();
    await voices.getByText(/^Connection successful. The provider offers \d+ voices\.$/).waitFor();
    elevenLabs.failNext({ type: 'status', status: 401, message: 'No.' });
    await voices.getByTestId('provider-check').click();
    await voices.getByRole('alert').getByText('The provider refuses its key.').waitFor();
    await voices.getByTestId('provider-edit').click();
    expect(await page.getByTestId('provider-key').inputValue()).toBe('');
    expect(await page.content()).not.toContain(KEY);
    await page.keyboard.press('Escape');
  });

  it('a compatible server with entered models', async () => {
    await page.getByTestId('new-provider').click();
    await page.getByTestId('provider-kind').selectOption('openai-compatible');
    await page.getByTestId('provider-name').fill('Own server');
    await page.getByTestId('provider-save').click();
    await page.getByText('Fill in this field.').waitFor();
    await page.getByTestId('provider-address').fill(ownServer.baseUrl);
    await page.getByTestId('provider-models').fill('Small = small:1b\nLarge');
    await page.getByTestId('provider-save').click();
    await row('provider', 'Own server').getByText('2 models').waitFor();
    await expectAccessible();
    await remove('provider', 'Own server');
  });

  it('a line, and a number that an assistant answers', async () => {
    await visit('Trunks and numbers');
    await row('trunk', 'Test trunk').waitFor();
    await page.getByTestId('new-trunk').click();
    await page.getByTestId('trunk-name').fill('Carrier');
    await page.getByTestId('trunk-host').fill('no host');
    await page.getByTestId('trunk-save').click();
    await page.getByText('This value is not valid.').waitFor();
    await expectAccessible();
    await page.getByTestId('trunk-preset').selectOption({ label: 'sipgate trunking' });
    expect(await page.getByTestId('trunk-name').inputValue()).toBe('Carrier');
    expect(await page.getByTestId('trunk-host').inputValue()).toBe('sipconnect.sipgate.de');
    expect(await page.getByTestId('trunk-caller-header').inputValue()).toBe('p_preferred_identity');
    await page.getByTestId('trunk-host').fill('sip.carrier.example');
    await page.getByTestId('trunk-save').click();
    await row('trunk', 'Carrier').getByText('Not tried yet').filter({ visible: true }).waitFor();

    await page.getByTestId('new-number').click();
    await page.getByTestId('number-text').fill('12');
    await page.getByTestId('number-trunk').selectOption({ label: 'Carrier' });
    await page.getByTestId('number-save').click();
    await page.getByText('Enter a valid phone number').waitFor();
    await page.getByTestId('number-text').fill('+1 202 555 0123');
    await page.getByTestId('number-save').click();
    const number = row('number', '+12025550123');
    await number.getByTestId('number-assign').click();
    await page.getByTestId('number-assistant').selectOption({ index: 1 });
    await page.getByTestId('number-give').click();
    await page.getByTestId('number-take').waitFor();
    await expectAccessible();
    await page.keyboard.press('Escape');

    await row('trunk', 'Carrier').getByTestId('trunk-remove').click();
    await row('trunk', 'Carrier').getByTestId('trunk-remove-confirm').click();
    await page.getByText('This SIP trunk still has phone numbers. Remove them first.').waitFor();
    await page.keyboard.press('Escape');
    await number.getByTestId('number-assign').click();
    await page.getByTestId('number-take').click();
    await page.getByText('No assistant uses this number yet.').waitFor();
    await page.keyboard.press('Escape');
    await remove('number', '+12025550123');
    await remove('trunk', 'Carrier');
  });

  it('a price', async () => {
    await visit('Prices');
    await page.getByText('No prices yet').waitFor();
    await page.getByTestId('price-thing').selectOption({ label: 'Voices' });
    await page.getByTestId('price-unit').selectOption('per_million_characters');
    await page.getByTestId('price-amount').fill('0.1234567');
    await page.getByTestId('price-set').click();
    await page.getByText('This value is not valid.').waitFor();
    await page.getByTestId('price-amount').fill('30');
    await page.getByTestId('price-set').click();
    await row('price', 'Voices').getByText('30.00', { exact: true }).waitFor();
    await expectAccessible();
  });

  it('the currency of all amounts, which converts none of them', async () => {
    const change = async (currency: string) => {
      await page.getByTestId('currency').selectOption(currency);
      await page.getByTestId('currency-change').click();
      await page.getByText('Amounts are not converted.').waitFor();
      await expectAccessible();
      await page.getByTestId('currency-change-confirm').click();
    };
    await change('EUR');
    await row('price', 'Voices').getByText('€30.00', { exact: true }).waitFor();
    await page.getByLabel('Price (EUR)').waitFor();
    await visit('Fraud protection');
    await page.getByLabel('costs per day (EUR)').first().waitFor();
    await visit('Prices');
    await change('');
    await row('price', 'Voices').getByText('30.00', { exact: true }).waitFor();
    await remove('price', 'Voices');
  });

  it('the API log, in which a request is found by its id', async () => {
    const answer = await fetch(`${installation.baseUrl}/api/user/calls/999999?phone_number=%2B12025550142`, {
      headers: { authorization: `Bearer ${installation.token}` },
    });
    const id = answer.headers.get('x-request-id') ?? '';
    await visit('API log');
    const found = row('api-log', id);
    await found.getByText('/api/user/calls/:id').waitFor();
    await found.getByText('not_found').waitFor();
    await page.getByTestId('filter-status').selectOption('2xx');
    await found.waitFor({ state: 'detached' });
    await page.getByTestId('filter-clear').click();
    await page.getByTestId('filter-request').fill(id);
    await page.waitForURL((url) => url.searchParams.get('request') === id);
    await expect.poll(() => page.getByTestId('api-log-row').count()).toBe(1);
    await page.reload();
    await found.waitFor();
    expect(await page.content()).not.toContain('2025550142');
    await expectAccessible();
    await page.getByTestId('filter-request').fill('no id');
    await page.getByText('No requests match').waitFor();
    // What was typed last is not searched after its filter was removed.
    await page.getByTestId('filter-request').fill('still no id');
    await page.getByRole('button', { name: 'Remove the filter: Request ID' }).click();
    await page.waitForURL((url) => !url.searchParams.has('request'));
    expect(await page.getByTestId('filter-request').inputValue()).toBe('');
  });

  it('the audit log, in which changes are found by their area and day', async () => {
    await visit('Audit log');
    const priced = page.getByTestId('audit-row').filter({ hasText: 'Changed the price list' });
    await page.getByTestId('filter-area').selectOption({ label: 'Sign-ins' });
    await priced.first().waitFor({ state: 'detached' });
    await page.getByTestId('filter-area').selectOption({ label: 'Prices' });
    await priced.first().waitFor();
    await page.waitForURL((url) => url.searchParams.get('area') === 'prices');
    await page.reload();
    await priced.first().waitFor();
    expect(await page.getByTestId('filter-area').inputValue()).toBe('prices');
    await expectAccessible();
    await page.getByTestId('filter-until').fill('2020-01-01');
    await page.getByText('No entries match these filters').waitFor();
    await expectAccessible();
    // Without its filter the list is back, and the keyboard is where it was.
    const removed = page.getByRole('button', { name: 'Remove the filter: Until' });
    await removed.click();
    await priced.first().waitFor();
    await removed.waitFor({ state: 'detached' });
    expect(await page.locator(':focus').getAttribute('data-testid')).toBe('filter-until');
  });

  it('the numbers that are not called', async () => {
    await visit('Do not call');
    await page.getByText('The list is empty').waitFor();
    await page.getByTestId('do-not-call-new').click();
    await page.getByTestId('do-not-call-numbers').fill('+1 202 555 0131\ninvalid\n+12025550132');
    await page.getByTestId('do-not-call-reason').fill('Asked us not to');
    await page.getByTestId('do-not-call-add').click();
    await page.getByTestId('do-not-call-refused').getByText('2 numbers are on the list.').waitFor();
    expect(await page.getByTestId('do-not-call-numbers').inputValue()).toBe('invalid');
    await expectAccessible();
    await page.keyboard.press('Escape');

    await page.getByTestId('do-not-call-search').fill('555 0132');
    await row('do-not-call', '+12025550131').waitFor({ state: 'detached' });
    await row('do-not-call', '+12025550132').getByText('Asked us not to').waitFor();
    await page.getByTestId('do-not-call-search').fill('');
    await remove('do-not-call', '+12025550131');
    await row('do-not-call', '+12025550132').waitFor();
    await expectAccessible();
  });

  it('the consent of people', async () => {
    await visit('Consent');
    await page.getByText('No consent is recorded').waitFor();
    await page.getByTestId('consent-new').click();
    await page.getByTestId('consent-numbers').fill('+1 202 555 0135\ninvalid');
    await page.getByTestId('consent-add').click();
    await page.getByText('Enter where the people agreed').waitFor();
    await page.getByTestId('consent-source').fill('Web form');
    await page.getByTestId('consent-add').click();
    await page.getByTestId('consent-refused').getByText('1 number was recorded.').waitFor();
    await expectAccessible();
    await page.keyboard.press('Escape');
    await row('consent', '+12025550135').getByText('Web form').waitFor();
    await expectAccessible();
    await remove('consent', '+12025550135');
    await page.getByText('No consent is recorded').waitFor();
  });

  it('the tools of an assistant: a secret is kept without being shown, and no concurrent change is lost', async () => {
    await visit('Assistants');
    await page.getByTestId('assistant-row').first().getByRole('link').first().click();
    await page.getByTestId('tab-tools').click();
    await page.getByTestId('new-tool').click();
    await page.getByTestId('tool-name').fill('free days');
    await page.getByTestId('tool-description').fill('Before a day is promised.');
    await page.getByTestId('tool-url').fill('https://example.com/days');
    await page.getByRole('button', { name: 'Add header' }).click();
    await page.getByLabel('Name of header 1').fill('Authorization');
    await page.getByRole('textbox', { name: 'Value of header 1' }).fill(SECRET);
    await page.getByTestId('tool-save').click();
    await page.getByText('This value is not valid.').waitFor();
    await expectAccessible();
    await page.getByTestId('tool-name').fill('free_days');
    await page.getByTestId('tool-save').click();

    const tool = row('tool', 'free_days');
    await tool.getByText('POST https://example.com/days').waitFor();
    await tool.getByTestId('tool-edit').click();
    expect(await page.getByRole('textbox', { name: 'Value of header 1' }).inputValue()).toBe('');
    await page.getByTestId('tool-description').fill('Before any day is promised.');
    await page.getByTestId('tool-save').click();
    await page.getByTestId('tool-save').waitFor({ state: 'detached' });
    await expectAccessible();

    await page.getByTestId('new-tool').click();
    await page.getByTestId('tool-type').selectOption('call_transfer');
    await page.getByLabel('Name of person 1').fill('Reception');
    await page.getByLabel('Number of person 1').fill('12');
    await page.getByTestId('tool-save').click();
    await page.getByText('Enter a valid phone number').waitFor();
    await page.getByLabel('Number of person 1').fill('+1 202 555 0123');
    await page.getByTestId('tool-save').click();
    await row('tool', 'Transfer the call').getByText('Reception (+12025550123)').waitFor();
    await remove('tool', 'Transfer the call');

    await tool.getByTestId('tool-edit').click();
    const id = Number(new URL(page.url()).pathname.split('/').at(-1));
    await installation.request('PUT', `/api/user/assistant/${id}`, { tools: [{ type: 'end_call' }] });
    await page.getByTestId('tool-save').click();
    await page.getByText('The tools were changed by someone else in the meantime.').waitFor();
    await page.keyboard.press('Escape');
    await row('tool', 'End the call').waitFor();
    await tool.waitFor({ state: 'detached' });
  });

  it('the settings of an assistant: faults are marked on their tab, and edits are kept until they are saved', async () => {
    await page.getByTestId('tab-conversation').click();
    await page.getByTestId('field-system_prompt').fill('Greet {{who}} at {{time}}.');
    await page
      .getByTestId('field-system_prompt-note')
      .getByText(/: who\./)
      .waitFor();
    await page.getByTestId('field-name').fill('');
    await page.getByTestId('tab-phone').click();
    await page.getByTestId('field-max_duration').fill('1');
    await page.getByTestId('save-state').getByText('3 unsaved changes').waitFor();
    await page.getByTestId('assistant-save').click();
    await page.getByText('Enter a number between 20 and 1200').waitFor();
    await page.getByTestId('tab-conversation').getByText('contains an error').waitFor();
    await expectAccessible();

    await page.getByTestId('field-max_duration').fill('300');
    await page.getByTestId('tab-conversation').click();
    await page.getByTestId('field-name').fill('Renamed');
    await page.getByTestId('field-system_prompt').fill('#script');
    await page.getByTestId('assistant-discard').click();
    await page.getByTestId('save-state').getByText('All changes are saved.').waitFor();
    await page.getByTestId('field-name').fill('Renamed');
    await page.getByTestId('assistant-save').click();
    await page.getByRole('heading', { level: 1, name: 'Renamed' }).waitFor();
    await page.getByTestId('save-state').getByText('All changes are saved.').waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Renamed' }).waitFor();
  });

  it('another user, with a link that is shown once', async () => {
    await visit('Users');
    await page.getByTestId('new-user').click();
    await page.getByTestId('user-name').fill('Bo');
    await page.getByTestId('user-email').fill('bo@example.org');
    await expectAccessible();
    await page.getByTestId('user-invite').click();
    await page.getByTestId('made-link').getByText('/admin/sign-in/link/').waitFor();
    await row('user', 'bo@example.org').getByText('Member').filter({ visible: true }).waitFor();
    await expectAccessible();
    await page.getByTestId('made-link-done').click();
    await page.getByTestId('made-link').waitFor({ state: 'detached' });
    await openAction('bo@example.org', 'user-change-role');
    await row('user', 'bo@example.org').getByTestId('user-change-role-confirm').click();
    await row('user', 'bo@example.org')
      .getByText('Operator', { exact: true })
      .filter({ visible: true })
      .waitFor();
    await openAction('bo@example.org', 'user-attempt-limits');
    await page.getByTestId('attempts-per-day').fill('3');
    await expectAccessible();
    await page.getByTestId('attempt-limits').click();
    await row('user', 'bo@example.org').getByText('Attempts per number: 3 in 24 hours').waitFor();
    await openAction('bo@example.org', 'user-disable');
    await row('user', 'bo@example.org').getByTestId('user-disable-confirm').click();
    await row('user', 'bo@example.org').getByText('Disabled', { exact: true }).waitFor();
    await openAction('bo@example.org', 'user-remove');
    await page.getByText('Remove Bo and all their data?').waitFor();
    await expectAccessible();
    await row('user', 'bo@example.org').getByTestId('user-remove-confirm').click();
    await row('user', 'bo@example.org').getByText('Being removed').waitFor();
  });

  it('the own account: the browser is listed, and the password is changed with the current one', async () => {
    await page.getByTestId('user-menu').click();
    await page.getByTestId('account').click();
    await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
    await row('session', 'This browser').getByText('Chrome on Linux').waitFor();
    await page.getByTestId('current-password').fill('not the password');
    await page.getByTestId('new-password').fill(NEW_PASSWORD);
    await page.getByTestId('change-password').click();
    await page.getByText('The current password is wrong.').waitFor();
    await expectAccessible();
    await page.getByTestId('current-password').fill(installation.password);
    await page.getByTestId('change-password').click();
    await page.getByTestId('password-changed').waitFor();
    await row('session', 'This browser').waitFor();
  });

  it('a second factor: set up with its secret, and asked for at the next sign-in', async () => {
    await page.getByTestId('second-factor-password').fill(NEW_PASSWORD);
    await page.getByTestId('second-factor-begin').click();
    await page.getByTestId('qr-code').waitFor();
    totpSecret = (await page.getByLabel('The secret for the authenticator app').textContent()) ?? '';
    await page.getByTestId('second-factor-first-code').fill('none');
    await page.getByTestId('second-factor-confirm').click();
    await page.getByText('This code is wrong, has expired or was used already.').waitFor();
    await expectAccessible();
    await page.getByTestId('second-factor-first-code').fill(totpCode(totpSecret, systemClock.now()));
    await page.getByTestId('second-factor-confirm').click();
    const codes = await page.getByLabel('Your recovery codes').textContent();
    recoveryCodes = codes?.split('\n') ?? [];
    await expectAccessible();
    await page.getByTestId('recovery-codes-done').click();
    await page.getByTestId('second-factor-on').getByText('10 of your recovery codes are left').waitFor();
    await expectAccessible();

    await signOut();
    await page.getByLabel(/e-?mail/i).fill(installation.email);
    await page.getByRole('textbox', { name: /password/i }).fill(NEW_PASSWORD);
    await page.getByRole('button', { name: /sign in/i }).click();
    await page.getByTestId('sign-in-code').fill('none');
    await page.getByRole('button', { name: /sign in/i }).click();
    await page.getByText('This code is wrong, has expired or was used already.').waitFor();
    await expectAccessible();
    await page.getByTestId('sign-in-code').fill(recoveryCodes[0] ?? '');
    await page.getByRole('button', { name: /sign in/i }).click();
    await page.getByRole('link', { name: 'Assistants', exact: true }).waitFor();
  });

  it('a sign-in link asks for the second factor too, and operators reset that of others only', async () => {
    await visit('Users');
    const own = row('user', installation.email);
    await openAction(installation.email, 'user-reset-second-factor');
    await own.getByTestId('user-reset-second-factor-confirm').click();
    await page.getByText('Switch your own second factor off on the page Account.').waitFor();
    await page.keyboard.press('Escape');
    await openAction(installation.email, 'user-link');
    await own.getByTestId('user-link-confirm').click();
    const link = await page.getByLabel('The sign-in link').textContent();
    await signOut();
    await page.goto(link ?? '');
    const enter = page.getByRole('button', { name: 'Continue' });
    await enter.click();
    await page.getByTestId('sign-in-code').fill('none');
    await enter.click();
    await page.getByText('This code is wrong, has expired or was used already.').waitFor();
    await expectAccessible();
    await page.getByTestId('sign-in-code').fill(recoveryCodes[1] ?? '');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Assistants', exact: true }).waitFor();
  });

  it('without a word on the console, and without a secret in the log', () => {
    expect(complaints).toEqual([]);
    expect(installation.output()).not.toContain(KEY);
    expect(installation.output()).not.toContain(SECRET);
    expect(installation.output()).not.toContain(NEW_PASSWORD);
    expect(totpSecret).not.toBe('');
    expect(installation.output()).not.toContain(totpSecret);
  });
});
