/**
 * Composes the api: Express for HTTP requests, and the two WebSockets. `start` listens; `stop` lets running requests
 * finish.
 */
import type { IncomingMessage, Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { errorText } from '@parley/contracts';
import { retentionDaysOf, type CoreContext, type RetentionDays, type RetentionSettings } from '@parley/core';
import { createHealthCheck, createLimitedServer, networkOf, type Service } from '@parley/runtime';
import express, { type Express } from 'express';
import { createAdminPages } from './admin-pages.ts';
import { CallFeed } from './call-feed.ts';
import { CARRIER_REQUESTS_PER_MINUTE, createCarrierCalls } from './carriers/carrier-calls.ts';
import { createDiagnoseTrunk, type DiagnoseTrunk } from './diagnose-trunk.ts';
import { createDocsPages } from './docs/docs-pages.ts';
import { ApiLog } from './http/api-log.ts';
import { dropLeadingSlashes } from './http/api-path.ts';
import { createAuthentication } from './http/authenticate.ts';
import { BodyBudget } from './http/body-budget.ts';
import { limitBodyTime } from './http/body-time.ts';
import { answerClientErrors } from './http/client-errors.ts';
import { compressAnswers } from './http/compress.ts';
import { allowOrigins } from './http/cross-origin.ts';
import { createErrorHandler } from './http/error-handler.ts';
import { createRateLimit, requireAllowance, type RateLimit } from './http/rate-limit.ts';
import { observeRequests } from './http/request-facts.ts';
import { createOriginReader, type OriginReader } from './http/request-origin.ts';
import { createRequestLog } from './http/request-log.ts';
import { securityHeaders } from './http/security-headers.ts';
import { SharedWindows } from './http/shared-windows.ts';
import { createApiMetrics, type ApiMetrics } from './metrics/api-metrics.ts';
import { createMetricsEndpoint } from './metrics/metrics-endpoint.ts';
import { refusal } from './http-errors.ts';
import { mountMcp } from './mcp/mount-mcp.ts';
import { createDocumentFiles } from './document-files.ts';
import { createCallFiles } from './call-files.ts';
import { createPhraseSounds } from './phrase-sounds.ts';
import { createDoNotCallFiles } from './do-not-call-files.ts';
import { createLeadFiles } from './lead-files.ts';
import { createRecordings } from './recordings.ts';
import { folderHandlers, labelHandlers } from './rest/assistant-groups.ts';
import { createVoiceAsker } from './rest/ask-voice.ts';
import { assistantHandlers } from './rest/assistants.ts';
import { createCallHandlers } from './rest/calls.ts';
import { campaignHandlers } from './rest/campaigns.ts';
import { documentHandlers, knowledgebaseHandlers } from './rest/knowledgebases.ts';
import { leadImportHandlers } from './rest/lead-imports.ts';
import { leadHandlers } from './rest/leads.ts';
import { lookupHandlers } from './rest/lookups.ts';
import type { AllHandlers } from './rest/handlers.ts';
import { mountRest } from './rest/mount.ts';
import { assistantVersionHandlers } from './rest/assistant-versions.ts';
import { apiLogHandlers } from './rest/api-log.ts';
import { auditLogHandlers } from './rest/audit-log.ts';
import { peopleHandlers } from './rest/people.ts';
import { carrierAccountHandlers } from './rest/carrier-accounts.ts';
import { smsHandlers } from './rest/sms.ts';
import { consentHandlers } from './rest/consents.ts';
import { doNotCallHandlers } from './rest/do-not-call.ts';
import { phoneNumberHandlers } from './rest/phone-numbers.ts';
import { priceHandlers } from './rest/prices.ts';
import { suiteHandlers, suiteRunHandlers } from './rest/suites.ts';
import { toolHandlers } from './rest/tools.ts';
import type { VoiceAccess } from './voice-access.ts';
import { providerHandlers } from './rest/providers.ts';
import { recordedPhraseHandlers } from './rest/recorded-phrases.ts';
import { createSipTrunkHandlers } from './rest/sip-trunks.ts';
import { tokenHandlers } from './rest/tokens.ts';
import { userHandlers } from './rest/users.ts';
import { webhookDeliveryHandlers, webhookSecretHandlers } from './rest/webhook-deliveries.ts';
import { writtenConversationHandlers } from './rest/written-conversations.ts';
import { webhookEndpointHandlers } from './rest/webhook-endpoints.ts';
import { requireSession } from './session-only.ts';
import { SessionWatch } from './session-watch.ts';
import type { ApiSettings } from './settings.ts';
import { SocketUpgrades } from './socket-upgrades.ts';
import { createSuperviseCall, type SuperviseCall } from './supervise-call.ts';
import { createTrpcSockets, mountTrpc } from './trpc/mount.ts';
import {
  createWidgetPages,
  WIDGET_CALLS_PER_MINUTE,
  WIDGET_REQUESTS_PER_MINUTE,
  type WidgetLimits,
} from './widget/widget-pages.ts';

/** The settings that the app uses. */
export type AppSettings = Pick<
  ApiSettings,
  'HOST' | 'PORT' | 'RATE_LIMIT' | 'TRUST_PROXY' | 'ADMIN_DIR' | 'INTERNAL_SECRET' | keyof RetentionSettings
> &
  Partial<Pick<ApiSettings, 'VOICE_URL' | 'METRICS_TOKEN' | 'CORS_ORIGINS'>>;

/** The parts of the app. */
export interface AppOptions {
  core: CoreContext;
  settings: AppSettings;
  /** Checks every answer against its schema; for tests. */
  isCheckingAnswers?: boolean;
}

/** The whole api as a service. */
export interface ApiApp extends Service {
  /** The address of the listening socket; null before and after. */
  address(): AddressInfo | null;
}

/** How long running requests may take after a stop, milliseconds. */
const FINISH_LIMIT_MS = 10_000;

/** How many tokens of a member may reach their rate limit at the same time. */
const MEMBER_TOKENS_AT_LIMIT = 10;

/** Each takes a connection to a server of the user for up to 30 s. */
const TOOL_TRIALS_PER_MINUTE = 10;

/** Builds the app; it listens after `start`. */
export function createApp(options: AppOptions): ApiApp {
  const { core, settings } = options;
  const feed = new CallFeed(core);
  const windows = new SharedWindows(core);
  const apiLog = new ApiLog(core);
  const rateLimit = createRateLimit('requests', settings.RATE_LIMIT, windows);
  const diagnoseTrunk = createDiagnoseTrunk(voiceAccess(settings), windows);
  const toolTrials = createRateLimit('tool trials', TOOL_TRIALS_PER_MINUTE, windows);
  const superviseCall = createSuperviseCall(settings.INTERNAL_SECRET);
  const retention = retentionDaysOf(settings);
  const parts = { feed, rateLimit, diagnoseTrunk, superviseCall, toolTrials, retention };
  const limits = {
    widgetRequests: createRateLimit('widget requests', WIDGET_REQUESTS_PER_MINUTE, windows),
    widgetCalls: createRateLimit('widget calls', WIDGET_CALLS_PER_MINUTE, windows),
    carrierRequests: createRateLimit('carrier requests', CARRIER_REQUESTS_PER_MINUTE, windows),
  };
  const sessions = new SessionWatch(core);
  const sockets = createTrpcSockets({ core, sessions, ...parts });
  const life = { isStopping: false };
  const app = createExpress(options, { ...parts, life, windows, apiLog, limits });
  // Uploads may take long; body-time.ts limits all other bodies.
  const server = createLimitedServer(app, { requestMs: 0 });
  answerClientErrors(server, core.clock);
  const { INTERNAL_SECRET: internalSecret, VOICE_URL: voiceUrl } = settings;
  const upgrades = new SocketUpgrades({
    app,
    limits: { ...limits, requests: rateLimit },
    sockets,
    proxy: { core, sessions, internalSecret, voiceUrl },
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    upgrades.take(request, socket, head);
  });

  return {
    async start() {
      server.listen(settings.PORT, settings.HOST);
      await once(server, 'listening');
      core.log.info({ address: server.address() }, 'The api listens');
    },
    async stop() {
      life.isStopping = true;
      await Promise.all([feed.stop(), sockets.stop()]);
      upgrades.close();
      await closeServer(server, core);
      await Promise.all([windows.stop(), apiLog.stop(), sessions.stop()]);
    },
    address: () => server.address() as AddressInfo | null,
  };
}

interface Parts {
  feed: CallFeed;
  rateLimit: RateLimit;
  windows: SharedWindows;
  apiLog: ApiLog;
  limits: WidgetLimits & { carrierRequests: RateLimit };
  diagnoseTrunk: DiagnoseTrunk;
  superviseCall: SuperviseCall;
  toolTrials: RateLimit;
  retention: RetentionDays;
  life: { isStopping: boolean };
}

/** The endpoints of the contract come first, everything else after them. */
function createExpress(options: AppOptions, parts: Parts): Express {
  const { core, settings, isCheckingAnswers = false } = options;
  const metrics = createApiMetrics(core, parts.apiLog);
  const originOf = createOriginReader(core.publicUrl);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', settings.TRUST_PROXY === '' ? false : settings.TRUST_PROXY);
  app.use(observeRequests(core.clock, [createRequestLog(core.log), metrics.observe, parts.apiLog.observe]));
  app.use(dropLeadingSlashes);
  app.use(securityHeaders(core.publicUrl?.startsWith('https:') ?? false));
  app.use(allowOrigins(settings.CORS_ORIGINS ?? []));
  app.use(compressAnswers());
  app.use(limitBodyTime(core.clock));
  const handlers = createHandlers(options, parts);
  const memberLimit = createRateLimit(
    'requests of members',
    settings.RATE_LIMIT * MEMBER_TOKENS_AT_LIMIT,
    parts.windows,
  );
  const authenticate = createAuthentication(core, parts.rateLimit, memberLimit);
  const bodies = new BodyBudget();
  mountRest(app, { core, handlers, authenticate, originOf, bodies, isCheckingAnswers });
  mountMcp(app, { core, handlers, authenticate, originOf, bodies });
  mountOthers(app, options, { ...parts, bodies, metrics, originOf });
  return app;
}

function voiceAccess(settings: AppSettings): VoiceAccess {
  return { internalSecret: settings.INTERNAL_SECRET, voiceUrl: settings.VOICE_URL };
}

function createHandlers({ settings }: AppOptions, { feed, windows, diagnoseTrunk }: Parts): AllHandlers {
  const voice = createVoiceAsker(voiceAccess(settings), windows);
  return {
    ...HANDLERS,
    assistants: assistantHandlers(voice),
    calls: createCallHandlers(feed, voice),
    writtenConversations: writtenConversationHandlers(voice),
    sipTrunks: createSipTrunkHandlers(diagnoseTrunk),
  };
}

const HANDLERS: Omit<AllHandlers, 'assistants' | 'calls' | 'sipTrunks' | 'writtenConversations'> = {
  assistantVersions: assistantVersionHandlers,
  recordedPhrases: recordedPhraseHandlers,
  folders: folderHandlers,
  labels: labelHandlers,
  tools: toolHandlers,
  knowledgebases: knowledgebaseHandlers,
  documents: documentHandlers,
  lookups: lookupHandlers,
  leads: leadHandlers,
  leadImports: leadImportHandlers,
  campaigns: campaignHandlers,
  users: userHandlers,
  tokens: tokenHandlers,
  phoneNumbers: phoneNumberHandlers,
  carrierAccounts: carrierAccountHandlers,
  sms: smsHandlers,
  providers: providerHandlers,
  prices: priceHandlers,
  doNotCall: doNotCallHandlers,
  consents: consentHandlers,
  auditLog: auditLogHandlers,
  apiLog: apiLogHandlers,
  people: peopleHandlers,
  suites: suiteHandlers,
  suiteRuns: suiteRunHandlers,
  webhookDeliveries: webhookDeliveryHandlers,
  webhookSecrets: webhookSecretHandlers,
  webhookEndpoints: webhookEndpointHandlers,
};

function mountOthers(
  app: Express,
  { core, settings }: AppOptions,
  {
    life,
    metrics,
    originOf,
    ...parts
  }: Parts & {
    metrics: ApiMetrics;
    originOf: OriginReader;
    bodies: BodyBudget;
  },
): void {
  app.get('/livez', (_request, response) => response.json({ status: 'ok' }));
  const askHealth = createHealthCheck(
    {
      database: () => core.db.ping().then(() => null),
      process: () => (life.isStopping ? 'stopping' : null),
    },
    core,
  );
  app.get('/readyz', (_request, response, next) => {
    askHealth().then((report) => response.status(report.status === 'ok' ? 200 : 503).json(report), next);
  });
  app.use(createMetricsEndpoint(metrics, settings.METRICS_TOKEN));
  app.use(createDocsPages(originOf));
  app.use(createRecordings(core));
  const signedIn = requireSession(core, parts.rateLimit);
  app.use(createDocumentFiles(core, signedIn));
  app.use(createPhraseSounds(core, signedIn));
  app.use(createLeadFiles(core, signedIn));
  app.use(createCallFiles(core, signedIn));
  app.use(createDoNotCallFiles(core, signedIn));
  mountTrpc(app, { core, originOf, ...parts });
  const { INTERNAL_SECRET: internalSecret } = settings;
  app.use(createCarrierCalls({ core, requests: parts.limits.carrierRequests, internalSecret }));
  app.use(createWidgetPages(core, { adminDirectory: settings.ADMIN_DIR, limits: parts.limits }));
  app.use(createAdminPages(settings.ADMIN_DIR));
  app.use((request) => {
    requireAllowance(parts.rateLimit.count(`unknown paths of ${networkOf(request.ip ?? '')}`));
    throw refusal(404, errorText.notFound);
  });
  app.use(createErrorHandler(core.log));
}

async function closeServer(server: Server, core: CoreContext): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  const timer = core.clock.after(FINISH_LIMIT_MS, () => server.closeAllConnections());
  await closed;
  timer.cancel();
}
