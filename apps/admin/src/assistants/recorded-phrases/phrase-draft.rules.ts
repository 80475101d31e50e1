/** The draft of a recording, and what is wrong with it. The server decodes the sound, and so decides about it. */
import { MAX_SOUND_BYTES } from '@parley/contracts';
import { texts } from './texts.ts';

/** Where the sound comes from. */
export const soundSources = ['microphone', 'file'] as const;

/** The fields of the form; the sound of the other source is kept, but not sent. */
export interface PhraseDraft {
  text: string;
  source: (typeof soundSources)[number];
  file: File | null;
  /** From the microphone. */
  spoken: File | null;
}

/** Characters, as the server counts them. */
const MAX_TEXT = 2_000;
const KNOWN_ENDING = /\.(wav|mp3|ogg|oga|opus)$/i;
/** The endings of sounds that the server reads. */
export const SOUND_ENDINGS = '.wav,.mp3,.ogg,.oga,.opus';

type Faults = Partial<Record<keyof PhraseDraft, string>>;

function textFault(text: string): string | null {
  if (text.includes('{{')) return texts.form.text.variables;
  if (!/[\p{L}\p{N}]/u.test(text)) return texts.form.text.missing;
  return Array.from(text.trim()).length > MAX_TEXT ? texts.form.text.tooLong : null;
}

function fileFault(file: File | null): string | null {
  if (file === null) return texts.form.file.missing;
  if (!KNOWN_ENDING.test(file.name)) return texts.form.file.unknown;
  if (file.size === 0) return texts.form.file.empty;
  return file.size > MAX_SOUND_BYTES ? texts.form.file.tooLarge : null;
}

/** Faults by field; the server checks the rest. */
export function phraseFaults({ text, source, file, spoken }: PhraseDraft): Faults {
  const ofText = textFault(text);
  const ofFile = source === 'file' ? fileFault(file) : null;
  return {
    ...(ofText !== null && { text: ofText }),
    ...(ofFile !== null && { file: ofFile }),
    ...(source === 'microphone' && spoken === null && { spoken: texts.form.microphone.missing }),
  };
}

/** What is sent. */
export function soundOf({ source, file, spoken }: PhraseDraft): File | null {
  return source === 'file' ? file : spoken;
}
