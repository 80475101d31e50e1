/** Brings a page of the admin app into the state that a picture shows. */
import { pathOf, type AdminPage, type PageRows, type PageState } from '@parley/e2e/admin';
import type { Page } from 'playwright-core';

/** An id that no row has. */
const NO_ROW = 999_999;
const NO_UUID = '00000000-0000-4000-8000-000000000000';
const NO_ROWS: PageRows = {
  assistant: NO_ROW,
  call: NO_ROW,
  conversation: NO_UUID,
  campaign: NO_ROW,
  draft: NO_ROW,
  lead: NO_ROW,
  knowledgebase: NO_ROW,
  suite: NO_ROW,
  run: NO_ROW,
  delivery: NO_ROW,
};
/** The requests of the admin app; its files still come. */
const API_REQUESTS = '**/trpc/**';

/** Where a page is. */
export interface Place {
  baseUrl: string;
  rows: PageRows;
}

/** The test ids that are clicked on each page to open its form and to send it without its required fields. */
const FORM_CLICKS: Readonly<Record<string, readonly string[]>> = {
  'assistant-new': ['assistant-create'],
  campaigns: ['new-campaign', 'campaign-create'],
  trunks: ['new-trunk', 'trunk-save'],
  tokens: ['new-token', 'token-create'],
};

/** The test ids that are clicked on each page to open a dialog. */
const DIALOG_CLICKS: Readonly<Record<string, readonly string[]>> = {
  'assistant-voice': ['new-phrase'],
  calls: ['call-columns'],
  'campaign-draft': ['campaign-start'],
  conversation: ['conversation-remove'],
  'do-not-call': ['do-not-call-new'],
  evaluations: ['new-suite'],
  knowledge: ['new-knowledge'],
  'knowledge-base': ['new-document'],
  suite: ['suite-run'],
  'suite-run': ['open-conversation'],
  trunks: ['number-route'],
};

/** Leaves the page as the picture shows it. @throws Error where the state does not appear */
export async function showState(
  page: Page,
  place: Place,
  shot: { page: AdminPage; state: PageState },
): Promise<void> {
  await page.unrouteAll();
  if (shot.state === 'lost') {
    await open(page, place, 'account');
    await page.route(API_REQUESTS, (route) => route.abort('connectionrefused'));
    // By its own click: on narrow screens the link is in a closed menu.
    await page.locator(`nav a[href="/admin/${shot.page.path}"]`).dispatchEvent('click');
    await page.getByRole('alert').first().waitFor();
    return;
  }
  if (shot.state === 'unreachable') {
    await page.route(API_REQUESTS, (route) => route.abort('connectionrefused'));
    await page.goto(`${place.baseUrl}/admin/${shot.page.path}`);
    await page.getByRole('alert').first().waitFor();
    return;
  }
  const rows = shot.state === 'missing' ? NO_ROWS : place.rows;
  await open(page, place, pathOf(shot.page, rows));
  if (shot.state === 'errors') await sendFaultyForm(page, shot.page.name);
  if (shot.state === 'dialog') await openDialog(page, shot.page.name);
  if (shot.state === 'menu') await page.getByTestId('menu').click();
}

async function open(page: Page, place: Place, path: string): Promise<void> {
  await page.goto(`${place.baseUrl}/admin/${path}`);
  await page.getByRole('heading', { level: 1 }).or(page.getByRole('alert')).first().waitFor();
  await page.waitForLoadState('networkidle');
}

async function openDialog(page: Page, name: string): Promise<void> {
  for (const testId of DIALOG_CLICKS[name] ?? []) await page.getByTestId(testId).last().click();
  // The choice of columns is a list below its button.
  const list = page.locator('[aria-expanded=true] + [role=group] input');
  await page.getByRole('dialog').or(list).first().waitFor();
  await page.getByTestId('dialog-pending').waitFor({ state: 'detached' });
  await page.waitForLoadState('networkidle');
}

/** Rows that are refused, and a number that comes twice. */
const FAULTY_LEADS =
  'Phone,First name,City\n+12025550141,Ada,Springfield\n+12025550142,Bo,\nnone,Cy,Shelbyville\n+12025550141,Ada,\n,Di,\n';

async function sendFaultyForm(page: Page, name: string): Promise<void> {
  if (name === 'import') {
    const buffer = Buffer.from(FAULTY_LEADS);
    await page.locator('input[type=file]').setInputFiles({ name: 'leads.csv', mimeType: 'text/csv', buffer });
    await page.getByTestId('import-check').click();
    await page.getByTestId('import-check-result').waitFor();
    return;
  }
  if (name === 'sign-in') {
    await page.getByLabel(/e-?mail/i).fill('operator@example.com');
    await page.getByRole('textbox', { name: /password/i }).fill('not the password');
    await page.getByRole('button', { name: /sign in/i }).click();
    await page.getByRole('alert').first().waitFor();
    return;
  }
  for (const testId of FORM_CLICKS[name] ?? []) await page.getByTestId(testId).first().click();
  await page.locator('[aria-invalid=true]').first().waitFor();
}
