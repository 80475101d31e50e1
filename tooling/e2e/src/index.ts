/** Starts the whole product for tests and benchmarks. */
export { freePorts, someRtpRange } from './free-ports.ts';
export { createAssistant, type AssistantOptions } from './assistants.ts';
export { startInstallation, type Installation, type InstallationOptions } from './installation.ts';
export { placeCall, waitForCall, type CallDetail } from './calls.ts';
export { readPhonesLog, type PhonesLogLine } from './phones-log.ts';
export { startStranger } from './stranger.ts';
