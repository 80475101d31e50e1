/** The text that is printed when everything runs: addresses, sign-in link, first steps. */
import type { BootstrapResult } from '@parley/core';
import type { SelfCheckResult } from './self-check.ts';
import type { LocalSettings } from './settings.ts';

export interface SummaryInput {
  settings: LocalSettings;
  publicUrl: string;
  bootstrap: BootstrapResult;
  /** Null once a user has signed in. */
  signInSecret: string | null;
  /** The id of an outbound assistant to try, where there is one. */
  assistantId: number | null;
  /** A test phone that answers and talks. */
  testPhone: string;
  /** Number at which the inbound demo assistant answers. */
  inboundNumber: string;
}

/** The page, without a line break at its end. */
export function summary(input: SummaryInput): string {
  const { settings, publicUrl, inboundNumber } = input;
  const sip = `${settings.SIP_LISTEN.host}:${settings.SIP_LISTEN.port}`;
  const lines = [
    '',
    'Parley is ready.',
    '',
    row('Admin app', `${publicUrl}/admin`),
    row('Sign in', signInText(input)),
    ...accessRows(input),
    row('SIP', `sip:${inboundNumber}@${sip} reaches the demo assistant (UDP and TCP)`),
    row('Webhooks', webhookWords(settings)),
    row('Data, logs', settings.DATA_DIR),
    '',
    ...firstCall(input),
    'Stop with Ctrl-C.',
  ];
  return lines.join('\n');
}

function signInText({ publicUrl, signInSecret, bootstrap }: SummaryInput): string {
  return signInSecret === null
    ? `with your password, or with a link: npm run -s cli -- sign-in-link ${bootstrap.user.email}`
    : `${publicUrl}/admin/sign-in/link/${signInSecret}  (once, within 15 minutes)`;
}

function row(name: string, text: string): string {
  return `  ${name.padEnd(12)}${text}`;
}

function accessRows({ bootstrap, settings }: SummaryInput): string[] {
  if (!bootstrap.isNew) {
    return [
      row('User', `${bootstrap.user.email} exists since an earlier start; no new one was made`),
      row(
        'API token',
        `as printed then; another one: npm run -s cli -- token create ${bootstrap.user.email}`,
      ),
    ];
  }
  const { user, password, token } = bootstrap;
  return [
    row('User', password ? `${user.email}, password ${password}` : `${user.email}, password as set`),
    row(
      'API token',
      settings.BOOTSTRAP_TOKEN ? 'the one of BOOTSTRAP_TOKEN' : `${token ?? ''}  (shown only now)`,
    ),
  ];
}

function webhookWords({ WEBHOOK_ALLOW_PRIVATE: allowed }: LocalSettings): string {
  switch (allowed) {
    case 'none':
      return 'go to public addresses only';
    case 'loopback':
      return 'of operators may go to this machine too (WEBHOOK_ALLOW_PRIVATE=loopback)';
    case 'all':
      return 'of operators may go to any address (WEBHOOK_ALLOW_PRIVATE=all)';
  }
}

function firstCall({ bootstrap, settings, publicUrl, assistantId, testPhone }: SummaryInput): string[] {
  if (assistantId === null) return [];
  const isShown = bootstrap.isNew && !settings.BOOTSTRAP_TOKEN && bootstrap.token !== undefined;
  const token = isShown ? bootstrap.token : '<API token>';
  const body = JSON.stringify({ assistant_id: assistantId, phone_number: testPhone, variables: {} });
  return [
    'Place a call to a test phone:',
    '',
    `  curl -X POST ${publicUrl}/api/user/make_call \\`,
    `    -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' \\`,
    `    -d '${body}'`,
    '',
  ];
}

/** One sentence about the self-check. */
export function selfCheckWords(result: SelfCheckResult): string {
  switch (result.outcome) {
    case 'passed': {
      const seconds = (result.answeredAfterMs / 1_000).toFixed(1);
      return `Self-check passed: a test phone answered after ${seconds} s, and the call ended well (call ${result.callId}).`;
    }
    case 'failed':
      return `Self-check FAILED: ${result.why}${result.callId === null ? '' : ` (call ${result.callId})`}. See the logs.`;
    case 'skipped':
      return `Self-check skipped: ${result.why}.`;
  }
}
