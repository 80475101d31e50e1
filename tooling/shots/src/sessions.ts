/** Who sees the pages: the operator of the installation, and an operator without any rows. */
import type { Installation } from '@parley/e2e';
import { signInAsOperator, type PageRows } from '@parley/e2e/admin';
import type { Browser } from 'playwright-core';
import type { Session } from './take-shots.ts';

/** No id is 0. */
export const NO_ROWS: PageRows = {
  assistant: 0,
  call: 0,
  conversation: 0,
  campaign: 0,
  draft: 0,
  lead: 0,
  delivery: 0,
  knowledgebase: 0,
  suite: 0,
  run: 0,
};

interface Credentials {
  email: string;
  password: string;
}

/** @returns how to sign in */
export async function createNewcomer(installation: Installation): Promise<Credentials> {
  const email = 'newcomer@example.com';
  const password = 'another correct horse';
  await installation.cli(['user', 'add', 'Newcomer', email, '--role', 'operator', '--password', password]);
  return { email, password };
}

/** One sign-in for all windows. */
export async function signIn(
  browser: Browser,
  installation: Installation,
  { email, password }: Credentials,
): Promise<Session> {
  const context = await browser.newContext();
  await signInAsOperator(await context.newPage(), { ...installation, email, password });
  const session = await context.storageState();
  await context.close();
  return session;
}
