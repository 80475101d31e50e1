/** Starts the whole house for tests and benchmarks. */
export { freePorts, someRtpRange } from './free-ports.ts';
export { createAssistant, type AssistantOptions } from './assistants.ts';
export { startHouse, type House, type HouseOptions } from './house.ts';
export { placeCall, waitForCall, type CallDetail } from './calls.ts';
export { readPhonesLog, type PhonesLogLine } from './phones-log.ts';
