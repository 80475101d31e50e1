/**
 * Converts the assistant's settings into the numbers that the turn-taking rules use: seconds become milliseconds, and
 * values that would make a call impossible are raised to a minimum.
 */
import type { BargeInPolicy } from './barge-in.rules.ts';
import type { Answering, ConversationSettings } from '../conversation-settings.ts';
import type { EndpointPolicy } from '../recognition/endpointing.rules.ts';
import { shortestWait } from '../recognition/turn-end.rules.ts';
import type { QuietPolicy } from './quiet.rules.ts';

const INTERRUPT_FLOOR_MS = 100;
const ENDPOINT_FLOOR_MS = 200;
/** Silence after which a segment of speech is over. */
const SEGMENT_PAUSE_MS = 250;
/** How long before the earliest end of a turn a segment must be over. */
const SEGMENT_PAUSE_LEAD_MS = 100;
/** Silence after which a streaming recogniser is asked for a final. Consonants such as "t" are silent for less. */
const FINALISE_AFTER_MS = 100;
/** The time that a quick recogniser needs for a final, and the earliest sign of a pause: two windows. */
const FINAL_LEAD_MS = 150;
const EARLIEST_PAUSE_MS = 64;

/** The assistant's settings as the rules use them. */
export interface TurnPolicy extends BargeInPolicy, EndpointPolicy, QuietPolicy {
  /** What begins the conversation: the initial message, a reply of the model, or the caller. */
  opening: 'greeting' | 'reply' | 'caller';
  /** What follows the first message instead of a conversation; null: the assistant talks. */
  answering: Answering | null;
  /** There is a disclosure message, which precedes everything else that is said. */
  hasDisclosure: boolean;
  /** There is an initial message; it is also spoken if the caller should begin but stays silent. */
  hasGreeting: boolean;
  /** Silence after which the first message begins in a call that we placed; null in other conversations. */
  greetingDelayMs: number | null;
  canInterruptGreeting: boolean;
  /** False: speech over the assistant is recorded and does not stop it. */
  canInterrupt: boolean;
  /** Silence that ends a segment of speech, for {@link hearWindow}. */
  segmentPauseMs: number;
  /**
   * Silence after which the recogniser is asked for a final. A streaming recogniser is asked before the detector is sure of
   * a pause. Never longer than `segmentPauseMs`.
   */
  finaliseAfterMs: number;
  /** The owner enabled fillers. */
  areFillersOn: boolean;
  recogniser: RecogniserPolicy | null;
  /** A request not to be called again ends the call. */
  hearsOptOut: boolean;
  /** The key that is such a request; null for none. */
  optOutKey: string | null;
}

/** The properties of the recogniser that the rules use. */
interface RecogniserPolicy {
  finalWithinMs: number;
  isSemantic: boolean;
  /** Words are only for the record, because the model hears the caller itself. */
  isModel: boolean;
  /** How often a failing stream is replaced before the call ends: once, and once for each fallback. */
  reopenings: number;
}

/** The properties of a recogniser from which the policy is derived. */
export interface RecogniserTraits {
  hasInterim: boolean;
  finalWithinMs: number;
  endOfTurn: 'none' | 'pause' | 'semantic';
  /** The recogniser is a speech-to-speech model. */
  isModel?: boolean;
  /** The number of recognisers that can replace it. */
  fallbacks: number;
}

/** @param recogniser - null if this call has no recogniser */
export function turnPolicy(settings: ConversationSettings, recogniser: RecogniserTraits | null): TurnPolicy {
  const endpoint = endpointPolicy(settings, recogniser);
  const segmentPauseMs = Math.min(SEGMENT_PAUSE_MS, shortestWait(endpoint) - SEGMENT_PAUSE_LEAD_MS);
  return {
    ...endpoint,
    segmentPauseMs,
    finaliseAfterMs: finaliseAfter(shortestWait(endpoint), segmentPauseMs, recogniser),
    opening: openingOf(settings),
    answering: settings.answering,
    hasDisclosure: settings.disclosureMessage.trim() !== '',
    hasGreeting: settings.initialMessage.trim() !== '',
    greetingDelayMs:
      settings.greetingDelaySeconds === null ? null : milliseconds(settings.greetingDelaySeconds, 0),
    canInterruptGreeting: settings.isGreetingInterruptible,
    canInterrupt: settings.allowInterruptions,
    interruptAfterMs: milliseconds(settings.interruptSensitivitySeconds, INTERRUPT_FLOOR_MS),
    minInterruptWords: recogniser?.hasInterim ? Math.max(0, settings.minInterruptWords) : 0,
    hasGuesses: recogniser?.hasInterim ?? false,
    hasLateWords: recogniser !== null && !recogniser.hasInterim && !recogniser.isModel,
    areFillersOn: settings.fillers !== null,
    reEngagementMs: milliseconds(settings.reEngagementIntervalSeconds, 1000),
    maxSilenceMs: milliseconds(settings.maxSilenceSeconds, 1000),
    maxCallMs: milliseconds(settings.maxCallSeconds, 1000),
    hearsOptOut: settings.hearsOptOut,
    optOutKey: settings.optOutKey,
  };
}

/** A recogniser without interim results processes whole utterances, which an early request would split. */
function finaliseAfter(waitMs: number, segmentPauseMs: number, recogniser: RecogniserTraits | null): number {
  if (!recogniser?.hasInterim || recogniser.isModel) return segmentPauseMs;
  const latestMs = Math.min(segmentPauseMs, FINALISE_AFTER_MS);
  return Math.min(latestMs, Math.max(EARLIEST_PAUSE_MS, waitMs - FINAL_LEAD_MS));
}

function endpointPolicy(
  settings: ConversationSettings,
  recogniser: RecogniserTraits | null,
): Pick<TurnPolicy, 'endpointType' | 'endpointWaitMs' | 'language' | 'recogniser'> {
  return {
    endpointType: settings.endpointType,
    endpointWaitMs: milliseconds(settings.endpointSensitivitySeconds, ENDPOINT_FLOOR_MS),
    language: settings.language,
    recogniser: recogniser && {
      finalWithinMs: recogniser.finalWithinMs,
      isSemantic: recogniser.endOfTurn === 'semantic',
      isModel: recogniser.isModel ?? false,
      reopenings: 1 + recogniser.fallbacks,
    },
  };
}

function openingOf(settings: ConversationSettings): TurnPolicy['opening'] {
  if (settings.whoSpeaksFirst === 'customer') return 'caller';
  return settings.initialMessage.trim() === '' ? 'reply' : 'greeting';
}

function milliseconds(seconds: number, floorMs: number): number {
  return Math.max(floorMs, Math.round(seconds * 1000));
}
