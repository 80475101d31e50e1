/** Translates the route of a phone number between the API and the database. */
import type { InboundAction, InboundQueue, InboundRouteRecord, NewInboundRoute } from '@parley/contracts';
import type { StoredQueue, StoredRoute, StoredRouteAction } from '@parley/db';
import { storedStream } from '../lookups/stored-stream.ts';

/** The stored form of a route. */
export function storedRoute({ timezone, rules, otherwise, queue }: NewInboundRoute): StoredRoute {
  return {
    timezone,
    rules: rules.map(({ caller_countries: callerCountries, action, ...hours }) => ({
      ...hours,
      callerCountries,
      action: storedAction(action),
    })),
    otherwise: storedAction(otherwise),
    queue: queue && storedQueue(queue),
  };
}

/** The record of a stored route. What was stored has passed the schema of the request. */
export function inboundRouteRecord({
  timezone,
  rules,
  otherwise,
  queue = null,
}: StoredRoute): InboundRouteRecord {
  return {
    timezone,
    rules: rules.map(({ callerCountries, action, days, ...hours }) => ({
      ...hours,
      days: days as InboundRouteRecord['rules'][number]['days'],
      caller_countries: callerCountries,
      action: actionRecord(action),
    })),
    otherwise: actionRecord(otherwise),
    queue: queue && queueRecord(queue),
  };
}

function storedQueue(queue: InboundQueue): StoredQueue {
  return {
    maxCalls: queue.max_calls,
    maxWaiting: queue.max_waiting,
    maxWaitSeconds: queue.max_wait_seconds,
    text: queue.text,
    announceEverySeconds: queue.announce_every_seconds,
    // The type of an action stays the same.
    overflow: storedAction(queue.overflow) as StoredQueue['overflow'],
  };
}

function queueRecord(queue: StoredQueue): InboundQueue {
  return {
    max_calls: queue.maxCalls,
    max_waiting: queue.maxWaiting,
    max_wait_seconds: queue.maxWaitSeconds,
    text: queue.text,
    announce_every_seconds: queue.announceEverySeconds,
    overflow: actionRecord(queue.overflow) as InboundQueue['overflow'],
  };
}

function storedAction(action: InboundAction): StoredRouteAction {
  if (action.type === 'reject') return { type: 'reject' };
  const { assistant_id: assistantId } = action;
  switch (action.type) {
    case 'assistant':
      return { type: 'assistant', assistantId };
    case 'message':
      return { type: 'message', assistantId, text: action.text };
    case 'voicemail':
      return { type: 'voicemail', assistantId, text: action.text, maxSeconds: action.max_seconds };
    case 'menu': {
      const choices = action.choices.map(({ key, assistant_id: id }) => ({ key, assistantId: id }));
      return { type: 'menu', assistantId, text: action.text, choices };
    }
    case 'stream':
      return { type: 'stream', assistantId, ...storedStream(action) };
  }
}

function actionRecord(action: StoredRouteAction): InboundAction {
  if (action.type === 'reject') return { type: 'reject' };
  const { assistantId: assistant_id } = action;
  switch (action.type) {
    case 'assistant':
      return { type: 'assistant', assistant_id };
    case 'message':
      return { type: 'message', assistant_id, text: action.text };
    case 'voicemail':
      return { type: 'voicemail', assistant_id, text: action.text, max_seconds: action.maxSeconds };
    case 'menu': {
      const choices = action.choices.map(({ key, assistantId: id }) => ({
        key: key as Extract<InboundAction, { type: 'menu' }>['choices'][number]['key'],
        assistant_id: id,
      }));
      return { type: 'menu', assistant_id, text: action.text, choices };
    }
    case 'stream': {
      const { url, parameters, onFailure: on_failure } = action;
      return { type: 'stream', assistant_id, url, parameters, on_failure };
    }
  }
}
