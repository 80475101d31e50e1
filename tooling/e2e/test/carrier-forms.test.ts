/** The forms of a carrier account, each tried as those of `forms.test.ts`, with a simulated Twilio. */
import { startTwilio, TWILIO_ACCOUNT, type CarrierSimulator } from '@parley/testkit';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, it } from 'vitest';
import { isBrowserMissing, launchBrowser, signInAsOperator } from '../src/admin-browser.ts';
import { type AdminForm, INVALID, REQUIRED } from '../src/admin-forms.ts';
import { tryForm } from '../src/form-trial.ts';
import { startInstallation, type Installation } from '../src/installation.ts';

const NUMBER = '+13125550147';

let carrier: CarrierSimulator;
let installation: Installation;
let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  if (isBrowserMissing) return;
  carrier = await startTwilio();
  carrier.world.own(NUMBER, `PN${carrier.world.nextId()}`);
  installation = await startInstallation({ environment: { TWILIO_API_URL: carrier.url } });
  browser = await launchBrowser();
  context = await browser.newContext();
  const page = await context.newPage();
  await signInAsOperator(page, installation);
  await page.close();
});

afterAll(async () => {
  await browser?.close();
  await installation?.stop();
  await carrier?.close();
});

const FORMS: readonly AdminForm[] = [
  {
    name: 'carrier account',
    path: 'trunks',
    open: ['new-carrier'],
    refused: [
      ['carrier-kind', 'twilio'],
      ['carrier-name', 'Main'],
      ['carrier-sid', 'AC12'],
      ['carrier-secret', TWILIO_ACCOUNT.token],
    ],
    fault: ['carrier-sid', INVALID],
    accepted: [['carrier-sid', TWILIO_ACCOUNT.sid]],
    send: 'carrier-save',
    request: 'carrierAccounts.create',
  },
  {
    name: 'connection of a carrier account',
    path: 'trunks',
    open: ['carrier-connect'],
    refused: [['carrier-sip-address', 'no address']],
    fault: ['carrier-sip-address', INVALID],
    accepted: [['carrier-sip-address', 'sip.parley.example:5060']],
    send: 'carrier-connect-save',
    request: 'carrierAccounts.connect',
  },
  {
    name: 'credentials of a carrier account',
    path: 'trunks',
    open: ['carrier-edit'],
    refused: [['carrier-name', '']],
    fault: ['carrier-name', REQUIRED],
    accepted: [['carrier-name', 'Renamed']],
    send: 'carrier-save',
    request: 'carrierAccounts.update',
  },
  {
    name: 'numbers of a carrier account',
    path: 'trunks',
    open: ['carrier-import'],
    refused: [],
    fault: [null, REQUIRED],
    accepted: [['carrier-number', true]],
    send: 'carrier-import-save',
    request: 'carrierAccounts.importNumbers',
    guard: 'none',
  },
];

it.skipIf(isBrowserMissing).each(FORMS)('the form $name', async (form) => {
  const page = await context.newPage();
  const { baseUrl } = installation;
  const remove = (path: string) => installation.request('DELETE', `/api/user/${path}`);
  await tryForm(page, form, { baseUrl, rows: new Map(), remove });
  await page.close();
});
