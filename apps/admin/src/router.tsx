/**
 * Every address of the admin app. Pages load on their first visit; the parameters of URLs
 * (ids, filters) are typed here.
 */
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { readApiLogSearch } from './api-log/api-log-search.rules.ts';
import { readEditorSearch } from './assistants/editor/editor-search.rules.ts';
import { readCallSearch } from './calls/call-search.rules.ts';
import { readConversationSearch } from './conversations/conversation-search.rules.ts';
import { readLeadSearch } from './leads/lead-search.rules.ts';
import type { AdminClient } from './client/admin-client.ts';
import { isUrlId } from './client/url-id.rules.ts';
import { readOverviewSearch } from './overview/overview-search.rules.ts';
import { readDeliverySearch } from './webhooks/delivery-search.rules.ts';
import { requireUser } from './session/require-user.ts';
import { PageFailure, PageMissing, PagePending, UnknownAddress } from './ui/page-states.tsx';

const rootRoute = createRootRouteWithContext<AdminClient>()({
  component: Outlet,
  notFoundComponent: UnknownAddress,
});

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): { next?: string } =>
    typeof search['next'] === 'string' && search['next'].startsWith('/') ? { next: search['next'] } : {},
  component: lazyRouteComponent(() => import('./session/sign-in-page.tsx'), 'SignInPage'),
});

const signInLinkRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in/link/$secret',
  component: lazyRouteComponent(() => import('./session/sign-in-link-page.tsx'), 'SignInLinkPage'),
});

const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  beforeLoad: ({ context, location }) => requireUser(context, location.href),
  component: lazyRouteComponent(() => import('./shell/shell.tsx'), 'Shell'),
});

const homeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/overview' });
  },
});

const overviewRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/overview',
  validateSearch: readOverviewSearch,
  component: lazyRouteComponent(() => import('./overview/overview-page.tsx'), 'OverviewPage'),
});

const assistantsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/assistants',
  component: lazyRouteComponent(() => import('./assistants/assistants-page.tsx'), 'AssistantsPage'),
});

const newAssistantRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/assistants/new',
  validateSearch: readEditorSearch,
  component: lazyRouteComponent(() => import('./assistants/new-assistant-page.tsx'), 'NewAssistantPage'),
});

/** @throws notFound for an invalid id */
function parseId(text: string): number {
  if (!isUrlId(text)) throw notFound();
  return Number(text);
}

const assistantId = {
  parse: (params: { assistantId: string }) => ({ assistantId: parseId(params.assistantId) }),
  stringify: (params: { assistantId: number }) => ({ assistantId: String(params.assistantId) }),
};

const assistantRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/assistants/$assistantId',
  params: assistantId,
  validateSearch: readEditorSearch,
  component: lazyRouteComponent(() => import('./assistants/assistant-page.tsx'), 'AssistantPage'),
});

const talkRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/assistants/$assistantId/talk',
  params: assistantId,
  component: lazyRouteComponent(() => import('./talk/talk-page.tsx'), 'TalkPage'),
});

const knowledgeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/knowledge',
  component: lazyRouteComponent(() => import('./knowledge/knowledge-page.tsx'), 'KnowledgePage'),
});

const knowledgeBaseRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/knowledge/$knowledgebaseId',
  params: {
    parse: (params: { knowledgebaseId: string }) => ({ knowledgebaseId: parseId(params.knowledgebaseId) }),
    stringify: (params: { knowledgebaseId: number }) => ({ knowledgebaseId: String(params.knowledgebaseId) }),
  },
  component: lazyRouteComponent(() => import('./knowledge/knowledge-base-page.tsx'), 'KnowledgeBasePage'),
});

const evaluationsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/evaluations',
  component: lazyRouteComponent(() => import('./evaluations/evaluations-page.tsx'), 'EvaluationsPage'),
});

const suiteRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/evaluations/$suiteId',
  params: {
    parse: (params: { suiteId: string }) => ({ suiteId: parseId(params.suiteId) }),
    stringify: (params: { suiteId: number }) => ({ suiteId: String(params.suiteId) }),
  },
  component: lazyRouteComponent(() => import('./evaluations/suite-page.tsx'), 'SuitePage'),
});

const suiteRunRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/evaluations/runs/$runId',
  params: {
    parse: (params: { runId: string }) => ({ runId: parseId(params.runId) }),
    stringify: (params: { runId: number }) => ({ runId: String(params.runId) }),
  },
  component: lazyRouteComponent(() => import('./evaluations/run-page.tsx'), 'RunPage'),
});

const callsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/calls',
  validateSearch: readCallSearch,
  component: lazyRouteComponent(() => import('./calls/calls-page.tsx'), 'CallsPage'),
});

const callRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/calls/$callId',
  params: {
    parse: (params: { callId: string }) => ({ callId: parseId(params.callId) }),
    stringify: (params: { callId: number }) => ({ callId: String(params.callId) }),
  },
  component: lazyRouteComponent(() => import('./calls/call-page.tsx'), 'CallPage'),
});

const conversationsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/conversations',
  validateSearch: readConversationSearch,
  component: lazyRouteComponent(() => import('./conversations/conversations-page.tsx'), 'ConversationsPage'),
});

const conversationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/conversations/$conversationId',
  component: lazyRouteComponent(() => import('./conversations/conversation-page.tsx'), 'ConversationPage'),
});

const campaignsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/campaigns',
  component: lazyRouteComponent(() => import('./campaigns/campaigns-page.tsx'), 'CampaignsPage'),
});

const campaignRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/campaigns/$campaignId',
  params: {
    parse: (params: { campaignId: string }) => ({ campaignId: parseId(params.campaignId) }),
    stringify: (params: { campaignId: number }) => ({ campaignId: String(params.campaignId) }),
  },
  component: lazyRouteComponent(() => import('./campaigns/campaign-page.tsx'), 'CampaignPage'),
});

const importRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/campaigns/$campaignId/import',
  params: {
    parse: (params: { campaignId: string }) => ({ campaignId: parseId(params.campaignId) }),
    stringify: (params: { campaignId: number }) => ({ campaignId: String(params.campaignId) }),
  },
  component: lazyRouteComponent(() => import('./imports/import-page.tsx'), 'ImportPage'),
});

const leadsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/leads',
  validateSearch: readLeadSearch,
  component: lazyRouteComponent(() => import('./leads/leads-page.tsx'), 'LeadsPage'),
});

const leadRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/leads/$leadId',
  params: {
    parse: (params: { leadId: string }) => ({ leadId: parseId(params.leadId) }),
    stringify: (params: { leadId: number }) => ({ leadId: String(params.leadId) }),
  },
  component: lazyRouteComponent(() => import('./leads/lead-page.tsx'), 'LeadPage'),
});

const providersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/providers',
  component: lazyRouteComponent(() => import('./providers/providers-page.tsx'), 'ProvidersPage'),
});

const trunksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/trunks',
  component: lazyRouteComponent(() => import('./trunks/trunks-page.tsx'), 'TrunksPage'),
});

const pricesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/prices',
  component: lazyRouteComponent(() => import('./prices/prices-page.tsx'), 'PricesPage'),
});

const fraudProtectionRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/fraud-protection',
  component: lazyRouteComponent(
    () => import('./fraud-protection/fraud-protection-page.tsx'),
    'FraudProtectionPage',
  ),
});

const retentionRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/retention',
  component: lazyRouteComponent(() => import('./retention/retention-page.tsx'), 'RetentionPage'),
});

const consentsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/consents',
  component: lazyRouteComponent(() => import('./consents/consents-page.tsx'), 'ConsentsPage'),
});

const doNotCallRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/do-not-call',
  component: lazyRouteComponent(() => import('./do-not-call/do-not-call-page.tsx'), 'DoNotCallPage'),
});

const tokensRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/tokens',
  component: lazyRouteComponent(() => import('./tokens/tokens-page.tsx'), 'TokensPage'),
});

const webhooksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/webhooks',
  validateSearch: readDeliverySearch,
  component: lazyRouteComponent(() => import('./webhooks/webhooks-page.tsx'), 'WebhooksPage'),
});

const deliveryRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/webhooks/$deliveryId',
  component: lazyRouteComponent(() => import('./webhooks/delivery-page.tsx'), 'DeliveryPage'),
});

const accountRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/account',
  component: lazyRouteComponent(() => import('./account/account-page.tsx'), 'AccountPage'),
});

const auditLogRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/audit-log',
  component: lazyRouteComponent(() => import('./audit-log/audit-log-page.tsx'), 'AuditLogPage'),
});

const apiLogRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/api-log',
  validateSearch: readApiLogSearch,
  component: lazyRouteComponent(() => import('./api-log/api-log-page.tsx'), 'ApiLogPage'),
});

const usersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/users',
  component: lazyRouteComponent(() => import('./users/users-page.tsx'), 'UsersPage'),
});

const routeTree = rootRoute.addChildren([
  signInRoute,
  signInLinkRoute,
  shellRoute.addChildren([
    homeRoute,
    overviewRoute,
    assistantsRoute,
    newAssistantRoute,
    assistantRoute,
    talkRoute,
    knowledgeRoute,
    knowledgeBaseRoute,
    evaluationsRoute,
    suiteRoute,
    suiteRunRoute,
    callsRoute,
    callRoute,
    conversationsRoute,
    conversationRoute,
    campaignsRoute,
    campaignRoute,
    importRoute,
    leadsRoute,
    leadRoute,
    consentsRoute,
    doNotCallRoute,
    webhooksRoute,
    deliveryRoute,
    providersRoute,
    trunksRoute,
    pricesRoute,
    fraudProtectionRoute,
    retentionRoute,
    tokensRoute,
    accountRoute,
    usersRoute,
    auditLogRoute,
    apiLogRoute,
  ]),
]);

/** Builds the router for one client. */
export function createAdminRouter(client: AdminClient) {
  return createRouter({
    routeTree,
    basepath: '/admin',
    context: client,
    defaultPreload: 'intent',
    defaultPendingMs: 300,
    defaultPendingComponent: PagePending,
    defaultErrorComponent: PageFailure,
    defaultNotFoundComponent: PageMissing,
    scrollRestoration: true,
  });
}

/** The router's type, with every address and its parameters. */
export type AdminRouter = ReturnType<typeof createAdminRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: AdminRouter;
  }
}
