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
import { readAuditLogSearch } from './audit-log/audit-log-search.rules.ts';
import { readEditorSearch } from './assistants/editor/editor-search.rules.ts';
import { readCallSearch } from './calls/call-search.rules.ts';
import { readConversationSearch } from './conversations/conversation-search.rules.ts';
import { readLeadSearch } from './leads/lead-search.rules.ts';
import type { AdminClient } from './client/admin-client.ts';
import { onceReachable } from './client/once-reachable.ts';
import { isUrlId } from './client/url-id.rules.ts';
import { readOverviewSearch } from './overview/overview-search.rules.ts';
import { readDeliverySearch } from './webhooks/delivery-search.rules.ts';
import { loadOverview } from './overview/overview-queries.ts';
import { PAGES } from './page-imports.ts';
import { requireUser } from './session/require-user.ts';
import { Shell } from './shell/shell.tsx';
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
  component: lazyRouteComponent(onceReachable(PAGES['/sign-in']), 'SignInPage'),
});

const signInLinkRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in/link/$secret',
  component: lazyRouteComponent(onceReachable(PAGES['/sign-in/link/$secret']), 'SignInLinkPage'),
});

const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  beforeLoad: ({ context, location }) => requireUser(context, location.href),
  component: Shell,
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
  loaderDeps: ({ search: { days } }) => ({ days }),
  loader: ({ context, deps: { days } }) => loadOverview(context, days),
  component: lazyRouteComponent(onceReachable(PAGES['/overview']), 'OverviewPage'),
});

const assistantsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/assistants',
  component: lazyRouteComponent(onceReachable(PAGES['/assistants']), 'AssistantsPage'),
});

const newAssistantRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/assistants/new',
  validateSearch: readEditorSearch,
  component: lazyRouteComponent(onceReachable(PAGES['/assistants/new']), 'NewAssistantPage'),
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
  component: lazyRouteComponent(onceReachable(PAGES['/assistants/$assistantId']), 'AssistantPage'),
});

const talkRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/assistants/$assistantId/talk',
  params: assistantId,
  component: lazyRouteComponent(onceReachable(PAGES['/assistants/$assistantId/talk']), 'TalkPage'),
});

const knowledgeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/knowledge',
  component: lazyRouteComponent(onceReachable(PAGES['/knowledge']), 'KnowledgePage'),
});

const knowledgeBaseRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/knowledge/$knowledgebaseId',
  params: {
    parse: (params: { knowledgebaseId: string }) => ({ knowledgebaseId: parseId(params.knowledgebaseId) }),
    stringify: (params: { knowledgebaseId: number }) => ({ knowledgebaseId: String(params.knowledgebaseId) }),
  },
  component: lazyRouteComponent(onceReachable(PAGES['/knowledge/$knowledgebaseId']), 'KnowledgeBasePage'),
});

const evaluationsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/evaluations',
  component: lazyRouteComponent(onceReachable(PAGES['/evaluations']), 'EvaluationsPage'),
});

const suiteRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/evaluations/$suiteId',
  params: {
    parse: (params: { suiteId: string }) => ({ suiteId: parseId(params.suiteId) }),
    stringify: (params: { suiteId: number }) => ({ suiteId: String(params.suiteId) }),
  },
  component: lazyRouteComponent(onceReachable(PAGES['/evaluations/$suiteId']), 'SuitePage'),
});

const suiteRunRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/evaluations/runs/$runId',
  params: {
    parse: (params: { runId: string }) => ({ runId: parseId(params.runId) }),
    stringify: (params: { runId: number }) => ({ runId: String(params.runId) }),
  },
  component: lazyRouteComponent(onceReachable(PAGES['/evaluations/runs/$runId']), 'RunPage'),
});

const callsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/calls',
  validateSearch: readCallSearch,
  component: lazyRouteComponent(onceReachable(PAGES['/calls']), 'CallsPage'),
});

const callRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/calls/$callId',
  params: {
    parse: (params: { callId: string }) => ({ callId: parseId(params.callId) }),
    stringify: (params: { callId: number }) => ({ callId: String(params.callId) }),
  },
  component: lazyRouteComponent(onceReachable(PAGES['/calls/$callId']), 'CallPage'),
});

const conversationsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/conversations',
  validateSearch: readConversationSearch,
  component: lazyRouteComponent(onceReachable(PAGES['/conversations']), 'ConversationsPage'),
});

const conversationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/conversations/$conversationId',
  component: lazyRouteComponent(onceReachable(PAGES['/conversations/$conversationId']), 'ConversationPage'),
});

const campaignsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/campaigns',
  component: lazyRouteComponent(onceReachable(PAGES['/campaigns']), 'CampaignsPage'),
});

const campaignRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/campaigns/$campaignId',
  params: {
    parse: (params: { campaignId: string }) => ({ campaignId: parseId(params.campaignId) }),
    stringify: (params: { campaignId: number }) => ({ campaignId: String(params.campaignId) }),
  },
  component: lazyRouteComponent(onceReachable(PAGES['/campaigns/$campaignId']), 'CampaignPage'),
});

const importRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/campaigns/$campaignId/import',
  params: {
    parse: (params: { campaignId: string }) => ({ campaignId: parseId(params.campaignId) }),
    stringify: (params: { campaignId: number }) => ({ campaignId: String(params.campaignId) }),
  },
  component: lazyRouteComponent(onceReachable(PAGES['/campaigns/$campaignId/import']), 'ImportPage'),
});

const leadsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/leads',
  validateSearch: readLeadSearch,
  component: lazyRouteComponent(onceReachable(PAGES['/leads']), 'LeadsPage'),
});

const leadRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/leads/$leadId',
  params: {
    parse: (params: { leadId: string }) => ({ leadId: parseId(params.leadId) }),
    stringify: (params: { leadId: number }) => ({ leadId: String(params.leadId) }),
  },
  component: lazyRouteComponent(onceReachable(PAGES['/leads/$leadId']), 'LeadPage'),
});

const providersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/providers',
  component: lazyRouteComponent(onceReachable(PAGES['/providers']), 'ProvidersPage'),
});

const trunksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/trunks',
  component: lazyRouteComponent(onceReachable(PAGES['/trunks']), 'TrunksPage'),
});

const pricesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/prices',
  component: lazyRouteComponent(onceReachable(PAGES['/prices']), 'PricesPage'),
});

const fraudProtectionRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/fraud-protection',
  component: lazyRouteComponent(onceReachable(PAGES['/fraud-protection']), 'FraudProtectionPage'),
});

const retentionRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/retention',
  component: lazyRouteComponent(onceReachable(PAGES['/retention']), 'RetentionPage'),
});

const consentsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/consents',
  component: lazyRouteComponent(onceReachable(PAGES['/consents']), 'ConsentsPage'),
});

const doNotCallRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/do-not-call',
  component: lazyRouteComponent(onceReachable(PAGES['/do-not-call']), 'DoNotCallPage'),
});

const tokensRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/tokens',
  component: lazyRouteComponent(onceReachable(PAGES['/tokens']), 'TokensPage'),
});

const webhooksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/webhooks',
  validateSearch: readDeliverySearch,
  component: lazyRouteComponent(onceReachable(PAGES['/webhooks']), 'WebhooksPage'),
});

const deliveryRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/webhooks/$deliveryId',
  component: lazyRouteComponent(onceReachable(PAGES['/webhooks/$deliveryId']), 'DeliveryPage'),
});

const accountRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/account',
  component: lazyRouteComponent(onceReachable(PAGES['/account']), 'AccountPage'),
});

const auditLogRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/audit-log',
  validateSearch: readAuditLogSearch,
  component: lazyRouteComponent(onceReachable(PAGES['/audit-log']), 'AuditLogPage'),
});

const apiLogRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/api-log',
  validateSearch: readApiLogSearch,
  component: lazyRouteComponent(onceReachable(PAGES['/api-log']), 'ApiLogPage'),
});

const usersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/users',
  component: lazyRouteComponent(onceReachable(PAGES['/users']), 'UsersPage'),
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
    // An address keeps only what the `validateSearch` of its routes returns.
    search: { strict: true },
  });
}

/** The router's type, with every address and its parameters. */
export type AdminRouter = ReturnType<typeof createAdminRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: AdminRouter;
  }
}
