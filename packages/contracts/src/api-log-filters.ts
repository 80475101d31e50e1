/** The choices of the filters of the API log. */

/** Classes of the status of an answer. */
export const statusClasses = ['2xx', '4xx', '5xx'] as const;

/** One of {@link statusClasses}. */
export type StatusClass = (typeof statusClasses)[number];

/** The methods of the API. */
export const apiMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** One of {@link apiMethods}. */
export type ApiMethod = (typeof apiMethods)[number];
