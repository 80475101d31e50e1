/** The texts of the sign-in pages, and of what the app knows about the installation. */

/** Plain texts, and functions for texts with values. */
export const texts = {
  inCurrency: (label: string, currency: string) => `${label} (${currency})`,
  code: {
    label: 'Code',
    description: 'The six digits that your authenticator app shows, or a recovery code.',
    missing: 'Enter the code',
    back: 'Back',
  },
  link: {
    title: 'Welcome to Parley',
    intro: 'This link signs you in once, in this browser.',
    spent:
      'This link has already been used or has expired. Sign in with your password, or ask an operator for a new link. The first operator gets one when Parley is restarted.',
    action: 'Continue',
    usePassword: 'Sign in with a password',
  },
  signIn: {
    title: 'Sign in',
    email: 'Email',
    password: 'Password',
    wrong: 'The email or password is incorrect.',
    tooMany: 'Too many attempts. Wait a quarter of an hour, then try again.',
    emailMissing: 'Enter your email address',
    passwordMissing: 'Enter your password',
    showPassword: 'Show or hide the password',
  },
};
