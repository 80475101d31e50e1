/**
 * Asks the person on the second leg of a warm transfer whether they take the call: a conversation of its own, in the voice
 * of the assistant, with the same recognition, detection of answering machines and fallbacks as every conversation.
 */
import {
  createConversation,
  type Conversation,
  type ConversationEvent,
  type ConversationSettings,
} from '@parley/conversation';
import type { AssistantForVoice, CallForVoice } from '@parley/core';
import type { BackgroundWork, Log } from '@parley/runtime';
import { FLITE_VOICES } from '@parley/speech';
import type { CallLeg, MediaPort } from '@parley/telephony';
import type { PersonQuestion, PersonVerdict } from '../bridge/call-bridge.ts';
import { conversationSettings } from '../conversation-settings.ts';
import type { CallEngines } from '../engines.ts';
import type { WarmTransferTool } from '../tools/transfer-description.rules.ts';
import type { VoiceContext } from '../voice-context.ts';
import { createAnswerModel, DECISION } from './answer-model.ts';

/** What a question needs. */
export interface AskPersonOptions {
  voice: Pick<VoiceContext, 'core' | 'engines'>;
  call: CallForVoice;
  /** The assistant that asks. */
  speaker: AssistantForVoice;
  /** The usage of the whole call: what is used for the question is charged with it. */
  usage: CallEngines['usage'];
  log: Log;
  background: BackgroundWork;
  tool: WarmTransferTool;
  /** Who is calling and why, and how to answer. */
  announcement: string;
  person: Pick<CallLeg, 'media'>;
}

/** How long the person may be silent before the announcement is repeated, seconds. */
const REPEAT_AFTER_SECONDS = 6;
/** How long to wait for a person who speaks when answering, seconds. */
const GREETING_DELAY_SECONDS = 1;

/**
 * Prepares the announcement; it is spoken once the person has answered.
 *
 * @throws SpeechError when the voice of the assistant is unavailable
 */
export function askPerson(options: AskPersonOptions): PersonQuestion {
  const { voice, call, speaker, usage, log, background, tool, announcement, person } = options;
  const model = createAnswerModel(tool, announcement);
  const engines = voice.engines.forPerson(
    { ...speaker, type: call.type, trunk: call.trunk },
    { usage, model },
  );
  const { promise: verdict, resolve } = Promise.withResolvers<PersonVerdict>();
  const decide = (found: PersonVerdict): void => {
    resolve(found);
    conversation.lineEnded();
  };
  const conversation: Conversation = createConversation({
    line: lineOf(person.media),
    clock: voice.core.clock,
    log,
    settings: personSettings(options),
    onEvent: (event) => event.type === 'hang-up' && decide(verdictOf(event, conversation.notes())),
    ...engines,
  });
  background.start('prepare the announcement', () => conversation.prepare());
  background.start('release what asked a person', async () => {
    await conversation.finished;
    engines.release();
  });
  return {
    verdict,
    answered: () => conversation.start(),
    dtmf: (digit) => conversation.dtmf(digit),
    hold: (isHeld) => conversation.hold(isHeld),
    end: () => decide('hung_up'),
  };
}

function verdictOf(
  { by, reason }: Extract<ConversationEvent, { type: 'hang-up' }>,
  notes: Readonly<Record<string, string>>,
): PersonVerdict {
  if (by === 'assistant' && reason === 'end_call')
    return notes[DECISION] === 'accepted' ? 'accepted' : 'declined';
  if (reason === 'voicemail') return 'machine';
  return by === 'limit' ? 'no_decision' : 'failed';
}

function personSettings({ call, speaker, tool, announcement }: AskPersonOptions): ConversationSettings {
  const stage = { speaker, reachable: [], isHandedOver: false, serverTools: [] };
  const isMultimodal = speaker.assistant.mode === 'multimodal';
  return {
    ...conversationSettings(call, stage),
    disclosureMessage: '',
    initialMessage: announcement,
    systemPrompt: '',
    whoSpeaksFirst: 'assistant',
    greetingDelaySeconds: GREETING_DELAY_SECONDS,
    // A person who speaks over the announcement has not heard how to answer. Keys do interrupt it.
    isGreetingInterruptible: false,
    fillers: null,
    reEngagementIntervalSeconds: REPEAT_AFTER_SECONDS,
    maxSilenceSeconds: tool.acceptTimeoutSeconds,
    maxCallSeconds: tool.acceptTimeoutSeconds,
    onMachine: 'hang-up',
    hearsOptOut: false,
    optOutKey: null,
    tools: [{ type: 'end_call', description: null }],
    variables: {},
    ...(isMultimodal && { voice: FLITE_VOICES[0] }),
  };
}

function lineOf(media: MediaPort): Parameters<typeof createConversation>[0]['line'] {
  return {
    sampleRateHz: media.sampleRateHz,
    frameSamples: media.frameSamples,
    onTick: (listener) => media.onTick(listener),
    play: (turn, samples) => media.play(turn, samples),
    pausePlayout: () => media.pausePlayout(),
    lowerPlayout: () => media.lowerPlayout(),
    resumePlayout: () => media.resumePlayout(),
    clear: () => media.clear(),
  };
}
