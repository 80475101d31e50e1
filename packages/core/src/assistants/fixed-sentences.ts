/** The sentences that an assistant says as they are written, so that they can be recorded. */
import type { FixedSentenceRecord } from '@parley/contracts';
import type { AssistantTool } from '@parley/db';
import { comparableText, isScript, parseScript, standardPhrases } from '@parley/script';

/** What the sentences depend on. */
export interface SpokenSettings {
  initialMessage: string;
  disclosureMessage: string | null;
  systemPrompt: string;
  areFillersOn: boolean;
  fillerConfig: Readonly<Record<'neutral' | 'negative' | 'positive' | 'question', readonly string[]>>;
  language: string;
  tools: readonly AssistantTool[];
}

/** Texts with variables have other words in each call. Each sentence is listed once, in the order of a call. */
export function fixedSentences(
  settings: SpokenSettings,
  recordingsOf: (comparable: string) => Pick<FixedSentenceRecord, 'is_recorded' | 'recorded_phrase_ids'>,
): FixedSentenceRecord[] {
  const found = new Map<string, FixedSentenceRecord>();
  for (const [usedFor, text] of textsOf(settings)) {
    const comparable = comparableText(text);
    if (comparable === '' || text.includes('{{') || found.has(comparable)) continue;
    found.set(comparable, { text: text.trim(), used_for: usedFor, ...recordingsOf(comparable) });
  }
  return [...found.values()];
}

function textsOf(settings: SpokenSettings): [FixedSentenceRecord['used_for'], string][] {
  const { neutral, negative, positive, question } = settings.fillerConfig;
  const fillers = settings.areFillersOn ? [...neutral, ...question, ...positive, ...negative] : [];
  const list = (use: FixedSentenceRecord['used_for'], texts: readonly string[]) =>
    texts.map((text): [FixedSentenceRecord['used_for'], string] => [use, text]);
  return [
    ...list('disclosure_message', [settings.disclosureMessage ?? '']),
    ...list('initial_message', [settings.initialMessage]),
    ...list('script', scriptTexts(settings.systemPrompt)),
    ...list('filler', fillers),
    ...list('warm_call_transfer', settings.tools.flatMap(transferTexts)),
    ...list('standard', standardPhrases(settings.language)),
  ];
}

/** What the person is asked, and what the caller is told when no person takes the call. */
function transferTexts({ type, data }: AssistantTool): string[] {
  if (type !== 'warm_call_transfer') return [];
  return [data['announcement'], data['unavailable_message']].filter((text) => typeof text === 'string');
}

/** What an answer has stored, `{day}`, is said in its place. */
const NOTE = /\{[^{}]+\}/u;

/** A script with faults has none: it is refused where it is used. */
function scriptTexts(prompt: string): string[] {
  if (!isScript(prompt)) return [];
  try {
    const texts = [...parseScript(prompt).states.values()].flatMap(({ say, again }) => [say, again ?? '']);
    return texts.filter((text) => !NOTE.test(text));
  } catch {
    return [];
  }
}
