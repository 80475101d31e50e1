/** How the api asks voice processes. */

/** How voice is reached. */
export interface VoiceAccess {
  internalSecret: string;
  /** Fixed address; absent: a live process is selected from the database. */
  voiceUrl: string | undefined;
}
