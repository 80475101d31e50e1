/**
 * The safety core: the code whose faults ring a phone twice, ring it at a forbidden hour, exceed a limit, lose a call, or
 * let a request or a signature through. Each group names the tests that have to notice a change in its files.
 */

/** Files that are mutated together, and the tests that are run against each mutant. */
export interface MutantGroup {
  mutate: readonly string[];
  tests: readonly string[];
  /** Whether the tests need Postgres, which takes some seconds to start for each group. */
  needsDatabase: boolean;
  /** Also changes what is computed when a module is loaded, such as a list of addresses, and runs all tests against it. */
  includesStatic?: boolean;
}

const CORE = 'packages/core/src';
const RUNTIME = 'packages/runtime/src';
const VOICE = 'apps/voice/src';

export const groups: Readonly<Record<string, MutantGroup>> = {
  /** Pure decisions: dial rule, retries, limits, trunk selection, states. */
  rules: {
    needsDatabase: false,
    mutate: [
      ...['dialing', 'capacity', 'calls', 'lifecycle', 'webhooks'].map(
        (folder) => `${CORE}/${folder}/!(calling-window).rules.ts`,
      ),
      `${CORE}/campaigns/campaign-obstacle.rules.ts`,
      `${CORE}/leads/lead-change.rules.ts`,
      `${CORE}/shared/end-reason.rules.ts`,
      `${CORE}/shared/state-table.rules.ts`,
    ],
    tests: [`${CORE}/**/!(calling-window).rules.test.ts`],
  },
  /** The hours in which a lead may be called. */
  windows: {
    needsDatabase: true,
    mutate: [`${CORE}/dialing/calling-window.rules.ts`],
    tests: [`${CORE}/dialing/calling-window.rules.test.ts`],
  },
  // The races of many claimers are in none of these: they test the locks, whose SQL is not changed.
  /** Which leads are dialed next, and the last check before the INVITE. */
  claim: {
    needsDatabase: true,
    mutate: [`${CORE}/dialing/{check-dial,claim-leads,dial-input,load-numbers,place-campaign-calls}.ts`],
    tests: [
      `${CORE}/dialing/{check-dial,claim-leads,fill-campaign,settle-lead,shared-limits,two-clocks}.test.ts`,
      `${CORE}/lifecycle/no-lead-left-behind.test.ts`,
    ],
  },
  /** When a campaign is filled, and how far. */
  fill: {
    needsDatabase: true,
    mutate: [
      `${CORE}/dialing/{campaign-rows,fill-campaign,plan-next-look,refill-campaign,stop-campaigns,sweep-campaigns}.ts`,
    ],
    tests: [
      `${CORE}/dialing/{fill-campaign,fill-campaign-steps,refill-campaign,shared-limits,two-clocks}.test.ts`,
      `${CORE}/dialing/{campaign-turns,change-during-fill,claim-leads,plan-next-look}.test.ts`,
      `${CORE}/{campaigns/update-campaign-status,imports/import-leads}.test.ts`,
      `${CORE}/lifecycle/dial-limits.test.ts`,
      `${CORE}/assistants/delete-assistant.test.ts`,
    ],
  },
  /** What becomes of the leads that were dialed, and of the campaign. */
  settle: {
    needsDatabase: true,
    mutate: [`${CORE}/dialing/{campaign-status,check-leads,dial-queue,lead-state,settle-lead}.ts`],
    tests: [
      `${CORE}/dialing/{fill-campaign,fill-campaign-steps,plan-next-look,settle-lead}.test.ts`,
      `${CORE}/campaigns/{campaigns,update-campaign-status}.test.ts`,
      `${CORE}/lifecycle/{campaign-life,no-lead-left-behind,toll-fraud}.test.ts`,
      `${CORE}/{leads/{change-leads,update-lead},do-not-call/do-not-call-list,outbox/announce-events}.test.ts`,
    ],
  },
  /** Who may send an INVITE, a bridge or a transfer, and which process goes on with a call. */
  authorisation: {
    needsDatabase: true,
    mutate: [
      `${CORE}/lifecycle/authorize-*.ts`,
      `${CORE}/lifecycle/{find-dial-obstacle,take-over-calls,call-progress}.ts`,
    ],
    tests: [
      `${CORE}/lifecycle/{authorize-*,dial-limits,take-over-calls,toll-fraud}.test.ts`,
      `${CORE}/dialing/check-dial.test.ts`,
    ],
  },
  /** Which process owns a call, and how many calls there may be at once. */
  leases: {
    needsDatabase: true,
    mutate: [`${CORE}/capacity/{lease,call-capacity,campaign-hold,past-frozen-processes}.ts`],
    tests: [
      `${CORE}/capacity/{lease,call-capacity,lock-call-capacity,campaign-hold,past-frozen-processes}.test.ts`,
      `${CORE}/lifecycle/{authorize-bridge,place-call,statement-order,take-over-calls}.test.ts`,
      `${CORE}/dialing/shared-limits.test.ts`,
      `${CORE}/{campaigns/update-campaign-status,leads/explain-lead}.test.ts`,
    ],
  },
  /** How many calls there may be per second and per day, what they may cost, and which trunks and numbers they may use. */
  limits: {
    needsDatabase: true,
    mutate: [
      `${CORE}/capacity/{dial-usage,dial-limits-sql,disarmed,explain-refusal,note-trunk-outcome}.ts`,
      `${CORE}/capacity/{load-destination-policy,load-route-options}.ts`,
    ],
    tests: [
      `${CORE}/capacity/{call-capacity,note-trunk-outcome}.test.ts`,
      `${CORE}/outbox/announce-events.test.ts`,
      `${CORE}/lifecycle/{authorize-disarmed,dial-limits,limit-webhooks,own-dial-limits,place-call}.test.ts`,
      `${CORE}/lifecycle/{plan-dial,token-limits,toll-fraud}.test.ts`,
      `${CORE}/setup/restored-copy.test.ts`,
    ],
  },
  /** Signatures of webhooks and encryption of secrets. */
  signatures: {
    needsDatabase: true,
    mutate: [
      `${CORE}/webhooks/sign-webhook.ts`,
      `${CORE}/webhooks/webhook-secret.ts`,
      `${CORE}/shared/secret-box.ts`,
    ],
    tests: [
      `${CORE}/webhooks/{webhook-secret,claim-deliveries}.test.ts`,
      `${CORE}/shared/secret-box.test.ts`,
    ],
  },
  /** Addresses that requests in the name of users may not reach. */
  addresses: {
    needsDatabase: false,
    includesStatic: true,
    mutate: [
      `${RUNTIME}/forbidden-addresses.ts`,
      `${RUNTIME}/guarded-http/*.ts`,
      `${CORE}/trunks/allowed-host.ts`,
    ],
    tests: [
      `${RUNTIME}/forbidden-addresses.test.ts`,
      `${RUNTIME}/guarded-http/*.test.ts`,
      `${CORE}/trunks/allowed-host.test.ts`,
    ],
  },
  /** The call side of a voice process: nothing is dialed without permission, and every call ends. */
  calls: {
    needsDatabase: true,
    mutate: [
      `${VOICE}/{call-session,call-hold,store-call-end,outbound-call,inbound-call,hold-call,web-calls}.ts`,
      `${VOICE}/{take-over,resumed-call}.ts`,
    ],
    tests: [
      `${VOICE}/call-session*.test.ts`,
      `${VOICE}/{outbound-call,inbound-call,hold-call,web-calls,streamed-calls,control}.test.ts`,
      `${VOICE}/{take-over,resumed-call,sip-trace-report}.test.ts`,
      `${VOICE}/{supervision/*,stream/call-agent}.test.ts`,
    ],
  },
  /** A whole voice process, from its start to its stop. */
  process: {
    needsDatabase: true,
    mutate: [`${VOICE}/app.ts`],
    tests: [`${VOICE}/{app,app-sip}.test.ts`],
  },
};

/** Files without which the safety core would not be complete. A test fails when one of them is in no group. */
export const safetyCore: readonly string[] = [
  `${CORE}/calls/call-state.rules.ts`,
  `${CORE}/capacity/call-limits.rules.ts`,
  `${CORE}/capacity/call-capacity.ts`,
  `${CORE}/capacity/campaign-hold.ts`,
  `${CORE}/capacity/dial-usage.ts`,
  `${CORE}/capacity/lease.ts`,
  `${CORE}/dialing/calling-window.rules.ts`,
  `${CORE}/dialing/campaign-state.rules.ts`,
  `${CORE}/dialing/check-dial.ts`,
  `${CORE}/dialing/claim-leads.ts`,
  `${CORE}/dialing/fill-campaign.ts`,
  `${CORE}/dialing/settle-lead.ts`,
  `${CORE}/dialing/dial-rule.rules.ts`,
  `${CORE}/dialing/lead-outcome.rules.ts`,
  `${CORE}/dialing/lead-state.rules.ts`,
  `${CORE}/lifecycle/authorize-bridge.ts`,
  `${CORE}/lifecycle/authorize-dial.ts`,
  `${CORE}/lifecycle/authorize-transfer.ts`,
  `${CORE}/lifecycle/take-over-calls.ts`,
  `${CORE}/trunks/allowed-host.ts`,
  `${CORE}/shared/state-table.rules.ts`,
  `${CORE}/shared/secret-box.ts`,
  `${CORE}/webhooks/sign-webhook.ts`,
  `${CORE}/webhooks/webhook-retry.rules.ts`,
  `${RUNTIME}/forbidden-addresses.ts`,
  `${RUNTIME}/guarded-http/checked-connection.ts`,
  `${RUNTIME}/guarded-http/guarded-client.ts`,
  `${VOICE}/app.ts`,
  `${VOICE}/call-session.ts`,
  `${VOICE}/hold-call.ts`,
  `${VOICE}/inbound-call.ts`,
  `${VOICE}/outbound-call.ts`,
  `${VOICE}/take-over.ts`,
  `${VOICE}/web-calls.ts`,
];
