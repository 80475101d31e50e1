/** What the form of a number's route holds, and how it becomes the API's input. The server checks. */
import {
  menuKeys,
  type InboundAction,
  type InboundRouteRecord,
  type NewInboundRoute,
  type StreamTarget,
} from '@parley/contracts';

/** What a rule does; the fields of other types are kept while the form is open. */
export interface ActionDraft {
  type: InboundAction['type'];
  /** As text; empty: none is selected. */
  assistant_id: string;
  text: string;
  max_seconds: string;
  choices: { key: string; assistant_id: string }[];
  url: string;
  /** One `name=value` on each line. */
  parameters: string;
  on_failure: StreamTarget['on_failure'];
}

/** One rule. Names match the API, so that the server's messages reach their fields. */
export interface RuleDraft {
  days: InboundRouteRecord['rules'][number]['days'];
  from: string;
  until: string;
  /** Two letters each, separated by commas or spaces; empty: all callers. */
  caller_countries: string;
  action: ActionDraft;
}

/** The form. */
export interface RouteDraft {
  timezone: string;
  rules: RuleDraft[];
  otherwise: ActionDraft;
  queue: QueueDraft;
}

/** Numbers as text. What was written is kept while the form is open, also where the queue is off. */
interface QueueDraft {
  isOn: boolean;
  max_calls: string;
  max_waiting: string;
  max_wait_seconds: string;
  text: string;
  announce_every_seconds: string;
  overflow: ActionDraft;
}

/** What may happen to callers when the queue is full. */
export const overflowTypes: readonly InboundAction['type'][] = ['reject', 'message', 'voicemail'];

/** The kinds of actions in the order of the form. */
export const actionTypes: readonly InboundAction['type'][] = [
  'assistant',
  'message',
  'voicemail',
  'menu',
  'stream',
  'reject',
];

const DEFAULT_SECONDS = '120';

function emptyAction(type: ActionDraft['type'], assistantId: string): ActionDraft {
  const choices = menuKeys.slice(0, 2).map((key) => ({ key, assistant_id: '' }));
  const spoken = { text: '', max_seconds: DEFAULT_SECONDS, choices };
  return { type, assistant_id: assistantId, ...spoken, url: '', parameters: '', on_failure: 'assistant' };
}

function emptyQueue(assistantId: string): QueueDraft {
  return {
    isOn: false,
    max_calls: '5',
    max_waiting: '10',
    max_wait_seconds: '300',
    text: '',
    announce_every_seconds: '45',
    overflow: emptyAction('reject', assistantId),
  };
}

function queueDraft(queue: InboundRouteRecord['queue'], assistantId: string): QueueDraft {
  if (!queue) return emptyQueue(assistantId);
  return {
    isOn: true,
    max_calls: String(queue.max_calls),
    max_waiting: String(queue.max_waiting),
    max_wait_seconds: String(queue.max_wait_seconds),
    text: queue.text,
    announce_every_seconds: String(queue.announce_every_seconds),
    overflow: actionDraft(queue.overflow),
  };
}

function queueInput({ isOn, overflow, ...fields }: QueueDraft): object | null {
  return isOn ? { ...fields, overflow: actionInput(overflow) } : null;
}

/** Office hours of the assistant that answers now. */
export function emptyRule(assistantId: string): RuleDraft {
  return {
    days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
    from: '09:00',
    until: '17:00',
    caller_countries: '',
    action: emptyAction('assistant', assistantId),
  };
}

/** @param about - the assistant that answers now, empty for none, and the user's time zone */
export function routeDraft(
  route: InboundRouteRecord | null,
  { assistantId, timezone }: { assistantId: string; timezone: string },
): RouteDraft {
  if (!route)
    return {
      timezone,
      rules: [emptyRule(assistantId)],
      otherwise: emptyAction('voicemail', assistantId),
      queue: emptyQueue(assistantId),
    };
  return {
    timezone: route.timezone,
    rules: route.rules.map(({ days, from, until, caller_countries: countries, action }) => ({
      days,
      from: from.slice(0, 5),
      until: until.slice(0, 5),
      caller_countries: countries.join(', '),
      action: actionDraft(action),
    })),
    otherwise: actionDraft(route.otherwise),
    queue: queueDraft(route.queue, assistantId),
  };
}

function actionDraft(action: InboundAction): ActionDraft {
  const empty = emptyAction(action.type, 'assistant_id' in action ? String(action.assistant_id) : '');
  return {
    ...empty,
    ...('text' in action && { text: action.text }),
    ...(action.type === 'stream' && {
      url: action.url,
      parameters: action.parameters.map(({ name, value }) => `${name}=${value}`).join('\n'),
      on_failure: action.on_failure,
    }),
    ...('max_seconds' in action && { max_seconds: String(action.max_seconds) }),
    ...('choices' in action && {
      choices: action.choices.map(({ key, assistant_id: id }) => ({ key, assistant_id: String(id) })),
    }),
  };
}

/** The body of the request; what is missing or wrong is the server's to report. */
export function routeInput({ timezone, rules, otherwise, queue }: RouteDraft): NewInboundRoute {
  const input = {
    timezone,
    rules: rules.map(({ caller_countries: countries, action, ...hours }) => ({
      ...hours,
      caller_countries: countries
        .toUpperCase()
        .split(/[\s,;]+/)
        .filter(Boolean),
      action: actionInput(action),
    })),
    otherwise: actionInput(otherwise),
    queue: queueInput(queue),
  };
  // Texts of numbers are read by the server.
  return input as unknown as NewInboundRoute;
}

function actionInput({ type, assistant_id, ...fields }: ActionDraft): object {
  const { text, max_seconds, choices, url, parameters, on_failure } = fields;
  switch (type) {
    case 'reject':
      return { type };
    case 'assistant':
      return { type, assistant_id };
    case 'message':
      return { type, assistant_id, text };
    case 'voicemail':
      return { type, assistant_id, text, max_seconds };
    case 'menu':
      return { type, assistant_id, text, choices };
    case 'stream':
      return { type, assistant_id, url, parameters: parametersOf(parameters), on_failure };
  }
}

/** A line without `=` has no value. */
function parametersOf(text: string): { name: string; value: string }[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const [name = '', ...value] = line.split('=');
    return { name: name.trim(), value: value.join('=').trim() };
  });
}
