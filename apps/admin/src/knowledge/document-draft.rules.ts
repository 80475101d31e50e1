/** The draft of a document: its faults, and what of it is sent. */
import { MAX_FILE_BYTES, type NewDocument } from '@parley/contracts';
import { texts } from './texts.ts';

/** Where the text of a document comes from. */
export const documentSources = ['text', 'file', 'website'] as const;

/** The fields of the form; those of other sources are kept, but not sent. */
export interface DocumentDraft {
  source: (typeof documentSources)[number];
  name: string;
  text: string;
  file: File | null;
  url: string;
  relative_links_limit: string;
}

/** What the form shows at first. */
export const emptyDocument: DocumentDraft = {
  source: 'text',
  name: '',
  text: '',
  file: null,
  url: '',
  relative_links_limit: '',
};

type FileType = Exclude<NewDocument['type'], 'website'>;

const TYPES: Readonly<Record<string, FileType>> = {
  pdf: 'pdf',
  docx: 'docx',
  txt: 'txt',
  md: 'md',
  markdown: 'md',
  html: 'html',
  htm: 'html',
};

/** @returns null when the ending of the name is not one of those that the server reads */
export function fileType(fileName: string): FileType | null {
  const ending = /\.([a-z]+)$/i.exec(fileName)?.[1]?.toLowerCase() ?? '';
  return TYPES[ending] ?? null;
}

type Faults = Partial<Record<keyof DocumentDraft, string>>;

function sourceFaults({ source, text, file, url }: DocumentDraft): Faults {
  if (source === 'text') return text.trim() === '' ? { text: texts.form.text.missing } : {};
  if (source === 'website') return url.trim() === '' ? { url: texts.form.url.missing } : {};
  if (file === null) return { file: texts.form.file.missing };
  if (fileType(file.name) === null) return { file: texts.form.file.unknown };
  return file.size > MAX_FILE_BYTES ? { file: texts.form.file.tooLarge } : {};
}

/** Faults by field; the server checks the rest. */
export function documentFaults(draft: DocumentDraft): Faults {
  return {
    ...(draft.name.trim() === '' && { name: texts.form.nameMissing }),
    ...sourceFaults(draft),
  };
}

/** The body of a website. */
export function websiteOf({ name, url, relative_links_limit: limit }: DocumentDraft) {
  return {
    name: name.trim(),
    type: 'website' as const,
    url: url.trim(),
    ...(limit.trim() !== '' && { relative_links_limit: Number(limit) }),
  };
}
