/** The condition for rows that a user may use: shared by all users, or their own. */
export function sharedOrOwn(userId: number) {
  return { $or: [{ userId: null }, { userId }] };
}
