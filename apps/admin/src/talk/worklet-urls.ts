/** The files with the two audio worklets, as the build names them. */
export const WORKLET_URLS = Object.values(
  import.meta.glob<string>('../web-call/*-worklet.ts', {
    query: '?worker&url',
    import: 'default',
    eager: true,
  }),
);
