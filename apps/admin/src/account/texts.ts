/** The texts of the account page. */

/** Plain texts, and functions for texts with values. */
export const texts = {
  browsers: { chrome: 'Chrome', edge: 'Edge', firefox: 'Firefox', opera: 'Opera', safari: 'Safari' },
  systems: {
    android: 'Android',
    chromeOs: 'ChromeOS',
    ios: 'iOS',
    ipadOs: 'iPadOS',
    linux: 'Linux',
    macOs: 'macOS',
    windows: 'Windows',
  },
  page: {
    title: 'Account',
    subtitle:
      'Your password and second factor, time zone and country, and the browsers in which you are signed in.',
  },
  password: {
    title: 'Password',
    hint: 'A change ends your sessions in all other browsers and your unused sign-in links. API tokens stay valid.',
    none: 'You have no password yet and sign in with links only.',
    byLink:
      'You signed in with a link, so you can set a new password without the current one within an hour. This ends your sessions in all other browsers and your unused sign-in links. API tokens stay valid.',
    current: 'Current password',
    new: 'New password',
    newHint: '8 to 1000 characters.',
    currentMissing: 'Enter your current password',
    newMissing: 'Enter the new password',
    change: 'Change password',
    set: 'Set password',
    changed: 'The password was changed. All other sessions were ended.',
  },
  tooMany: 'Too many attempts. Wait a quarter of an hour, then try again.',
  secondFactor: {
    title: 'Second factor',
    off: 'Signing in can also ask for a code that an authenticator app on your phone shows, so that a stolen password or link alone does not open your account.',
    begin: 'Set up',
    scan: 'Scan this code with your authenticator app.',
    qrCode: 'QR code for the authenticator app',
    typed: 'If you cannot scan it, type this secret into the app. It is shown only once.',
    secret: 'The secret for the authenticator app',
    code: 'Code that the app shows',
    anyCode: 'Code that the app shows, or a recovery code',
    codeMissing: 'Enter the code',
    confirm: 'Switch on',
    leave: 'The second factor is not on yet, and this secret will not be shown again. Leave?',
    on: (left: number) => `Signing in asks for a code. ${left} of your recovery codes are left.`,
    disable: 'Switch off',
    recovery: {
      once: 'The second factor is on. These recovery codes are shown only once.',
      text: 'Store them in a safe place. If you lose your phone, each of them signs you in once. All other sessions were ended.',
      label: 'Your recovery codes',
      done: 'I have stored them',
      leave: 'These recovery codes will not be shown again. Leave without having stored them?',
    },
  },
  listening: {
    title: 'Listening in to calls',
    label: 'Tell customers when a supervisor listens in',
    hint: 'The assistant says one sentence before any sound is passed on. Some countries require it.',
  },
  region: {
    title: 'Time zone and country',
    timeZone: 'Time zone',
    timeZoneHint:
      'The days of the overview begin at midnight in this zone, and the API writes local times in it. Each campaign has a time zone of its own.',
  },
  sessions: {
    title: 'Sessions',
    columns: { browser: 'Browser', address: 'Address', signedIn: 'Signed in', lastUsed: 'Last used' },
    current: 'This browser',
    unknown: 'Unknown',
    on: (browser: string, system: string) => `${browser} on ${system}`,
    end: {
      action: 'End',
      label: (browser: string) => `End the session in ${browser}`,
      question: 'End this session?',
      text: 'The browser is signed out at its next request.',
      keep: 'Keep session',
    },
    endOthers: {
      action: 'End all others',
      question: 'End all other sessions?',
      text: 'All other browsers are signed out at their next request, and your unused sign-in links become invalid.',
      keep: 'Keep sessions',
    },
  },
};
