/** The name of a browser and of its system, from the description that it sends. */
import { texts } from './texts.ts';

/** In this order: most browsers also name those that they are compatible with. */
const BROWSERS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/Edg\//, texts.browsers.edge],
  [/OPR\//, texts.browsers.opera],
  [/Firefox\//, texts.browsers.firefox],
  [/FxiOS\//, texts.browsers.firefox],
  [/CriOS\//, texts.browsers.chrome],
  [/Chrome\//, texts.browsers.chrome],
  [/Safari\//, texts.browsers.safari],
];

const SYSTEMS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/Android/, texts.systems.android],
  [/iPhone/, texts.systems.ios],
  [/iPad/, texts.systems.ipadOs],
  [/Windows/, texts.systems.windows],
  [/Mac OS X/, texts.systems.macOs],
  [/CrOS/, texts.systems.chromeOs],
  [/Linux/, texts.systems.linux],
];

/** Returns a name such as "Firefox on Linux", or the start of an unknown description. */
export function browserName(userAgent: string | null): string {
  if (userAgent === null || userAgent.trim() === '') return texts.sessions.unknown;
  const browser = BROWSERS.find(([mark]) => mark.test(userAgent))?.[1];
  const system = SYSTEMS.find(([mark]) => mark.test(userAgent))?.[1];
  if (browser && system) return texts.sessions.on(browser, system);
  return browser ?? userAgent.slice(0, 40);
}
