/**
 * The role of whoever was last signed in with this browser. With it the app draws its frame before the server has said who is
 * signed in; what the user may do is decided by the server alone.
 */
const KEY = 'parley-last-role';

/** @returns null: nobody was, or the browser keeps nothing */
export function rememberedRole(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** @param user - null: nobody is signed in any more */
export function rememberRole(user: { role: string } | null): void {
  try {
    if (user) localStorage.setItem(KEY, user.role);
    else localStorage.removeItem(KEY);
  } catch {
    // The browser keeps nothing: the frame is drawn after the answer.
  }
}
