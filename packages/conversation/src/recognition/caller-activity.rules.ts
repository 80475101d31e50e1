/**
 * Whether the caller is speaking, from the windows of the detector. Two loud windows start a segment of speech, so that a
 * click does not; it ends after some time without speech. Two thresholds prevent a fluctuating probability from splitting
 * a word. The values were measured: 0.5 on, 0.35 off, 2 windows to start, 250 ms to end.
 *
 * All times are milliseconds of call audio.
 */

const SPEECH_STARTS_AT = 0.5;
const SPEECH_LASTS_ABOVE = 0.35;
const WINDOWS_TO_START = 2;
/** Three windows: audio that is soft for longer was a soft end of the speech. */
const DETECTOR_TAIL_MS = 96;

/** The state of the caller's speech. */
export interface CallerActivity {
  isSpeaking: boolean;
  /** Start of the current segment, or of the last one. */
  startedMs: number;
  /** End of the audio in the last window with speech. */
  lastSpeechMs: number;
  /** End of the newest window that the detector has analysed. */
  analysedMs: number;
  /** Consecutive loud windows that do not form a segment yet. */
  loudWindows: number;
  /** Where the first of them began. */
  loudSinceMs: number;
  /**
   * Set while the sound is treated as music or noise and counts as silence until it pauses: the end of its newest loud
   * window. Otherwise null.
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

/** One result of the detector. */
export interface DetectorWindow {
  /** 0 to 1. */
  probability: number;
  endMs: number;
  /** Where the audio ended by then, according to its level; the end of the window unless given. */
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

/** The sound is not speech: it counts as silence until it pauses. */
export function mute(activity: CallerActivity): CallerActivity {
  return { ...activity, isSpeaking: false, loudWindows: 0, mutedMs: activity.lastSpeechMs };
}

/** The sound was speech after all. */
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
 * The detector reports speech for up to 85 ms after its end. The detector decides whether speech is over, but the silence
 * is counted from the end of the audio.
 */
function soundEnd(before: CallerActivity, { endMs, soundEndMs = endMs }: DetectorWindow): number {
  return Math.max(before.lastSpeechMs, endMs - DETECTOR_TAIL_MS, Math.min(soundEndMs, endMs));
}

/** How long the current or last segment is, from its start to its last window of speech. */
export function segmentMs(activity: CallerActivity): number {
  return activity.lastSpeechMs - activity.startedMs;
}
