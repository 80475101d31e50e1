/** What every server process needs: clock, log, background work, settings, life cycle, health. Contains nothing specific to calls. */
export { BackgroundWork } from './background-work.ts';
export { ManualClock, pause, systemClock, type Clock, type Timer } from './clock.ts';
export { DeadlineError, withDeadline } from './deadline.ts';
export { forbiddenAddresses, isForbiddenAddress, type PrivateAddresses } from './forbidden-addresses.ts';
export { addressFinder, HostResolver, type AddressFamily, type FindAddresses } from './host-resolver.ts';
export {
  recordFinder,
  SipServerResolver,
  type FindRecords,
  type FoundServers,
  type ServerSource,
  type SipDomain,
  type SipServer,
} from './sip-server-resolver.ts';
export { MessageAllowance, type MessageRate } from './message-allowance.ts';
export { createLog, silentLog, type Log, type LogOptions } from './log.ts';
export {
  EXIT_BAD_SETTINGS,
  SettingsError,
  flag,
  listenAddress,
  logSettings,
  retentionSettings,
  parseSettings,
  port,
  portRange,
  secret,
  secrets,
} from './settings.ts';
export { runProcess, watchParent, type ProcessPlan, type Service } from './process.ts';
export { createLimitedServer } from './limited-server.ts';
export { refuseUpgrade } from './refuse-upgrade.ts';
export { networkOf } from './network-of.ts';
export { createHealthCheck, createHealthServer, type HealthChecks, type HealthReport } from './health.ts';
export { SupervisedProcess, type ChildEvents, type ChildPlan } from './supervision/supervised-process.ts';
