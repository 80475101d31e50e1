/** The words for an assistant's kinds and settings on screen. */
import type { AssistantRecord } from '@parley/contracts';

const DIRECTIONS: Record<AssistantRecord['type'], string> = { inbound: 'Receives', outbound: 'Makes' };
const MODES: Record<AssistantRecord['mode'], string> = { pipeline: 'Pipeline', multimodal: 'Multimodal' };

/** Which way the calls go. */
export function directionLabel(type: AssistantRecord['type']): string {
  return DIRECTIONS[type];
}

/** How it hears, thinks and speaks. */
export function modeLabel(mode: AssistantRecord['mode']): string {
  return MODES[mode];
}

/** Whole seconds as people say them: `40 s`, `10 min`, `2 min 30 s`. */
export function describeSeconds(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60;
  if (minutes === 0) return `${rest} s`;
  return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`;
}

/** The wire carries flags as booleans and as 0 and 1. */
export function yesNo(value: boolean | 0 | 1): string {
  return value ? 'Yes' : 'No';
}

/** As the lookups call it. */
const SCRIPTED = 'Scripted dialogue (built in)';

/** What nobody should have to find out on the phone; undefined for models that say it by their name. */
export function modelHint(model: string): string | undefined {
  if (model !== SCRIPTED) return undefined;
  return (
    'No language model: follows a script, understands keys, and only the phrases of that script ' +
    '(with PocketSphinx on the voice machine, or a provider that transcribes; otherwise keys only).'
  );
}

/** What belongs into the instructions. */
export function instructionsHint(model: string): string {
  if (model === SCRIPTED) return 'A script that begins with the line #script; see docs/scripted-dialogue.md.';
  return 'Who it is, what it wants to reach, what it must not do.';
}
