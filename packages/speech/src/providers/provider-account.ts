/** One account at a provider. */
export interface ProviderAccount {
  /** The provider's own address or another server that speaks its protocol; `http` and `ws` are taken too. */
  baseUrl: string;
  /** Null for servers that need none. */
  apiKey: string | null;
  /** For a server with OpenAI's interface: its name of the model that transcribes. */
  transcriptionModel?: string | null;
  /** The server converts speech to the `sample_rate` of a request. Others may refuse that field, which OpenAI does not have. */
  convertsSampleRate?: boolean;
}
