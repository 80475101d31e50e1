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
    subtitle: 'Your password, and the browsers in which you are signed in.',
  },
  password: {
    title: 'Password',
    hint: 'A change ends your sessions in all other browsers and your unused sign-in links. API tokens stay valid.',
    none: 'You have no password yet and sign in with links only.',
    current: 'Current password',
    new: 'New password',
    newHint: '8 to 1000 characters.',
    currentMissing: 'Enter your current password',
    newMissing: 'Enter the new password',
    change: 'Change password',
    set: 'Set password',
    changed: 'The password was changed. All other sessions were ended.',
    tooMany: 'Too many attempts. Wait a quarter of an hour, then try again.',
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
