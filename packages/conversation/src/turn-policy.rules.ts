/**
 * The numbers the rules of a conversation work with, from the assistant's settings: seconds become milliseconds, and
 * values that would make a call impossible are lifted to their floor.
 */
import type { BargeInPolicy } from './barge-in.rules.ts';
import type { ConversationSettings } from './conversation-settings.ts';
import type { EndpointPolicy } from './endpointing.rules.ts';
import type { QuietPolicy } from './quiet.rules.ts';

const INTERRUPT_FLOOR_MS = 100;
const ENDPOINT_FLOOR_MS = 200;
/** Silence after which the detector calls a segment of speech finished (VOICE findings). */
const SEGMENT_PAUSE_MS = 250;
/** A segment must be known to be over this much before the turn may be. */
const SEGMENT_PAUSE_LEAD_MS = 100;

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
}

/** What of a recogniser matters to the rules. */
export interface RecogniserTraits {
  hasInterim: boolean;
  finalWithinMs: number;
}

/** @param recogniser - null where speech is not recognised on this call */
export function turnPolicy(settings: ConversationSettings, recogniser: RecogniserTraits | null): TurnPolicy {
  const endpointWaitMs = milliseconds(settings.endpointSensitivitySeconds, ENDPOINT_FLOOR_MS);
  return {
    opening: openingOf(settings),
    hasGreeting: settings.initialMessage.trim() !== '',
    canInterrupt: settings.allowInterruptions,
    interruptAfterMs: milliseconds(settings.interruptSensitivitySeconds, INTERRUPT_FLOOR_MS),
    minInterruptWords: recogniser?.hasInterim ? Math.max(0, settings.minInterruptWords) : 0,
    endpointWaitMs,
    segmentPauseMs: Math.min(SEGMENT_PAUSE_MS, endpointWaitMs - SEGMENT_PAUSE_LEAD_MS),
    recogniser: recogniser && { finalWithinMs: recogniser.finalWithinMs },
    reEngagementMs: milliseconds(settings.reEngagementIntervalSeconds, 1000),
    maxSilenceMs: milliseconds(settings.maxSilenceSeconds, 1000),
    maxCallMs: milliseconds(settings.maxCallSeconds, 1000),
  };
}

function openingOf(settings: ConversationSettings): TurnPolicy['opening'] {
  if (settings.whoSpeaksFirst === 'customer') return 'caller';
  return settings.initialMessage.trim() === '' ? 'reply' : 'greeting';
}

function milliseconds(seconds: number, floorMs: number): number {
  return Math.max(floorMs, Math.round(seconds * 1000));
}
