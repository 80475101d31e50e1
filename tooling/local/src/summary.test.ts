import { describe, expect, test } from 'vitest';
import { readSettings } from './settings.ts';
import { selfCheckWords, summary, type SummaryInput } from './summary.ts';

const USER = {
  id: 1,
  name: 'Operator',
  email: 'operator@localhost',
  role: 'operator',
  timezone: 'UTC',
} as const;

function page(changes: Partial<SummaryInput> = {}, environment: Record<string, string> = {}): string {
  return summary({
    settings: readSettings({ DATA_DIR: '/data', ...environment }),
    publicUrl: 'http://127.0.0.1:3000',
    bootstrap: { isNew: true, user: USER, token: 'parley_secret', password: 'generated' },
    signInSecret: 'once',
    assistantId: 4,
    testPhone: '+12025550149',
    inboundNumber: '+12025550101',
    ...changes,
  });
}

describe('the page after the first start', () => {
  test('says where to go, how to get in, and what to try', () => {
    const text = page();
    expect(text).toContain('http://127.0.0.1:3000/admin/sign-in/link/once');
    expect(text).toContain('operator@localhost, password generated');
    expect(text).toContain('parley_secret');
    expect(text).toContain('sip:+12025550101@127.0.0.1:5060');
    expect(text).toContain('WEBHOOK_ALLOW_PRIVATE=loopback');
  });

  test('has a curl line that can be pasted', () => {
    expect(page()).toContain(
      [
        `  curl -X POST http://127.0.0.1:3000/api/user/make_call \\`,
        `    -H 'Authorization: Bearer parley_secret' -H 'Content-Type: application/json' \\`,
        `    -d '{"assistant_id":4,"phone_number":"+12025550149","variables":{}}'`,
      ].join('\n'),
    );
  });

  test('does not print secrets that were given', () => {
    const given = {
      BOOTSTRAP_TOKEN: 'parley_given_by_the_operator_beforehand',
      BOOTSTRAP_PASSWORD: 'given password',
    };
    const bootstrap = { isNew: true, user: USER, token: given.BOOTSTRAP_TOKEN };
    const text = page({ bootstrap }, given);
    for (const secret of Object.values(given)) expect(text).not.toContain(secret);
    expect(text).toContain('the one of BOOTSTRAP_TOKEN');
  });
});

describe('the page after a later start', () => {
  test('has no sign-in link once a user has signed in, and names the command that makes one', () => {
    const text = page({ bootstrap: { isNew: false, user: USER }, signInSecret: null });
    expect(text).not.toContain('/admin/sign-in/link');
    expect(text).toContain('npm run -s cli -- sign-in-link operator@localhost');
  });

  test('says that no new user was made and shows no token', () => {
    const text = page({ bootstrap: { isNew: false, user: USER } });
    expect(text).toContain('operator@localhost exists since an earlier start; no new one was made');
    expect(text).toContain('Bearer <API token>');
  });

  test('omits the test call without an assistant', () => {
    expect(page({ assistantId: null })).not.toContain('curl');
  });
});

test.each([
  [{ outcome: 'passed', callId: 7, answeredAfterMs: 412 } as const, 'answered after 0.4 s'],
  [
    { outcome: 'failed', callId: 7, why: 'the call ended as failed' } as const,
    'FAILED: the call ended as failed (call 7)',
  ],
  [{ outcome: 'skipped', why: 'there is no assistant' } as const, 'skipped: there is no assistant'],
])('the result of the self-check is a sentence: %o', (result, words) => {
  expect(selfCheckWords(result)).toContain(words);
});
