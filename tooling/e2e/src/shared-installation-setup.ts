/** Vitest starts the shared installation before the first test file of the project and stops it after the last. */
import type { TestProject } from 'vitest/node';
import { startInstallation } from './installation.ts';

/** Called by vitest. @returns what stops the installation */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const installation = await startInstallation({ environment: { WEBHOOK_ALLOW_PRIVATE: 'loopback' } });
  const { baseUrl, token, email, password, dataDir, sipPort, phonesPort, phonesLog } = installation;
  const access = { baseUrl, token, email, password, dataDir, sipPort, phonesPort, phonesLog };
  project.provide('sharedInstallation', access);
  return () => installation.stop();
}
