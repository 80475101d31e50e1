/** Simulated telephones for tests and benchmarks: `main.ts` runs a network of them, `createPhone` creates one. */
export type { BadNetwork } from './bad-network.ts';
export { createPhone, type Phone, type PhoneCall, type PhoneOptions } from './phone.ts';
export type { Person } from './person.ts';
export { findCharacter, type PhoneBookOptions } from './phone-book.rules.ts';
export type { Character, Script, Step } from './script.ts';
export { openPhoneLog, type PhoneLog, type SoundLine, type WireLine } from './phone-log.ts';
export { seededRandom } from './seeded-random.rules.ts';
export { longestOf, silencesOf } from './silences.ts';
