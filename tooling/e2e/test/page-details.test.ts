/** What pages of the admin app show while an answer is under way or does not exist, and parts of them that belong side by side, in a real browser. */
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isBrowserMissing, launchBrowser, signInAsOperator } from '../src/admin-browser.ts';
import { createAssistant } from '../src/assistants.ts';
import { placeCall, waitForCall } from '../src/calls.ts';
import { sharedInstallation } from '../src/shared-installation.ts';

/** The number of the trunk to the test phones. */
const TEST_TRUNK_NUMBER = '+12025550100';
/** Rings without an answer. */
const RINGING = '+12025550170';
/** Is busy. */
const BUSY = '+12025550160';
/** Busy, declines, is out of service: three outcomes. */
const UNANSWERED = [BUSY, '+12025550180', '+12025550195'];

let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(() => browser?.close());

beforeEach(async () => {
  if (isBrowserMissing) return;
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await signInAsOperator(page, sharedInstallation());
});

afterEach(() => page?.context().close());

/** Calls with the number of the test phones: other tests of this installation may have added trunks that reach none. */
async function makeAssistant(): Promise<number> {
  const installation = sharedInstallation();
  const id = await createAssistant(installation, {
    webhookUrl: `${installation.baseUrl}/nowhere`,
    maxSilenceSeconds: 60,
  });
  const { data: numbers } = (await installation.request('GET', '/api/user/phone-numbers/all')) as {
    data: { id: number; phone_number: string }[];
  };
  const own = numbers.find(({ phone_number: number }) => number === TEST_TRUNK_NUMBER);
  await installation.request('PUT', `/api/user/assistant/${id}`, { phone_number_id: own?.id });
  return id;
}

async function makeCampaign(): Promise<number> {
  const made = (await sharedInstallation().request('POST', '/api/user/campaigns', {
    name: 'Details',
    assistant_id: await makeAssistant(),
  })) as { data: { id: number } };
  return made.data.id;
}

async function makeLead(number: string): Promise<number> {
  const made = (await sharedInstallation().request('POST', '/api/user/lead', {
    campaign_id: await makeCampaign(),
    phone_number: number,
  })) as { data: { id: number } };
  return made.data.id;
}

/** Requests whose address contains the text wait for the returned function. */
async function hold(text: string): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route(
    (url) => url.href.includes(text),
    async (route: Route) => {
      await held.promise;
      await route.continue();
    },
  );
  return held.resolve;
}

describe.skipIf(isBrowserMissing)('a page of the admin app', () => {
  it('starts a campaign only once its forecast is there, or has failed', async () => {
    const release = await hold('campaigns.forecast');
    await page.goto(`${sharedInstallation().baseUrl}/admin/campaigns/${await makeCampaign()}`);
    await page.getByTestId('campaign-start').click();
    const start = page.getByTestId('campaign-start-confirm');
    await start.waitFor();
    expect(await start.isDisabled()).toBe(true);
    release();
    await page.getByTestId('forecast').waitFor();
    expect(await start.isEnabled()).toBe(true);
    await page.unrouteAll();
    await page.route(/campaigns\.forecast/, (route) => route.fulfill({ status: 404, body: '' }));
    await page.reload();
    await page.getByTestId('campaign-start').click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    expect(await start.isEnabled()).toBe(true);
  });

  it('has the days of a campaign in one line, and its hours in another', async () => {
    await page.goto(`${sharedInstallation().baseUrl}/admin/campaigns/${await makeCampaign()}`);
    await page.getByTestId('campaign-edit').click();
    const dialog = page.getByRole('dialog');
    const topOf = async (text: string): Promise<number | undefined> =>
      (await dialog.getByText(text, { exact: true }).boundingBox())?.y;
    await dialog.getByText('Sun', { exact: true }).waitFor();
    expect(await topOf('Sun')).toBe(await topOf('Mon'));
    expect(await topOf('Time zone')).toBe(await topOf('Call from'));
  });

  it('says how an assistant recognises speech in the section of the setting', async () => {
    await page.goto(`${sharedInstallation().baseUrl}/admin/assistants/${await makeAssistant()}?tab=voice`);
    await page.getByRole('region', { name: 'Hearing' }).getByTestId('recognition').waitFor();
    expect(await page.locator('form').getByTestId('recognition').count()).toBe(1);
  });

  it('has the actions of a user in a list for the keyboard, and keeps a long name inside its question', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${sharedInstallation().baseUrl}/admin/users`);
    await page.getByTestId('new-user').click();
    await page.getByTestId('user-name').fill('Wolfeschlegelsteinhausen'.repeat(4));
    await page.getByTestId('user-email').fill('long@details.example');
    await page.getByTestId('user-invite').click();
    const row = page.getByTestId('user-row').filter({ hasText: 'long@details.example' });
    const actions = row.getByTestId('user-actions');
    await actions.waitFor();
    expect(await row.getByRole('button').count()).toBe(1);
    await actions.press('Enter');
    await row.getByTestId('user-link').waitFor();
    await page.keyboard.press('Escape');
    await row.getByTestId('user-link').waitFor({ state: 'hidden' });
    await actions.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Anyone who has the link').waitFor();
    expect(
      await dialog.evaluate(
        ({ scrollWidth, clientWidth }: { scrollWidth: number; clientWidth: number }) =>
          scrollWidth - clientWidth,
      ),
    ).toBe(0);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await actions.evaluate((button) => button.matches(':focus'))).toBe(true);
  });

  it('has all columns of a list in sight beside a long name on a narrow screen', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await sharedInstallation().request('PUT', `/api/user/campaigns/${await makeCampaign()}`, {
      name: 'Wolfeschlegelsteinhausen'.repeat(4),
    });
    await page.goto(`${sharedInstallation().baseUrl}/admin/campaigns`);
    const table = page.getByRole('table').filter({ hasText: 'Wolfeschlegelsteinhausen' });
    await table.waitFor();
    const excess = table.evaluate(
      ({ parentElement: frame }: { parentElement: { scrollWidth: number; clientWidth: number } }) =>
        frame.scrollWidth - frame.clientWidth,
    );
    expect(await excess).toBe(0);
  });

  it('names the filter of a campaign that does not exist any more', async () => {
    await page.goto(`${sharedInstallation().baseUrl}/admin/calls?campaign=999999`);
    await page
      .getByTestId('filter-campaign')
      .locator('option', { hasText: '#999999' })
      .waitFor({ state: 'attached' });
    expect(await page.getByTestId('filter-campaign').inputValue()).toBe('999999');
  });

  it('waits for the network with a page whose script is not loaded yet, and shows it without a reload', async () => {
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.waitForLoadState('networkidle');
    await page.evaluate('globalThis.isFirstDocument = true');
    await page.context().setOffline(true);
    const failed = page.waitForEvent('requestfailed');
    await page.getByRole('link', { name: 'Prices', exact: true }).click();
    await failed;
    await page.getByRole('status', { name: 'Loading' }).waitFor();
    await page.getByText('You are offline.').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('heading', { level: 1, name: 'Prices' }).waitFor();
    expect(await page.evaluate('globalThis.isFirstDocument')).toBe(true);
  });

  it('does not offer to try again what does not exist', async () => {
    await page.goto(`${sharedInstallation().baseUrl}/admin/calls/999999`);
    const alert = page.getByRole('alert');
    await alert.getByText('Call not found').waitFor();
    expect(await alert.getByRole('button').count()).toBe(0);
    await page.getByRole('main').getByRole('link', { name: 'Calls' }).click();
    await page.getByRole('heading', { level: 1, name: 'Calls' }).waitFor();
  });

  it('closes every dialog by a button, and asks when there are unsaved changes', async () => {
    await page.goto(`${sharedInstallation().baseUrl}/admin/campaigns/${await makeCampaign()}`);
    const dialog = page.getByRole('dialog');
    const close = dialog.getByRole('button', { name: 'Close' });
    await page.getByTestId('campaign-edit').click();
    await dialog.getByTestId('campaign-name').fill('Not saved');
    const place = await close.boundingBox();
    const frame = await dialog.boundingBox();
    expect((place?.y ?? 0) - (frame?.y ?? 0)).toBeLessThan(24);
    expect((place?.x ?? 0) - (frame?.x ?? 0)).toBeGreaterThan((frame?.width ?? 0) / 2);
    // They stay while the dialog is scrolled.
    await dialog.getByTestId('campaign-dispositions').scrollIntoViewIfNeeded();
    await dialog.evaluate((element) => element.scrollBy(0, 300));
    expect(await close.boundingBox()).toEqual(place);
    expect((await dialog.getByRole('heading').boundingBox())?.y).toBeCloseTo(frame?.y ?? 0, -1);
    const question = page.waitForEvent('dialog');
    const clicked = close.click();
    await (await question).dismiss();
    await clicked;
    expect(await dialog.getByTestId('campaign-name').inputValue()).toBe('Not saved');
    page.once('dialog', (asked) => void asked.accept());
    await close.click();
    await dialog.waitFor({ state: 'hidden' });
    // The dialog of the shortcuts has no other button.
    await page.keyboard.press('Shift+?');
    await dialog.getByText('Ctrl K').waitFor();
    await close.click();
    await dialog.waitFor({ state: 'hidden' });
  });

  it('closes no dialog with unsaved changes without a question, in whatever way', async () => {
    await page.goto(`${sharedInstallation().baseUrl}/admin/campaigns/${await makeCampaign()}`);
    await page.getByTestId('campaign-edit').click();
    const dialog = page.getByRole('dialog');
    const name = dialog.getByTestId('campaign-name');
    await name.fill('Not saved');
    const asked: string[] = [];
    page.on('dialog', (question) => {
      asked.push(question.type());
      return asked.length < 6 ? question.dismiss() : question.accept();
    });
    const isAskedBy = async (close: () => Promise<unknown>): Promise<void> => {
      const before = asked.length;
      await close();
      await expect.poll(() => asked.length).toBe(before + 1);
    };
    const escape = (): Promise<void> => page.keyboard.press('Escape');
    await isAskedBy(escape);
    // As after the focused button has become disabled.
    await page.evaluate('document.activeElement.blur()');
    await isAskedBy(escape);
    await isAskedBy(escape);
    // The gesture for back asks the page once, and does not ask it the second time.
    await isAskedBy(() => page.evaluate("document.querySelector('dialog[open]').requestClose()"));
    await isAskedBy(() => page.evaluate("document.querySelector('dialog[open]').close()"));
    expect(await name.inputValue()).toBe('Not saved');
    await isAskedBy(escape);
    await dialog.waitFor({ state: 'hidden' });
  });

  it('asks about unsaved changes from the moment at which it shows that saving has failed', async () => {
    await page.goto(`${sharedInstallation().baseUrl}/admin/campaigns/${await makeCampaign()}`);
    await page.getByTestId('campaign-edit').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByTestId('campaign-name').fill('Not saved');
    await page.route(/campaigns\.update/, (route) => route.abort('connectionreset'));
    // Presses Escape in the task that draws the failure.
    await page.evaluate(`{
      const dialog = document.querySelector('dialog[open]');
      new MutationObserver((_, observer) => {
        if (!dialog.querySelector('[role=alert]')) return;
        observer.disconnect();
        dialog.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
      }).observe(dialog, { childList: true, subtree: true });
    }`);
    let questions = 0;
    page.on('dialog', (question) => {
      questions += 1;
      return question.dismiss();
    });
    await dialog.getByTestId('campaign-save').click();
    await dialog.getByRole('alert').waitFor();
    expect(await dialog.getByTestId('campaign-name').inputValue()).toBe('Not saved');
    expect(questions).toBe(1);
  });

  it('asks about unsaved changes while it loads again what a refused change may have affected', async () => {
    const { baseUrl } = sharedInstallation();
    await page.goto(`${baseUrl}/admin/leads/${await makeLead('+12025550188')}`);
    await page.getByTestId('lead-edit').click();
    const number = page.getByRole('dialog').getByTestId('lead-phone');
    await number.fill('12');
    const release = await hold('leads.get');
    await page.getByTestId('lead-save').click();
    await expect.poll(() => number.getAttribute('aria-invalid')).toBe('true');
    const question = page.waitForEvent('dialog');
    const pressed = page.keyboard.press('Escape');
    await (await question).dismiss();
    await pressed;
    expect(await number.inputValue()).toBe('12');
    release();
  });

  it('has room for the arrows of a number and the button that closes a dialog on a narrow screen', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${sharedInstallation().baseUrl}/admin/campaigns/${await makeCampaign()}`);
    await page.getByTestId('campaign-start').click();
    const dialog = page.getByRole('dialog');
    const arrow = dialog.locator('.mantine-NumberInput-control svg').first();
    await arrow.waitFor();
    expect((await arrow.boundingBox())?.width).toBeGreaterThan(4);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'hidden' });
  });

  it('has the numbers in the title of a dialog in groups', async () => {
    const number = '+12025550187';
    await page.goto(`${sharedInstallation().baseUrl}/admin/leads/${await makeLead(number)}`);
    await page.getByTestId('lead-edit').click();
    const title = page.getByRole('dialog').getByRole('heading', { name: number });
    await title.getByText('0187', { exact: true }).waitFor();
    await title.getByText('202', { exact: true }).waitFor();
  });

  it('has the legend of a chart in two columns on a narrow screen', async () => {
    const installation = sharedInstallation();
    const assistantId = await makeAssistant();
    for (const phoneNumber of UNANSWERED) {
      const call = await placeCall(installation, { assistantId, phoneNumber });
      await waitForCall(installation, call, ({ ended_reason: reason }) => reason !== null);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${installation.baseUrl}/admin/overview`);
    const legend = page.locator('[data-testid=day-chart] + div ul').first();
    await legend.locator('li').nth(2).waitFor();
    const [first, second] = await Promise.all(
      [0, 1].map((place) => legend.locator('li').nth(place).boundingBox()),
    );
    const half = ((await legend.boundingBox())?.width ?? 0) / 2;
    expect(Math.abs((second?.x ?? 0) - (first?.x ?? 0) - half)).toBeLessThan(16);
  });

  it('says without scrolling why no row of a file of national numbers can be imported', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${sharedInstallation().baseUrl}/admin/campaigns/${await makeCampaign()}/import`);
    const rows = Array.from({ length: 30 }, (_, place) => `03012345${place + 10}`);
    await page.locator('input[type=file]').setInputFiles({
      name: 'national.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`phone\n${rows.join('\n')}\n`),
    });
    await page.getByTestId('import-check').click();
    await page.getByTestId('import-check-row').nth(19).waitFor();
    const hint = await page.getByTestId('import-no-country').boundingBox();
    expect(hint?.y).toBeLessThan(600);
    expect((await page.getByText('No row of this file can be imported.').boundingBox())?.y).toBeLessThan(600);
  });

  it('says before a call is answered that one can read along then', async () => {
    const call = await placeCall(sharedInstallation(), {
      assistantId: await makeAssistant(),
      phoneNumber: RINGING,
    });
    await page.goto(`${sharedInstallation().baseUrl}/admin/calls/${call}`);
    await page.getByText('Once the call is answered, you can listen in and read along here.').waitFor();
  });

  it('leads to the last page of a list whose last entries are removed, and from an old address behind it', async () => {
    const installation = sharedInstallation();
    const numbers = Array.from({ length: 26 }, (_, index) => `+49301234${String(500 + index)}`);
    await Promise.all(
      numbers.map((number) =>
        installation.request('POST', '/api/user/do-not-call', { phone_number: number }),
      ),
    );
    await page.goto(`${installation.baseUrl}/admin/do-not-call`);
    await page.getByTestId('do-not-call-search').fill('49301234');
    await page.getByText('26 numbers').waitFor();
    await page.getByRole('button', { name: 'Page 2', exact: true }).click();
    const row = page.getByTestId('do-not-call-row');
    await expect.poll(() => row.count()).toBe(1);
    await row.getByTestId('do-not-call-remove').click();
    await page.getByTestId('do-not-call-remove-confirm').click();
    await expect.poll(() => row.count()).toBe(25);
    await page.goto(`${installation.baseUrl}/admin/audit-log?page=999`);
    await page.getByTestId('audit-row').first().waitFor();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Do not call' }).waitFor();
  });

  it('drops the parts of an address that its page does not know', async () => {
    const search = 'area=nothing&page=none&from=2026-02-30&operation=assistants';
    await page.goto(`${sharedInstallation().baseUrl}/admin/audit-log?${search}`);
    await page.getByTestId('audit-row').first().waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  it('signs in once at a double click', async () => {
    const { baseUrl, email, password } = sharedInstallation();
    await page.context().clearCookies();
    await page.goto(`${baseUrl}/admin/sign-in`);
    await page.getByLabel('Email').fill(email);
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    let sent = 0;
    page.on('request', (request) => {
      sent += request.url().split('session.signIn').length - 1;
    });
    await page.getByRole('button', { name: 'Sign in' }).evaluate((element) => {
      const { click } = element as unknown as { click: () => void };
      click.call(element);
      click.call(element);
    });
    await page.getByTestId('user-menu').waitFor();
    expect(sent).toBe(1);
  });

  it('tells an invited user with a used link who has a new one', async () => {
    await page.context().clearCookies();
    await page.goto(`${sharedInstallation().baseUrl}/admin/sign-in/link/used`);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('alert').getByText('ask an operator for a new link').waitFor();
  });

  it('keeps room for the list of columns while it is loaded', async () => {
    // Without calls there is no table.
    await placeCall(sharedInstallation(), { assistantId: await makeAssistant(), phoneNumber: BUSY });
    const release = await hold('column-list');
    await page.goto(`${sharedInstallation().baseUrl}/admin/calls`);
    await page.getByTestId('call-columns').click();
    const list = page.getByRole('group', { name: 'Columns' });
    const heightOf = async (): Promise<number> => (await list.boundingBox())?.height ?? 0;
    await list.waitFor();
    const before = await heightOf();
    release();
    await list.getByRole('checkbox').first().waitFor();
    expect(Math.abs((await heightOf()) - before)).toBeLessThan(24);
  });
});
