/**
 * Whether the caller is speaking, from the detector's windows: two loud windows start a segment of speech, so that a
 * click does not; it ends when no window was speech for a while. Two thresholds keep a trembling probability from
 * tearing a word apart (VOICE findings: 0.5 on, 0.35 off, 2 windows to start, 250 ms to end).
 *
 * All times are milliseconds of the call's sound.
 */

const SPEECH_STARTS_AT = 0.5;
const SPEECH_LASTS_ABOVE = 0.35;
const WINDOWS_TO_START = 2;
/** Three windows: what is softer for longer than that was a soft end of the speech. */
const DETECTOR_TAIL_MS = 96;

/** What is known of the caller's voice. */
export interface CallerActivity {
  isSpeaking: boolean;
  /** Start of the current segment, or of the last one. */
  startedMs: number;
  /** End of the sound in the last window that was speech. */
  lastSpeechMs: number;
  /** End of the newest window: how far the detector has listened. */
  analysedMs: number;
  /** Loud windows in a row that do not make a segment yet. */
  loudWindows: number;
  /** Where the first of them began. */
  loudSinceMs: number;
  /**
   * The sound is taken for music or noise and counts as silence until it pauses: end of its newest loud window. Null
   * while the caller is listened to.
   */
  mutedMs: number | null;
}

export const NO_ACTIVITY: CallerActivity = {
  isSpeaking: false,
  startedMs: 0,
  lastSpeechMs: 0,
  analysedMs: 0,
  loudWindows: 0,
  loudSinceMs: 0,
  mutedMs: null,
};

/** One answer of the detector. */
export interface DetectorWindow {
  /** 0 to 1. */
  probability: number;
  endMs: number;
  /** Where the sound ended by then, as far as levels tell; the window's end unless told. */
  soundEndMs?: number;
}

/** @param pauseMs - silence that ends a segment */
export function hearWindow(before: CallerActivity, window: DetectorWindow, pauseMs: number): CallerActivity {
  const analysedMs = Math.max(before.analysedMs, window.endMs);
  if (before.mutedMs !== null) return { ...stayMuted(before, window, pauseMs), analysedMs };
  if (before.isSpeaking) return { ...continueSegment(before, window, pauseMs), analysedMs };
  if (window.probability < SPEECH_STARTS_AT) return { ...before, loudWindows: 0, analysedMs };
  const loudSinceMs = before.loudWindows === 0 ? before.analysedMs : before.loudSinceMs;
  const loudWindows = before.loudWindows + 1;
  if (loudWindows < WINDOWS_TO_START) return { ...before, loudWindows, loudSinceMs, analysedMs };
  return {
    isSpeaking: true,
    startedMs: loudSinceMs,
    lastSpeechMs: soundEnd(before, window),
    loudWindows: 0,
    loudSinceMs,
    analysedMs,
    mutedMs: null,
  };
}

/** What was taken for speech is none: from here on it counts as silence, until it pauses. */
export function mute(activity: CallerActivity): CallerActivity {
  return { ...activity, isSpeaking: false, loudWindows: 0, mutedMs: activity.lastSpeechMs };
}

/** It was speech after all. */
export function unmute(activity: CallerActivity): CallerActivity {
  return activity.mutedMs === null ? activity : { ...activity, mutedMs: null };
}

function stayMuted(before: CallerActivity, window: DetectorWindow, pauseMs: number): CallerActivity {
  if (window.probability >= SPEECH_LASTS_ABOVE) return { ...before, mutedMs: window.endMs };
  return window.endMs - (before.mutedMs ?? 0) < pauseMs ? before : unmute(before);
}

function continueSegment(before: CallerActivity, window: DetectorWindow, pauseMs: number): CallerActivity {
  if (window.probability >= SPEECH_LASTS_ABOVE) return { ...before, lastSpeechMs: soundEnd(before, window) };
  return { ...before, isSpeaking: window.endMs - before.lastSpeechMs < pauseMs };
}

/**
 * The detector goes on hearing speech for up to 85 ms after its end (VOICE findings). Whether speech is over is its to
 * say; the silence is counted from where the sound ended.
 */
function soundEnd(before: CallerActivity, { endMs, soundEndMs = endMs }: DetectorWindow): number {
  return Math.max(before.lastSpeechMs, endMs - DETECTOR_TAIL_MS, Math.min(soundEndMs, endMs));
}

/** How long the current or last segment is, from its start to its last window of speech. */
export function segmentMs(activity: CallerActivity): number {
  return activity.lastSpeechMs - activity.startedMs;
}
