/** Scripted dialogues: their text form, and what such a script says next. Pure; knows nothing of speech or calls. */
export { checkScript, isScript, parseScript, ScriptError } from './parse-script.rules.ts';
export {
  expectedPhrases,
  followScript,
  openScript,
  type CustomerEntry,
  type Standing,
} from './follow-script.rules.ts';
export type { Answer, Script, ScriptFault, ScriptState } from './script.ts';
