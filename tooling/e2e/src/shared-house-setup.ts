/** Vitest starts the shared installation before the first test file of the project and stops it after the last. */
import type { TestProject } from 'vitest/node';
import { startHouse } from './house.ts';

/** Called by vitest. @returns what stops the installation */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const house = await startHouse({ environment: { WEBHOOK_ALLOW_PRIVATE: 'loopback' } });
  const { baseUrl, token, email, password, dataDir, sipPort, phonesPort, phonesLog } = house;
  const access = { baseUrl, token, email, password, dataDir, sipPort, phonesPort, phonesLog };
  project.provide('sharedHouse', access);
  return () => house.stop();
}
