/** The texts for requests that failed. */

/** Plain texts, and functions for texts with values. */
export const texts = {
  failure: {
    unavailable: 'The server cannot do this right now. Try again in a moment.',
    forbidden: 'You do not have permission to do this.',
    server: 'The server failed to process the request. Try again, or check the server log.',
    unreachable: 'The server is not responding. It may be restarting. Try again in a moment.',
  },
  lineFault: (line: number, message: string) => `Line ${line}: ${message}`,
};
