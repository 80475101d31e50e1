/**
 * The scripts of all pages, by the pattern of their address below `/admin`. Each is loaded on the first visit of its page.
 * `build-preloads.ts` reads this table, so that the api can name the scripts of a page before the app runs.
 */

/** As in the router, `$` begins a parameter. */
export const PAGES = {
  '/sign-in': () => import('./session/sign-in-page.tsx'),
  '/sign-in/link/$secret': () => import('./session/sign-in-link-page.tsx'),
  '/overview': () => import('./overview/overview-page.tsx'),
  '/assistants': () => import('./assistants/assistants-page.tsx'),
  '/assistants/new': () => import('./assistants/new-assistant-page.tsx'),
  '/assistants/$assistantId': () => import('./assistants/assistant-page.tsx'),
  '/assistants/$assistantId/talk': () => import('./talk/talk-page.tsx'),
  '/knowledge': () => import('./knowledge/knowledge-page.tsx'),
  '/knowledge/$knowledgebaseId': () => import('./knowledge/knowledge-base-page.tsx'),
  '/evaluations': () => import('./evaluations/evaluations-page.tsx'),
  '/evaluations/$suiteId': () => import('./evaluations/suite-page.tsx'),
  '/evaluations/runs/$runId': () => import('./evaluations/run-page.tsx'),
  '/calls': () => import('./calls/calls-page.tsx'),
  '/calls/$callId': () => import('./calls/call-page.tsx'),
  '/conversations': () => import('./conversations/conversations-page.tsx'),
  '/conversations/$conversationId': () => import('./conversations/conversation-page.tsx'),
  '/campaigns': () => import('./campaigns/campaigns-page.tsx'),
  '/campaigns/$campaignId': () => import('./campaigns/campaign-page.tsx'),
  '/campaigns/$campaignId/import': () => import('./imports/import-page.tsx'),
  '/leads': () => import('./leads/leads-page.tsx'),
  '/leads/$leadId': () => import('./leads/lead-page.tsx'),
  '/providers': () => import('./providers/providers-page.tsx'),
  '/trunks': () => import('./trunks/trunks-page.tsx'),
  '/prices': () => import('./prices/prices-page.tsx'),
  '/fraud-protection': () => import('./fraud-protection/fraud-protection-page.tsx'),
  '/retention': () => import('./retention/retention-page.tsx'),
  '/consents': () => import('./consents/consents-page.tsx'),
  '/do-not-call': () => import('./do-not-call/do-not-call-page.tsx'),
  '/tokens': () => import('./tokens/tokens-page.tsx'),
  '/webhooks': () => import('./webhooks/webhooks-page.tsx'),
  '/webhooks/$deliveryId': () => import('./webhooks/delivery-page.tsx'),
  '/account': () => import('./account/account-page.tsx'),
  '/audit-log': () => import('./audit-log/audit-log-page.tsx'),
  '/api-log': () => import('./api-log/api-log-page.tsx'),
  '/users': () => import('./users/users-page.tsx'),
} as const;
