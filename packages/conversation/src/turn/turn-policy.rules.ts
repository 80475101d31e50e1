/**
 * The numbers the rules of a conversation work with, from the assistant's settings: seconds become milliseconds, and
 * values that would make a call impossible are lifted to their floor.
 */
import type { BargeInPolicy } from './barge-in.rules.ts';
import type { ConversationSettings } from '../conversation-settings.ts';
import type { EndpointPolicy } from '../hearing/endpointing.rules.ts';
import { shortestWait } from '../hearing/turn-end.rules.ts';
import type { QuietPolicy } from './quiet.rules.ts';

const INTERRUPT_FLOOR_MS = 100;
const ENDPOINT_FLOOR_MS = 200;
/** Silence after which the detector calls a segment of speech finished (VOICE findings). */
const SEGMENT_PAUSE_MS = 250;
/** A segment must be known to be over this much before the turn may be. */
const SEGMENT_PAUSE_LEAD_MS = 100;
/** From the first sign of a pause to a quick recogniser's final, and how soon there can be such a sign: two windows. */
const FINAL_LEAD_MS = 150;
const EARLIEST_PAUSE_MS = 64;

/** Everything the rules know of the assistant. */
export interface TurnPolicy extends BargeInPolicy, EndpointPolicy, QuietPolicy {
  /** Who begins: the assistant with its message, the assistant with what its model says, or the caller. */
  opening: 'greeting' | 'reply' | 'caller';
  /** There is an initial message; a caller who should begin and does not will hear it. */
  hasGreeting: boolean;
  /** False: speech over the assistant is noted and does not stop it. */
  canInterrupt: boolean;
  /** Silence that ends a segment of speech, for {@link hearWindow}. */
  segmentPauseMs: number;
  /**
   * Silence after which the recogniser is asked for a final, sooner than the detector is sure of a pause where a short wait
   * would be over first. Never longer than `segmentPauseMs`.
   */
  finaliseAfterMs: number;
  /** The owner wants a word or two while the assistant thinks. */
  areFillersOn: boolean;
  recogniser: RecogniserPolicy | null;
}

/** How much a recogniser can be trusted. */
interface RecogniserPolicy {
  finalWithinMs: number;
  isSemantic: boolean;
  /** Words are for the record alone: the model hears the caller itself. */
  isModel: boolean;
  /** So often a stream that fails is replaced before the call is given up: once, and once for each fallback. */
  reopenings: number;
}

/** What of a recogniser matters to the rules. */
export interface RecogniserTraits {
  hasInterim: boolean;
  finalWithinMs: number;
  endOfTurn: 'none' | 'pause' | 'semantic';
  /** It is the model itself that hears. */
  isModel?: boolean;
  /** Recognisers that can take over. */
  fallbacks: number;
}

/** @param recogniser - null where speech is not recognised on this call */
export function turnPolicy(settings: ConversationSettings, recogniser: RecogniserTraits | null): TurnPolicy {
  const endpoint = endpointPolicy(settings, recogniser);
  const segmentPauseMs = Math.min(SEGMENT_PAUSE_MS, shortestWait(endpoint) - SEGMENT_PAUSE_LEAD_MS);
  return {
    ...endpoint,
    segmentPauseMs,
    finaliseAfterMs: finaliseAfter(shortestWait(endpoint), segmentPauseMs, recogniser),
    opening: openingOf(settings),
    hasGreeting: settings.initialMessage.trim() !== '',
    canInterrupt: settings.allowInterruptions,
    interruptAfterMs: milliseconds(settings.interruptSensitivitySeconds, INTERRUPT_FLOOR_MS),
    minInterruptWords: recogniser?.hasInterim ? Math.max(0, settings.minInterruptWords) : 0,
    hasGuesses: recogniser?.hasInterim ?? false,
    areFillersOn: settings.fillers !== null,
    reEngagementMs: milliseconds(settings.reEngagementIntervalSeconds, 1000),
    maxSilenceMs: milliseconds(settings.maxSilenceSeconds, 1000),
    maxCallMs: milliseconds(settings.maxCallSeconds, 1000),
  };
}

/** Those who hear only whole utterances would have one torn apart by a request in the middle. */
function finaliseAfter(waitMs: number, segmentPauseMs: number, recogniser: RecogniserTraits | null): number {
  if (!recogniser?.hasInterim || recogniser.isModel) return segmentPauseMs;
  return Math.min(segmentPauseMs, Math.max(EARLIEST_PAUSE_MS, waitMs - FINAL_LEAD_MS));
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
