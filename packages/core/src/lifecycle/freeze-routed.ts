/** The configuration of an inbound call, by what the route of its number does with it. */
import type { StoredRouteAction, Tx } from '@parley/db';
import { freezeConfiguration, type CallConfiguration } from '../calls/call-configuration.ts';
import { assistantsOf } from './inbound-route.rules.ts';

type Answered = Exclude<StoredRouteAction, { type: 'reject' }>;

/** @returns null when no active assistant can answer, or when the action refuses the call */
export async function freezeRouted(
  tx: Tx,
  userId: number,
  action: StoredRouteAction,
): Promise<CallConfiguration | null> {
  if (action.type === 'reject') return null;
  const [assistantId = 0, ...menuAssistantIds] = assistantsOf(action);
  const configuration = await freezeConfiguration(tx, { assistantId, userId, menuAssistantIds });
  return configuration?.assistant.status === 'active' ? answeredBy(configuration, action) : null;
}

function answeredBy(configuration: CallConfiguration, action: Answered): CallConfiguration {
  switch (action.type) {
    case 'assistant':
      return configuration;
    case 'message': {
      const { text } = action;
      return { ...withoutConversation(configuration), answering: { type: 'message', text } };
    }
    case 'voicemail': {
      const { text, maxSeconds } = action;
      const quiet = withoutConversation(configuration);
      // The recording is the message: it is complete at the hang-up, as it was received.
      const assistant = { ...quiet.assistant, isRecorded: true, isNoiseCancelled: false };
      return { ...quiet, assistant, answering: { type: 'voicemail', text, maxSeconds } };
    }
    case 'menu':
      return withMenu(configuration, action);
    case 'stream': {
      const { url, parameters, onFailure } = action;
      return { ...configuration, answering: { type: 'stream', url, parameters, onFailure } };
    }
  }
}

/** The assistant only speaks the text: it uses no tools, and nothing is evaluated. */
function withoutConversation({ others: _others, ...first }: CallConfiguration): CallConfiguration {
  return { ...first, assistant: { ...first.assistant, tools: [], isPostCallEvaluated: false } };
}

/** Assistants that are not active any more cannot be chosen. Without a choice, the assistant that would speak answers. */
function withMenu(
  configuration: CallConfiguration,
  { text, choices }: Extract<Answered, { type: 'menu' }>,
): CallConfiguration {
  const { others = [] } = configuration;
  const reachable = new Set([configuration, ...others].map(({ assistant }) => assistant.id));
  const offered = choices.filter(({ assistantId }) => reachable.has(assistantId));
  if (offered.length === 0) return configuration;
  return { ...configuration, answering: { type: 'menu', text, choices: offered } };
}
