/** The texts of the prices page. */

/** Plain texts, and functions for texts with values. */
export const texts = {
  currency: {
    title: 'Currency',
    label: 'Currency of all amounts',
    hint: 'Prices, costs and limits of costs are shown in it, to all users. Amounts in the API are numbers without a currency.',
    none: 'No currency',
    action: 'Change currency',
    question: (chosen: string, current: string) => `Change from ${current} to ${chosen}?`,
    text: 'Amounts are not converted. Prices, limits of costs and the costs of past calls keep their numbers and are shown in the new currency. Correct the prices and limits afterwards.',
    keep: 'Keep currency',
  },
  form: {
    missing: 'Enter a price',
    thing: 'Item',
    unit: 'Unit',
    price: 'Price',
    action: 'Set price',
    title: 'Set a price',
  },
  lists: {
    trunks: 'SIP trunks',
    providers: 'Providers',
    models: 'Models',
    voices: 'Voices',
  },
  units: {
    callMinute: 'per call minute',
    transcriptionMinute: 'per minute of transcription',
    characters: 'per million characters spoken',
    inputTokens: 'per million input tokens',
    cachedTokens: 'per million cached input tokens',
    audioInputTokens: 'per million audio input tokens',
    outputTokens: 'per million output tokens',
    audioOutputTokens: 'per million audio output tokens',
  },
  page: {
    title: 'Prices',
    subtitle:
      'What calls cost you, all in one currency. The price of a model or voice takes precedence over the price of its provider.',
    columns: {
      thing: 'Item',
      unit: 'Unit',
      price: 'Price',
    },
    empty: {
      title: 'No prices yet',
      text: 'Calls list what they used, but not what it cost. Enter the prices from your carrier and providers, all in one currency.',
    },
  },
  remove: {
    action: 'Remove',
    label: (name: string, unit: string) => `Remove the price of ${name} ${unit}`,
    question: (name: string) => `Remove this price of ${name}?`,
    keep: 'Keep price',
    text: 'Costs of past calls do not change. The cost of this item will be unknown in later calls.',
  },
};
