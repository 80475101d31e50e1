/**
 * The safety core: the code whose faults ring a phone twice, ring it at a forbidden hour, exceed a limit, lose a call, or
 * let a request or a signature through. Each group names the tests that have to notice a change in its files.
 */

/** Files that are mutated together, and the tests that are run against each mutant. */
export interface MutantGroup {
  mutate: readonly string[];
  tests: readonly string[];
}

const CORE = 'packages/core/src';
const GUARDED_HTTP = 'packages/runtime/src/guarded-http';

export const groups: Readonly<Record<string, MutantGroup>> = {
  /** Pure decisions: dial rule, windows, retries, limits, trunk selection, states. */
  rules: {
    mutate: ['dialing', 'capacity', 'calls', 'lifecycle', 'webhooks'].map(
      (folder) => `${CORE}/${folder}/*.rules.ts`,
    ),
    tests: [`${CORE}/**/*.rules.test.ts`],
  },
  /** Which leads are dialed next, and what becomes of them. */
  claim: {
    mutate: [`${CORE}/dialing/*.ts`, `!${CORE}/dialing/*.rules.ts`],
    tests: [`${CORE}/dialing/*.test.ts`, `${CORE}/campaigns/*.test.ts`],
  },
  /** Who may send an INVITE, a bridge or a transfer. */
  authorisation: {
    mutate: [`${CORE}/lifecycle/authorize-*.ts`, `${CORE}/lifecycle/find-dial-obstacle.ts`],
    tests: [`${CORE}/lifecycle/*.test.ts`],
  },
  /** Which process owns a call, and how many calls there may be. */
  leases: {
    mutate: [`${CORE}/capacity/*.ts`, `!${CORE}/capacity/*.rules.ts`],
    tests: [
      `${CORE}/capacity/*.test.ts`,
      `${CORE}/lifecycle/*.test.ts`,
      `${CORE}/dialing/shared-limits.test.ts`,
    ],
  },
  /** Signatures of webhooks and encryption of secrets. */
  signatures: {
    mutate: [
      `${CORE}/webhooks/sign-webhook.ts`,
      `${CORE}/webhooks/webhook-secret.ts`,
      `${CORE}/shared/secret-box.ts`,
    ],
    tests: [`${CORE}/webhooks/*.test.ts`, `${CORE}/shared/*.test.ts`],
  },
  /** Addresses that requests in the name of users may not reach. */
  addresses: {
    mutate: [`${GUARDED_HTTP}/*.ts`],
    tests: [`${GUARDED_HTTP}/*.test.ts`],
  },
};
