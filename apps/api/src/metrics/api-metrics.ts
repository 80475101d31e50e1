/**
 * The metrics of this process: requests, calls, and the defaults for a Node process. Names and units follow OpenTelemetry
 * and Prometheus. Labels have few values, and never contain ids, numbers or addresses.
 */
import {
  countCalls,
  countRegistrations,
  listInboundRefusals,
  RECENT_SECONDS,
  type CallCounts,
  type CoreContext,
  type RecentConversations,
} from '@parley/core';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { ApiLog } from '../http/api-log.ts';
import type { RequestObserver } from '../http/request-facts.ts';

/** The registry and its inputs. */
export interface ApiMetrics {
  observe: RequestObserver;
  contentType: string;
  /** The current values in Prometheus's text format. */
  text(): Promise<string>;
}

/** The buckets that OpenTelemetry recommends for this histogram, seconds. */
const SECONDS_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** The sampling interval of event loop delay, milliseconds. Each sample wakes the process. */
const EVENT_LOOP_LOOK_MS = 100;

/** Starts measuring; queries the database only when the metrics are read. */
export function createApiMetrics(core: CoreContext, apiLog: Pick<ApiLog, 'dropped'>): ApiMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_LOOK_MS });
  const gauges = createCallGauges(registry);
  countDropped(registry, apiLog);
  return {
    observe: createObserver(registry),
    contentType: registry.contentType,
    async text() {
      await gauges.read(core);
      return registry.metrics();
    },
  };
}

function countDropped(registry: Registry, apiLog: Pick<ApiLog, 'dropped'>): void {
  const dropped = new Counter({
    name: 'parley_api_log_dropped_requests_total',
    help: 'Requests of API tokens that are missing from the API log, because the database did not store them in time.',
    registers: [registry],
    collect() {
      dropped.reset();
      dropped.inc(apiLog.dropped);
    },
  });
}

function createObserver(registry: Registry): RequestObserver {
  const durations = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer.',
    labelNames: ['http_request_method', 'http_route', 'http_response_status_code'],
    buckets: SECONDS_BUCKETS,
    registers: [registry],
  });
  return ({ method, route, status, durationMs }) => {
    const labels = {
      http_request_method: method,
      http_route: route,
      http_response_status_code: status,
    };
    durations.observe(labels, durationMs / 1000);
  };
}

function createCallGauges(registry: Registry) {
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['type', 'status', 'outcome'], registers: [registry] });
  const live = gauge('parley_live_calls', 'Calls from dial to hang-up, in the whole installation.');
  const recent = gauge(
    'parley_recent_calls',
    `Calls that changed within the last ${RECENT_SECONDS} seconds, by current status and outcome, in the whole installation.`,
  );
  const refused = new Gauge({
    name: 'parley_refused_inbound_calls',
    help: 'Inbound calls that were refused since the installation was set up, by reason.',
    labelNames: ['reason'],
    registers: [registry],
  });
  const registrations = new Gauge({
    name: 'parley_trunk_registrations',
    help: 'Trunks that register at a PBX or carrier, by the state of the registration.',
    labelNames: ['state'],
    registers: [registry],
  });
  const conversations = createConversationGauges(registry);
  const isUp = new Gauge({
    name: 'parley_database_up',
    help: '1 if the database answered, otherwise 0; then the metrics of calls are absent.',
    registers: [registry],
  });
  return {
    /** Without a database the other metrics are still available, because that is when they are needed. */
    async read(core: CoreContext): Promise<void> {
      const counts = await countCalls(core).catch(() => null);
      isUp.set(counts === null ? 0 : 1);
      fill(live, counts?.live ?? []);
      fill(recent, counts?.recent ?? []);
      refused.reset();
      const refusals = counts === null ? [] : await listInboundRefusals(core).catch(() => []);
      for (const { reason, count } of refusals) refused.set({ reason }, count);
      registrations.reset();
      const states = counts === null ? [] : await countRegistrations(core).catch(() => []);
      for (const { state, count } of states) registrations.set({ state }, count);
      conversations.set(counts?.conversations ?? null);
    },
  };
}

const RECENT_CONVERSATIONS = `in conversations that ended within the last ${RECENT_SECONDS} seconds, in the whole installation.`;

/** What went wrong in conversations. */
function createConversationGauges(registry: Registry) {
  const gauge = (name: string, help: string) =>
    new Gauge({ name: `parley_recent_${name}`, help, registers: [registry] });
  const gauges: Record<keyof RecentConversations, Gauge> = {
    count: gauge('conversations', `Conversations that ended within the last ${RECENT_SECONDS} seconds.`),
    unansweredTurns: gauge(
      'unanswered_turns',
      `Turns of customers without an answer ${RECENT_CONVERSATIONS}`,
    ),
    falseInterruptions: gauge(
      'false_interruptions',
      `Times that the assistant paused for speech that was no interruption ${RECENT_CONVERSATIONS}`,
    ),
    timesTalkedOver: gauge(
      'times_talked_over',
      `Times that both sides spoke at once for a second or more ${RECENT_CONVERSATIONS}`,
    ),
    longestSilenceSeconds: gauge('longest_silence_seconds', `The longest silence ${RECENT_CONVERSATIONS}`),
  };
  return {
    /** @param values - null: unknown, so that the metrics are absent */
    set(values: RecentConversations | null): void {
      for (const name of Object.keys(gauges) as (keyof RecentConversations)[]) {
        if (values === null) gauges[name].remove();
        else gauges[name].set(values[name]);
      }
    },
  };
}

type CallLabel = 'type' | 'status' | 'outcome';

/** A call that has not ended has no outcome, and no label for it. */
function fill(gauge: Gauge<CallLabel>, counts: CallCounts['live' | 'recent']): void {
  gauge.reset();
  for (const { count, ...labels } of counts) {
    const { outcome, ...same } = { outcome: null, ...labels };
    gauge.set(outcome === null ? same : { ...same, outcome }, count);
  }
}
