/**
 * Cuts a model's growing text into chunks for the synthesiser. The first chunk ends at the first clause or after 12 words,
 * so that the voice starts early; the others are whole sentences, which sound best.
 *
 * A punctuation mark ends a chunk only once the next character is known, so that `3.50` and `Mr. Smith` are never cut.
 */
import { countWords } from '../language.rules.ts';
import { spokenText } from './spoken-text.rules.ts';

/** The first chunk ends here if it contains no punctuation. */
const FIRST_CHUNK_WORDS = 12;
/** Shorter clauses ("Well, …") sound unnatural when spoken alone. */
const FIRST_CLAUSE_WORDS = 3;
/** A longer sentence is cut at a space, so that no provider gets a very long text. */
const MAX_CHUNK_CHARACTERS = 300;

/** Not the end of a sentence, although a full stop and a space follow. */
const ABBREVIATION =
  /(?:^|[\s(])(?:\p{Lu}|\d{1,2}|mr|mrs|ms|dr|prof|st|vs|nr|ca|z\.\s?b|d\.\s?h|e\.g|i\.e|bzw|usw|sr|sra|m|mme|approx)\.$/iu;
const SENTENCE_END = /(?<![.!?…])[.!?…]+["'”’»)\]*_]*(?=\s)|[。！？]|\n/gu;
const CLAUSE_END = /[,;:–—](?=\s)|[，、；]/gu;

/** The text that is not cut yet, and whether the next chunk is the first. */
export interface ChunkerState {
  buffer: string;
  isFirst: boolean;
}

export const EMPTY_CHUNKER: ChunkerState = { buffer: '', isFirst: true };

/** The chunks to speak now, and the new state. */
export interface Chunked {
  state: ChunkerState;
  /** Ready to be spoken, in order, none empty. */
  chunks: string[];
}

/** Adds the next part of the text. */
export function addText(before: ChunkerState, text: string): Chunked {
  let state: ChunkerState = { ...before, buffer: before.buffer + text };
  const chunks: string[] = [];
  for (let end = chunkEnd(state); end > 0; end = chunkEnd(state)) {
    const spoken = spokenText(state.buffer.slice(0, end));
    if (spoken !== '') chunks.push(spoken);
    state = { buffer: state.buffer.slice(end).trimStart(), isFirst: state.isFirst && spoken === '' };
  }
  return { state, chunks };
}

/** The text is complete: returns the rest. */
export function endText(before: ChunkerState): Chunked {
  const { state, chunks } = addText(before, '\n');
  return { state: { ...state, buffer: '' }, chunks };
}

/** The sentences of a complete text. The first chunk need not be short, because the text is known in advance. */
export function sentencesOf(text: string): string[] {
  const started = addText({ buffer: '', isFirst: false }, text);
  return [...started.chunks, ...endText(started.state).chunks];
}

/** Where the next chunk of the buffer ends, exclusive; 0 while more text is needed. */
function chunkEnd({ buffer, isFirst }: ChunkerState): number {
  const near = buffer.slice(0, MAX_CHUNK_CHARACTERS + 1); // no piece ends later
  const ends = [sentenceEnd(near), lengthEnd(near)];
  if (isFirst) ends.push(clauseEnd(near), wordEnd(near));
  return ends.filter((end) => end > 0).toSorted((a, b) => a - b)[0] ?? 0;
}

function sentenceEnd(buffer: string): number {
  for (const match of buffer.matchAll(SENTENCE_END)) {
    const end = match.index + match[0].length;
    if (!ABBREVIATION.test(buffer.slice(0, end))) return end;
  }
  return 0;
}

function clauseEnd(buffer: string): number {
  for (const match of buffer.matchAll(CLAUSE_END)) {
    const end = match.index + match[0].length;
    if (countWords(buffer.slice(0, end)) >= FIRST_CLAUSE_WORDS) return end;
  }
  return 0;
}

function wordEnd(buffer: string): number {
  const gaps = [...buffer.matchAll(/\s+/gu)].filter(({ index }) => index > 0);
  return gaps[FIRST_CHUNK_WORDS - 1]?.index ?? 0;
}

function lengthEnd(buffer: string): number {
  if (buffer.length <= MAX_CHUNK_CHARACTERS) return 0;
  const space = buffer.lastIndexOf(' ', MAX_CHUNK_CHARACTERS);
  return space > 0 ? space : MAX_CHUNK_CHARACTERS;
}
