/**
 * The role of the user who was last signed in with this browser. With it the app draws its frame before the server has said who is
 * signed in; what the user may do is decided by the server alone.
 */
const KEY = 'parley-last-role';

/** @returns null: no user was signed in, or the browser keeps nothing */
export function rememberedRole(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** @param user - null: the user has signed out, or the session has ended */
export function rememberRole(user: { role: string } | null): void {
  try {
    if (user) localStorage.setItem(KEY, user.role);
    else localStorage.removeItem(KEY);
  } catch {
    // The browser keeps nothing: the frame is drawn after the answer.
  }
}
