/** One account at a provider. */
export interface ProviderAccount {
  /** The provider's own address or another server that speaks its protocol; `http` and `ws` are taken too. */
  baseUrl: string;
  /** Null for servers that need none. */
  apiKey: string | null;
}
