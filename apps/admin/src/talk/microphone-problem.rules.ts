/**
 * Why the microphone cannot be used, and what to do about it. Browsers hide the microphone on pages
 * that are neither https nor localhost, which people meet first on a machine in their own network.
 */

/** A problem with its cure. `command` is something to paste into a terminal. */
export interface TalkProblem {
  title: string;
  text: string;
  command?: string;
}

interface PageAddress {
  hostname: string;
  /** Empty for the scheme's own port. */
  port: string;
}

/**
 * What stands in the way before the microphone is even asked for.
 *
 * @returns null when it may be asked for
 */
export function findContextProblem(
  page: { isSecureContext: boolean; hasMediaDevices: boolean },
  address: PageAddress,
): TalkProblem | null {
  if (page.isSecureContext && page.hasMediaDevices) return null;
  if (page.isSecureContext)
    return { title: 'This browser has no microphone access', text: 'Open this page in a current browser.' };
  const port = address.port === '' ? '80' : address.port;
  return {
    title: 'The browser allows the microphone only over https or on localhost',
    text:
      `This page was opened over http at ${address.hostname}. Serve Parley over https, or forward its port ` +
      `to your own machine with the command below and open http://localhost:${port}/admin there.`,
    command: `ssh -L ${port}:localhost:${port} ${address.hostname}`,
  };
}

const REFUSALS: Record<string, TalkProblem> = {
  NotAllowedError: {
    title: 'The microphone is not allowed on this page',
    text: 'Allow it in the browser, usually at the icon left of the address, then start again.',
  },
  NotFoundError: {
    title: 'There is no microphone',
    text: 'Connect one, or choose one in the settings of your system, then start again.',
  },
  NotReadableError: {
    title: 'The microphone is in use',
    text: 'Another program holds it. Close that program, then start again.',
  },
};

/** Explains a failed `getUserMedia` by the name of its error. */
export function explainRefusal(errorName: string): TalkProblem {
  return (
    REFUSALS[errorName] ?? {
      title: 'The microphone could not be opened',
      text: `The browser said ${errorName}. Check that the microphone works elsewhere, then start again.`,
    }
  );
}
