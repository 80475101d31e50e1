/** The port through which a conversation runs tools that need the network or the telephone line. Voice implements it. */

/** A call of one of the assistant's tools, with valid arguments. */
export interface ToolRequest {
  name: string;
  arguments: Readonly<Record<string, unknown>>;
}

/** The answer for the model. If `isOk` is false, `text` explains the failure to the model. */
export interface ToolAnswer {
  isOk: boolean;
  text: string;
  /** Spoken to the caller before the model goes on. */
  words?: string;
  /** The caller was transferred: this conversation is over, and the model is not asked again. */
  isTransferred?: boolean;
}

/** Runs tools in parallel to the audio, which must never wait for it. */
export interface ToolRunner {
  /** May reject: the model is then told only that the tool failed. `signal`: aborted at the end of the call or of the tool's time. */
  run(request: ToolRequest, signal: AbortSignal): Promise<ToolAnswer>;
}

/** For assistants that only talk. */
export const NO_TOOLS: ToolRunner = {
  run: async () => ({ isOk: false, text: 'There is no such tool.' }),
};
