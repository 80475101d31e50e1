/** Test phones (tooling/phones) for the first calls of an installation. */

/** Answers and talks. */
export const TALKING_PHONE = '+12025550110';
/** Books an appointment with the demo assistant. */
export const BOOKING_PHONE = '+12025550149';
