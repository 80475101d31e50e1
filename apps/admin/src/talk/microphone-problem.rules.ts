/**
 * Why the microphone cannot be used, and what to do about it. Browsers hide the microphone on pages
 * that are neither https nor localhost, which people meet first on a machine in their own network.
 */
import type { TalkProblem } from '../web-call/talk-stage.rules.ts';
import { texts } from './texts.ts';

interface PageAddress {
  hostname: string;
  /** Empty for the scheme's own port. */
  port: string;
}

/**
 * What prevents the use of the microphone before access is requested.
 *
 * @returns null when access can be requested
 */
export function findContextProblem(
  page: { isSecureContext: boolean; hasMediaDevices: boolean },
  address: PageAddress,
): TalkProblem | null {
  if (page.isSecureContext && page.hasMediaDevices) return null;
  if (page.isSecureContext) return texts.microphone.unsupported;
  const port = address.port === '' ? '80' : address.port;
  return {
    ...texts.microphone.insecure(address.hostname, port),
    command: `ssh -L ${port}:localhost:${port} ${address.hostname}`,
  };
}

const REFUSALS: Record<string, TalkProblem> = texts.microphone.refusals;

/** Explains a failed `getUserMedia` by the name of its error. */
export function explainRefusal(errorName: string): TalkProblem {
  return REFUSALS[errorName] ?? texts.microphone.unknown(errorName);
}
