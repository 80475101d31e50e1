/** The texts that commands share: options, questions and failures. */

/** Plain texts, and functions for texts with values. */
export const texts = {
  api: {
    url: 'URL of the API; default: PARLEY_URL, or the Parley on this machine',
    token: 'API token; default: PARLEY_TOKEN',
    json: 'print JSON',
    tokenMissing: 'This command needs an API token.',
    tokenHint:
      'Set it with --token or PARLEY_TOKEN. To create a token on the server, run: npm run -s cli -- token create EMAIL',
    stopped: 'Stopped.',
    badUrl: (text: string) => `"${text}" is not a valid API address. It must begin with http:// or https://.`,
  },
  arguments: {
    integer: 'It must be a whole number.',
    allowedNumber: 'Expected +12025550142, or the beginning of a number and *: +1202555*.',
    positive: 'It must be a number greater than 0.',
    share: 'It must be a number from 0 to 1.',
    variable: 'Use the form NAME=VALUE.',
  },
  completion: {
    help: 'show help',
  },
  confirmation: {
    yes: 'skip the confirmation; required when the terminal is not interactive',
    notInteractive: (question: string) =>
      `${question} Confirmation is required, but the terminal is not interactive.`,
    hint: 'Add --yes to confirm.',
    declined: 'Cancelled. Nothing was changed.',
  },
  follow: {
    ended: (status: string) => `The call ended with status ${status}.`,
    stopped: 'Stopped following. The call continues.',
  },
  program: {
    description: 'Parley command line',
    help: `\nExit codes: 0 success, 1 refused or failed, 2 invalid command line, 78 installation not found.\nOn the server, commands find the running Parley automatically; elsewhere, set PARLEY_URL and PARLEY_TOKEN.`,
  },
  body: {
    file: 'JSON file with the fields, named as in the API reference (/docs)',
    set: 'set one field (JSON or text); can be repeated; overrides the file',
    empty: 'No fields given. Use --file or --set.',
    notObject: (path: string) => `${path} does not contain a JSON object.`,
    notJson: (path: string) => `${path} cannot be read as JSON.`,
  },
  server: {
    hint: 'Start Parley first (npm start), or set DATABASE_URL and SECRET_KEY, or DATA_DIR of a running installation.',
    noDatabase: 'No database found.',
    noSecretKey: 'No secret key found.',
  },
  settings: {
    notDays: (name: string) => `${name} must be a whole number of days; 0 means without limit.`,
    unreadable: (path: string) => `${path} cannot be read.`,
  },
  failure: {
    unreachable:
      'Check that Parley is running at this address. To use another address, set --url or PARLEY_URL.',
    badToken: 'The token is invalid, revoked or expired.',
    retryAfter: (seconds: number) => `Try again in ${seconds} s.`,
    requestId: (requestId: string) => `See the server log for request ${requestId}.`,
  },
  receiver: {
    post: 'Webhooks are sent with POST',
    wrongSignature: 'The signature is invalid',
    received: 'Received',
    tooLarge: 'The webhook is too large',
  },
};
