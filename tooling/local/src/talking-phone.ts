/** The number of a test phone that answers and talks (tooling/phones). */
export const TALKING_PHONE = '+12025550110';
