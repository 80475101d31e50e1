/** The private interface of the admin app, which imports the type of this router and nothing else of the api. */
import { account } from './account.ts';
import { assistants } from './assistants.ts';
import { carrierAccounts } from './carrier-accounts.ts';
import { campaigns } from './campaigns.ts';
import { calls } from './calls.ts';
import { dialPolicy } from './dial-policy.ts';
import { apiLog } from './api-log.ts';
import { auditLog } from './audit-log.ts';
import { consents } from './consents.ts';
import { doNotCall } from './do-not-call.ts';
import { documents, knowledgebases } from './knowledgebases.ts';
import { recordedPhrases } from './recorded-phrases.ts';
import { leads } from './leads.ts';
import { lookups } from './lookups.ts';
import { numberCountry } from './number-country.ts';
import { overview } from './overview.ts';
import { phoneNumbers } from './phone-numbers.ts';
import { prices } from './prices.ts';
import { router } from './procedures.ts';
import { providers } from './providers.ts';
import { retention } from './retention.ts';
import { session } from './session.ts';
import { sipTrunks } from './sip-trunks.ts';
import { suiteRuns, suites } from './suites.ts';
import { tokens } from './tokens.ts';
import { users } from './users.ts';
import { webhookEndpoints } from './webhook-endpoints.ts';
import { webhooks } from './webhooks.ts';
import { writtenConversations } from './written-conversations.ts';

/** All procedures of the admin app. */
export const appRouter = router({
  session,
  account,
  assistants,
  lookups,
  numberCountry,
  overview,
  calls,
  campaigns,
  knowledgebases,
  recordedPhrases,
  documents,
  leads,
  suites,
  suiteRuns,
  providers,
  sipTrunks,
  carrierAccounts,
  phoneNumbers,
  prices,
  dialPolicy,
  retention,
  apiLog,
  auditLog,
  consents,
  doNotCall,
  tokens,
  users,
  webhooks,
  webhookEndpoints,
  writtenConversations,
});

/** The type of the admin app's client. */
export type AppRouter = typeof appRouter;
