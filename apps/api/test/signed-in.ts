/** Browsers with a session of the admin app. */
import { createSignInLink } from '@parley/core';
import { openBrowser, type Browser } from './browser.ts';
import type { LiveApi } from './live-api.ts';

/** Signs the operator in with the password. */
export async function signInOperator({ url, email, password }: LiveApi): Promise<Browser> {
  const browser = openBrowser(url);
  await browser.trpc.session.signIn.mutate({ email, password });
  return browser;
}

/** Signs any user in with a link. */
export async function signInUser({ url, core }: LiveApi, userId: number): Promise<Browser> {
  const browser = openBrowser(url);
  await browser.trpc.session.redeemLink.mutate({ secret: await createSignInLink(core, userId) });
  return browser;
}
