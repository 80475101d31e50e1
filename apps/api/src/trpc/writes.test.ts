/**
 * Every mutation of the admin app is a write of the contract, which the random sequences of core perform
 * (`packages/core/src/lifecycle/random-edits.test.ts`), or is listed here with the reason why no lead depends on it. A new
 * mutation belongs in here.
 */
import { api, routesOf } from '@parley/contracts';
import { expect, it } from 'vitest';
import { appRouter } from './router.ts';

/** Mutations with another name than the write of the contract whose use case they call. */
const SAME_AS: Readonly<Record<string, string>> = {
  'assistants.copy': 'assistants.create',
  'assistants.restoreVersion': 'assistantVersions.restore',
  'assistants.setTools': 'assistants.update',
  'calls.place': 'calls.make',
  'campaigns.start': 'campaigns.updateStatus',
  'campaigns.stop': 'campaigns.updateStatus',
  'campaigns.undoImport': 'leadImports.undo',
  'leads.changeMany': 'leads.update',
  'users.changeRole': 'users.update',
  'users.invite': 'users.create',
  'users.setAttemptLimits': 'users.update',
  'users.setDialLimits': 'users.update',
  'users.setDisabled': 'users.update',
  'webhooks.resend': 'webhookDeliveries.resend',
  'webhooks.resendMany': 'webhookDeliveries.resendMany',
  'webhooks.rotateSecret': 'webhookSecrets.rotate',
};

/** Mutations without a counterpart in the contract. */
const OTHERS: Readonly<Record<string, string>> = {
  'account.announceListening': 'heard in calls only',
  'account.beginSecondFactor': 'access only',
  'account.changePassword': 'access only',
  'account.changeTimeZone': 'campaigns have a time zone of their own',
  'account.confirmSecondFactor': 'access only',
  'account.disableSecondFactor': 'access only',
  'account.endOtherSessions': 'access only',
  'account.endSession': 'access only',
  'assistants.tryAccountTool': 'a request to a server of the user',
  'assistants.tryTool': 'a request to a server of the user',
  'calls.listen': 'writes nothing but events of the call',
  'calls.startWebCall': 'a call in the browser has no lead',
  'calls.takeOver': 'writes nothing but events of the call',
  'calls.transfer': 'the lead is settled at the end of the call, as after a transfer by the assistant',
  'calls.whisper': 'writes nothing but events of the call',
  'campaigns.fileColumns': 'writes nothing',
  'dialPolicy.update': 'the random sequences contain it as "forbid the country" and "allow the country"',
  'numberCountry.change': 'numbers that are stored already have their country',
  'providers.check': 'engines only',
  'session.redeemLink': 'access only',
  'session.signIn': 'access only',
  'session.signOut': 'access only',
  'suites.check': 'writes nothing',
  'users.inviteAgain': 'access only',
  'users.resetSecondFactor': 'access only',
  'webhooks.sendTest': 'webhooks only',
  'writtenConversations.end': 'no lead has a written conversation',
  'writtenConversations.remove': 'no lead has a written conversation',
};

it('every mutation is known', () => {
  const writes = new Set(
    routesOf(api).flatMap(({ group, name, route }) => (route.method === 'GET' ? [] : [`${group}.${name}`])),
  );
  // tRPC keeps all procedures in one flat record, which its types describe as a tree.
  const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>;
  const mutations = Object.entries(procedures).flatMap(([name, procedure]) =>
    procedure._def.type === 'mutation' ? [name] : [],
  );
  expect(mutations.length).toBeGreaterThan(20);
  expect(Object.values(SAME_AS).filter((name) => !writes.has(name))).toEqual([]);
  const listed = { ...SAME_AS, ...OTHERS };
  expect(mutations.filter((name) => !writes.has(name)).toSorted()).toEqual(Object.keys(listed).toSorted());
});

/** Mutations without an entry in the audit log: core adds it, they write nothing, or what they create has its own record. */
const WITHOUT_ENTRY = [
  'calls.place',
  'calls.startWebCall',
  'campaigns.fileColumns',
  'providers.check',
  'session.redeemLink',
  'session.signIn',
  'sipTrunks.diagnose',
  'suites.check',
];

it('every other mutation leaves an entry in the audit log', () => {
  type Described = Record<string, { _def: { type: string; meta?: { isAudited?: boolean } } }>;
  const procedures = Object.entries(appRouter._def.procedures as unknown as Described);
  const without = procedures.flatMap(([name, { _def }]) => (_def.meta?.isAudited === false ? [name] : []));
  expect(without.toSorted()).toEqual(WITHOUT_ENTRY);
});
