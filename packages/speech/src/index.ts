/** Speech technology behind ports: who hears, who thinks, who speaks. Providers are made by the registry. */
export * from './ports.ts';
