/** HTTP to addresses that users name, kept off private networks at connect time. */
export { createCheckedConnector } from './checked-connection.ts';
export { describeConnectionFailure } from './guarded-client.ts';
export type { PrivateAddresses } from '../forbidden-addresses.ts';
export {
  createGuardedClient,
  publicOnly,
  type GuardedClient,
  type GuardedClientOptions,
  type GuardedOutcome,
  type GuardedRequest,
} from './guarded-client.ts';
