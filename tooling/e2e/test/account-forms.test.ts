/** The forms of the own account, each tried as those of `forms.test.ts`, by a user of its own. */
import { systemClock } from '@parley/runtime';
import { totpCode } from '@parley/testkit';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isBrowserMissing, launchBrowser, signInAsOperator } from '../src/admin-browser.ts';
import type { AdminForm } from '../src/admin-forms.ts';
import { tryForm } from '../src/form-trial.ts';
import { sharedInstallation } from '../src/shared-installation.ts';

const EMAIL = 'account@forms.example';
const FIRST_PASSWORD = 'The first password 1';
const PASSWORD = 'The second password 2';
const WRONG_CODE = 'This code is wrong, has expired or was used already.';

let browser: Browser;
let context: BrowserContext;
let secret = '';
let recoveryCode = '';

beforeAll(async () => {
  if (isBrowserMissing) return;
  const installation = sharedInstallation();
  await installation.request('POST', '/api/user/users', {
    name: 'Account',
    email: EMAIL,
    password: FIRST_PASSWORD,
  });
  browser = await launchBrowser();
  context = await browser.newContext();
  const page = await context.newPage();
  await signInAsOperator(page, { ...installation, email: EMAIL, password: FIRST_PASSWORD });
  await page.close();
});

afterAll(() => browser?.close());

async function beginSecondFactor(page: Page): Promise<void> {
  await page.getByTestId('second-factor-password').fill(PASSWORD);
  await page.getByTestId('second-factor-begin').click();
  const shown = page.getByLabel('The secret for the authenticator app');
  await shown.waitFor();
  secret = (await shown.textContent()) ?? '';
}

const FORMS: readonly AdminForm[] = [
  {
    name: 'password',
    path: 'account',
    refused: [
      ['current-password', FIRST_PASSWORD],
      ['new-password', 'short'],
    ],
    fault: ['new-password', '8'],
    accepted: [['new-password', PASSWORD]],
    send: 'change-password',
    request: 'account.changePassword',
  },
  {
    name: 'second factor, first step',
    path: 'account',
    refused: [['second-factor-password', 'not the password']],
    fault: ['second-factor-password', 'The current password is wrong.'],
    accepted: [['second-factor-password', PASSWORD]],
    send: 'second-factor-begin',
    request: 'account.beginSecondFactor',
    guard: 'none',
  },
  {
    name: 'second factor, last step',
    path: 'account',
    begin: beginSecondFactor,
    refused: [['second-factor-first-code', '000']],
    fault: ['second-factor-first-code', WRONG_CODE],
    accepted: () => [['second-factor-first-code', totpCode(secret, systemClock.now())]],
    send: 'second-factor-confirm',
    request: 'account.confirmSecondFactor',
    guard: 'after',
  },
];

const OFF: AdminForm = {
  name: 'second factor off',
  path: 'account',
  refused: [
    ['second-factor-password', PASSWORD],
    ['second-factor-last-code', 'none'],
  ],
  fault: ['second-factor-last-code', WRONG_CODE],
  accepted: () => [['second-factor-last-code', recoveryCode]],
  send: 'second-factor-disable',
  request: 'account.disableSecondFactor',
};

/** The recovery codes are shown once, so the page is not left without a question. */
async function readRecoveryCode(page: Page): Promise<void> {
  const codes = page.getByLabel('Your recovery codes');
  await codes.waitFor();
  recoveryCode = ((await codes.textContent()) ?? '').trim().split('\n')[0] ?? '';
  const question = page.waitForEvent('dialog');
  await page.getByRole('navigation').getByRole('link', { name: 'Consent' }).click();
  expect((await question).message()).toBe(
    'These recovery codes will not be shown again. Leave without having stored them?',
  );
  await page.getByTestId('recovery-codes-done').click();
  await page.getByTestId('second-factor-on').waitFor();
}

async function tryOnPage(
  form: AdminForm,
  then: (page: Page) => Promise<void> = async () => {},
): Promise<void> {
  const page = await context.newPage();
  const installation = sharedInstallation();
  await tryForm(page, form, {
    baseUrl: installation.baseUrl,
    rows: new Map(),
    remove: (path) => installation.request('DELETE', path),
  });
  await then(page);
  await page.close();
}

it.skipIf(isBrowserMissing).each(FORMS)('the form $name', async (form) => {
  await tryOnPage(form, form.guard === 'after' ? readRecoveryCode : undefined);
});

it.skipIf(isBrowserMissing)('a form that is emptied does not let go of another one on the page', async () => {
  const page = await context.newPage();
  const questions: string[] = [];
  page.on('dialog', (dialog) => {
    questions.push(dialog.type());
    return dialog.dismiss();
  });
  await page.goto(`${sharedInstallation().baseUrl}/admin/account`);
  await page.getByTestId('new-password').fill('written');
  await page.getByTestId('second-factor-last-code').fill('1');
  await page.getByTestId('second-factor-last-code').fill('');
  await page.getByRole('navigation').getByRole('link', { name: 'Consent' }).click();
  await expect.poll(() => questions).toEqual(['confirm']);
  await page.close();
});

it.skipIf(isBrowserMissing)('the form that switches the second factor off', () => tryOnPage(OFF));

it.skipIf(isBrowserMissing)('the time zone of the account is that of the days of the overview', async () => {
  const page = await context.newPage();
  const { baseUrl } = sharedInstallation();
  await page.goto(`${baseUrl}/admin/account`);
  await page.getByTestId('account-time-zone').selectOption('Asia/Tokyo');
  await page.getByRole('navigation').getByRole('link', { name: 'Overview' }).click();
  await page.getByText('Days begin at midnight in Asia/Tokyo.').waitFor();
  await page.close();
});

/** The link that an operator makes on the page of users. */
async function madeLink(operator: Page): Promise<string> {
  const link = (await operator.getByLabel('The sign-in link').textContent()) ?? '';
  await operator.getByTestId('made-link-done').click();
  return link;
}

/** Follows a link in a browser of its own, and sets a password without another. */
async function setPasswordByLink(link: string, password: string): Promise<void> {
  const invited = await browser.newContext();
  const page = await invited.newPage();
  await page.goto(link);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByTestId('user-menu').click();
  await page.getByTestId('account').click();
  await page.getByTestId('new-password').fill(password);
  expect(await page.getByTestId('current-password').count()).toBe(0);
  await page.getByTestId('change-password').click();
  await page.getByTestId('password-changed').waitFor();
  await page.getByTestId('current-password').waitFor();
  await invited.close();
}

it.skipIf(isBrowserMissing)(
  'an invited user sets a password, forgets it, and sets another by a new link',
  async () => {
    const installation = sharedInstallation();
    const email = 'invited@forms.example';
    const operators = await browser.newContext();
    const operator = await operators.newPage();
    await signInAsOperator(operator, installation);
    await operator.getByRole('link', { name: 'Users', exact: true }).click();
    await operator.getByTestId('new-user').click();
    await operator.getByTestId('user-name').fill('Invited');
    await operator.getByTestId('user-email').fill(email);
    await operator.getByTestId('user-invite').click();
    await setPasswordByLink(await madeLink(operator), FIRST_PASSWORD);
    const row = operator.getByTestId('user-row').filter({ hasText: email });
    await row.getByTestId('user-actions').click();
    await row.getByTestId('user-link').click();
    await row.getByTestId('user-link-confirm').click();
    await setPasswordByLink(await madeLink(operator), PASSWORD);
    await operators.close();
    const again = await browser.newContext();
    await signInAsOperator(await again.newPage(), { ...installation, email, password: PASSWORD });
    await again.close();
  },
);
