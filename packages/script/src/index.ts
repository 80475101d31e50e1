/**
 * Scripted dialogues, with the parser and the rules that follow a script, and variables in the texts of assistants. Pure;
 * contains nothing about speech or calls.
 */
export { checkScript, isScript, parseScript, ScriptError } from './parse-script.rules.ts';
export {
  expectedPhrases,
  followScript,
  openScript,
  type CustomerEntry,
  type Standing,
} from './follow-script.rules.ts';
export { standardPhrase, standardPhrases } from './standard-phrases.rules.ts';
export { comparableText } from './same-words.rules.ts';
export { interpolate } from './variables.rules.ts';
export type { Answer, Script, ScriptFault, ScriptState } from './script.ts';
