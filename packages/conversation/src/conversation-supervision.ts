/** The supervisor's side of a conversation: changes the prompt, and passes what a supervisor does to the rules. */
import type { Supervision } from './conversation-port.ts';
import type { OwnerTexts } from './owner-texts.ts';
import { promptNotes, type PromptState } from './prompt-notes.rules.ts';
import { KEYS_TOOL } from './tools/assistant-tool.ts';
import type { PhaseName, TurnEvent } from './turn/turn-state.ts';

/** What it needs of the conversation. */
export interface SupervisionOptions {
  dispatch: (event: TurnEvent) => void;
  phase: () => PhaseName;
  /** The model in use follows a script. */
  isScripted: () => boolean;
}

/** One per conversation. */
export class ConversationSupervision implements Supervision {
  readonly #options: SupervisionOptions;
  readonly #whispers: string[] = [];
  #isAnnounced = false;
  #wasAttended = false;

  constructor(options: SupervisionOptions) {
    this.#options = options;
  }

  announce(): void {
    this.#options.dispatch({ type: 'announcement.requested' });
  }

  whisper(text: string): boolean {
    const { dispatch, phase, isScripted } = this.#options;
    if (isScripted() || phase() === 'ringing' || phase() === 'closed') return false;
    this.#whispers.push(text);
    dispatch({ type: 'whispered' });
    return true;
  }

  attend(isAttended: boolean): boolean {
    const { dispatch, phase } = this.#options;
    dispatch({ type: 'line.attended', isAttended });
    const isSilenced = phase() === 'attended';
    this.#wasAttended ||= isSilenced;
    return isSilenced;
  }

  /** The caller has heard the announcement. */
  announced(): void {
    this.#isAnnounced = true;
  }

  /** The prompt with the notes that apply. `isUsual`: there are none. */
  promptWith(
    { systemPrompt, tools }: Pick<OwnerTexts, 'systemPrompt' | 'tools'>,
    others: Pick<PromptState, 'mustWrapUp' | 'answeredBy'>,
  ): { systemPrompt: string; isUsual: boolean } {
    const whispers = this.#whispers;
    const notes = promptNotes({
      ...others,
      keysTool: tools.some(({ name }) => name === KEYS_TOOL) ? KEYS_TOOL : null,
      whispers,
      isAnnounced: this.#isAnnounced,
      wasAttended: this.#wasAttended,
    });
    return { systemPrompt: [systemPrompt, ...notes].join('\n\n'), isUsual: notes.length === 0 };
  }
}
