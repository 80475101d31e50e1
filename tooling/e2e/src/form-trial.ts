/** Tries a form of the admin app in a browser, as an operator with a bad connection and in a hurry does. */
import { tone, WAV_HEADER_BYTES, wavHeader } from '@parley/audio';
import type { Locator, Page, Request, Route } from 'playwright-core';
import { expect } from 'vitest';
import type { AdminForm, Entries } from './admin-forms.ts';

const UNREACHABLE = 'The server is not responding. It may be restarting. Try again in a moment.';
const SOUND = toneFile();

/** A second of a tone. */
function toneFile(): Uint8Array {
  const sampleRateHz = 16_000;
  const samples = tone({ hz: 220, sampleRateHz, samples: sampleRateHz, amplitude: 8_000 });
  const bytes = new Uint8Array(WAV_HEADER_BYTES + samples.byteLength);
  bytes.set(wavHeader({ channelCount: 1, sampleRateHz, dataBytes: samples.byteLength }));
  bytes.set(new Uint8Array(samples.buffer), WAV_HEADER_BYTES);
  return bytes;
}

/** What the forms are tried on. */
export interface FormWorld {
  baseUrl: string;
  /** Ids of rows by their names in {@link AdminForm.path}. */
  rows: ReadonlyMap<string, number>;
  /** Deletes a row over the API, as another user may. */
  remove: (path: string) => Promise<unknown>;
}

/** The form with the focus of the page: the one in the open dialog, or the one on the page. */
function area(page: Page, form: AdminForm): Locator {
  return form.open ? page.locator('dialog[open]') : page.locator('main');
}

/** Test ids begin with a small letter. */
function isLabel(name: string): boolean {
  return /^[A-Z]/.test(name);
}

function field(page: Page, form: AdminForm, name: string): Locator {
  const within = area(page, form);
  return isLabel(name) ? within.getByLabel(name).first() : within.getByTestId(name);
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

/** How a field is filled: a list of the browser, a list of Mantine, a button that asks for a file, or by text. */
function kindOf(target: Locator): Promise<string> {
  return target.evaluate((element) => {
    const { tagName } = element as unknown as PageField;
    const popup = (element as unknown as { ariaHasPopup: string | null }).ariaHasPopup;
    return popup === 'listbox' ? 'LIST' : tagName;
  });
}

async function selectFile(page: Page, target: Locator, name: string): Promise<void> {
  const chosen = page.waitForEvent('filechooser');
  await target.click();
  await (await chosen).setFiles({ name, mimeType: '', buffer: Buffer.from(SOUND) });
}

async function enter(page: Page, form: AdminForm, entries: Entries): Promise<void> {
  for (const [name, value] of entries) {
    const target = field(page, form, name);
    // By keyboard, because Mantine draws its own boxes above the fields that are checked.
    if (typeof value === 'boolean') {
      if ((await target.isChecked()) !== value) await target.press('Space');
      continue;
    }
    const kind = await kindOf(target);
    if (kind === 'SELECT') await target.selectOption(value);
    else if (kind === 'BUTTON') await selectFile(page, target, value);
    else if (kind === 'LIST') {
      // The field of several choices is below its choices.
      await target.press('ArrowDown');
      await page.getByRole('option', { name: value }).click();
    } else await target.fill(value);
  }
}

/** What is in the fields. */
function written(page: Page, form: AdminForm): Promise<string[]> {
  return area(page, form)
    .locator('input, textarea, select')
    .evaluateAll((elements) =>
      (elements as unknown as PageField[]).map(
        ({ dataset, name, type, checked, value }) =>
          `${dataset['testid'] ?? name}: ${type === 'checkbox' || type === 'radio' ? checked : value}`,
      ),
    );
}

/** Requests without an answer so far. */
function noteRequests(page: Page): ReadonlySet<Request> {
  const pending = new Set<Request>();
  page.on('request', (request) => pending.add(request));
  page.on('requestfinished', (request) => pending.delete(request));
  page.on('requestfailed', (request) => pending.delete(request));
  return pending;
}

/** What a form asks for when it is drawn, such as lists of choices, has arrived and is drawn too. */
async function untilAnswered(page: Page, pending: ReadonlySet<Request>): Promise<void> {
  const untilDrawn = () =>
    page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))');
  await untilDrawn();
  await expect.poll(() => pending.size).toBe(0);
  await untilDrawn();
}

async function open(page: Page, form: AdminForm, { baseUrl, rows }: FormWorld): Promise<void> {
  const pending = noteRequests(page);
  await page.goto(`${baseUrl}/admin/${withRows(form.path, rows)}`);
  await page.waitForLoadState('networkidle');
  for (const testId of form.open ?? []) await page.getByTestId(testId).first().click();
  await form.begin?.(page);
  await page.getByTestId(form.send).waitFor();
  await untilAnswered(page, pending);
}

const send = (page: Page, form: AdminForm) => area(page, form).getByTestId(form.send).click();
const withRows = (path: string, rows: ReadonlyMap<string, number>): string =>
  path.replace(/:([a-z]+)/g, (_, row: string) => String(rows.get(row)));
const requestsOf = (form: AdminForm) => (url: URL) => url.pathname.includes(form.request);

/** How often the form was sent: requests at the same time share an address, as in `/trpc/tokens.create,tokens.create`. */
function timesIn(form: AdminForm, url: string): number {
  return new URL(url).pathname.split(form.request).length - 1;
}

/** Questions of the browser, and what they are answered with. */
function noteQuestions(page: Page): string[] {
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    return dialog.dismiss();
  });
  return asked;
}

/** The connection is lost, and then a proxy answers for a server that is away: what was written stays. */
async function failToSend(page: Page, form: AdminForm): Promise<void> {
  const before = await written(page, form);
  const failures: [text: string, fail: (route: Route) => Promise<void>][] = [
    [form.lost ?? UNREACHABLE, (route) => route.abort('connectionreset')],
    [
      UNREACHABLE,
      (route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
    ],
  ];
  for (const [text, fail] of failures) {
    await page.route(requestsOf(form), fail);
    await send(page, form);
    await area(page, form).getByRole('alert').getByText(text).waitFor();
    expect(await written(page, form)).toEqual(before);
    await page.unrouteAll();
  }
}

/** What the field says about itself. */
async function faultOf(page: Page, faulty: Locator): Promise<string> {
  await expect.poll(() => faulty.getAttribute('aria-invalid')).toBe('true');
  const describedBy = (await faulty.getAttribute('aria-describedby')) ?? '';
  return page.evaluate<string>(
    `${JSON.stringify(describedBy)}.split(' ').map((id) => document.getElementById(id)?.textContent ?? '').join(' | ')`,
  );
}

/** It is refused, and says why: at the field, if it has one. */
async function beRefused(page: Page, form: AdminForm): Promise<void> {
  const before = await written(page, form);
  await send(page, form);
  const [name, text] = form.fault;
  if (name === null) await area(page, form).getByText(text).waitFor();
  else expect(await faultOf(page, field(page, form, name))).toContain(text);
  expect(await written(page, form)).toEqual(before);
}

const leave = (page: Page) => page.getByRole('navigation').getByRole('link', { name: 'Consent' }).click();

/** It is left: not without a question, also the second time. */
async function tryToLeave(page: Page, form: AdminForm, asked: string[]): Promise<void> {
  const before = await written(page, form);
  for (let time = 0; time < 2; time++) {
    if (form.open) await page.keyboard.press('Escape');
    else await leave(page);
    await expect.poll(() => asked).toEqual(['confirm']);
    expect(await written(page, form)).toEqual(before);
    asked.length = 0;
  }
}

/** @returns how often a second click before the page is drawn again has sent it: once */
async function sendTwice(page: Page, form: AdminForm): Promise<number> {
  let sent = 0;
  await page.route(requestsOf(form), async (route) => {
    sent += timesIn(form, route.request().url());
    await route.continue();
  });
  const button = area(page, form).getByTestId(form.send);
  const answered = page.waitForResponse((response) => requestsOf(form)(new URL(response.url())));
  await button.evaluate((element) => {
    const { click } = element as unknown as { click: () => void };
    click.call(element);
    click.call(element);
  });
  await (await answered).finished();
  if (form.accepted && form.open) await button.waitFor({ state: 'detached' });
  return sent;
}

/** What is saved is left without a question. */
async function leaveSaved(page: Page, asked: string[]): Promise<void> {
  await leave(page);
  await page.getByRole('heading', { level: 1, name: 'Consent' }).waitFor();
  expect(asked).toEqual([]);
}

/** @param page - a new one, of a user who is signed in */
export async function tryForm(page: Page, form: AdminForm, world: FormWorld): Promise<void> {
  const asked = noteQuestions(page);
  const accepted = (): Entries =>
    (typeof form.accepted === 'function' ? form.accepted() : form.accepted) ?? [];
  await open(page, form, world);
  await enter(page, form, form.refused);
  if (form.isCheckedHere) {
    await beRefused(page, form);
    await enter(page, form, accepted());
    await failToSend(page, form);
  } else {
    await failToSend(page, form);
    if (form.vanished) await world.remove(withRows(form.vanished, world.rows));
    await beRefused(page, form);
  }
  if (form.guard !== 'none') await tryToLeave(page, form, asked);
  if (!form.isCheckedHere) await enter(page, form, accepted());
  expect(await sendTwice(page, form)).toBe(1);
  if (form.accepted && !form.open && !form.guard) await leaveSaved(page, asked);
}
