/** The texts for requests that failed. */

/** Plain texts, and functions for texts with values. */
export const texts = {
  field: {
    required: 'Fill in this field.',
    selection: 'Select one of the available options.',
    format: 'This value is not valid.',
    between: (minimum: string, maximum: string) => `Enter a number between ${minimum} and ${maximum}.`,
    minimum: (minimum: string) => `Enter ${minimum} or more.`,
    maximum: (maximum: string) => `Enter ${maximum} or less.`,
    maximumCharacters: (maximum: string) => `Enter at most ${maximum} characters.`,
    maximumItems: (maximum: string) => `Enter at most ${maximum} entries.`,
    number: 'Enter a number.',
    integer: 'Enter a whole number.',
    url: 'Enter a URL that begins with http:// or https://.',
    email: 'Enter a valid email address.',
    timezone: 'Enter a valid time zone, such as Europe/Berlin.',
    future: 'Enter a date in the future.',
    duplicate: 'This value is used more than once.',
    taken: 'This value is already in use.',
    phoneNumber: 'Enter a valid phone number with country code, such as +1 212 555 0123.',
    named: (name: string, message: string) => `${name}: ${message}`,
  },
  failure: {
    unavailable: 'The server cannot do this right now. Try again in a moment.',
    signedOut: 'You are signed out. Sign in again in another tab, and then try again here.',
    forbidden: 'You do not have permission to do this.',
    server: 'The server failed to process the request. Try again, or check the server log.',
    unreachable: 'The server is not responding. It may be restarting. Try again in a moment.',
  },
  upload: {
    interrupted: 'The upload was interrupted. Try again.',
  },
  lineFault: (line: number, message: string) => `Line ${line}: ${message}`,
};
